// What a package does beside putting files: POSIX sh, the same for .deb and .rpm, each run by their own scripts.

import { NAME } from '../project.ts';
import { INSTALL_FOLDER } from './private-loader.ts';

const RELOAD = `[ ! -d /run/systemd/system ] || systemctl daemon-reload || :`;
const REFUSE = `if [ -L ${INSTALL_FOLDER} ]; then
  echo '${NAME}: install.sh has put one here already, remove that first: sh ${INSTALL_FOLDER}/install.sh --uninstall' >&2
  exit 1
fi`;
const FOLDERS = `/var/lib/${NAME} /var/log/${NAME}`;
/** The folders are for a /var that comes up read-only; the unit makes them too. */
const ENABLE = `for folder in ${FOLDERS}; do [ -d "$folder" ] || mkdir -m 0700 "$folder" || :; done
systemctl enable ${NAME}.service || :`;
const STOP = `[ ! -d /run/systemd/system ] || systemctl stop ${NAME}.service || :
systemctl disable ${NAME}.service || :`;
const FORGET = `rm -rf /run/${NAME}
rmdir ${FOLDERS} 2>/dev/null || :`;
const PURGE = `rm -rf ${FOLDERS}`;

const when = (condition: string, command: string): string => `if ${condition}; then\n${command}\nfi`;

/** By the name of Debian's file. The unit is enabled by the first installation only; verdicts go with a purge. */
export const DEB_SCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    preinst: REFUSE,
    postinst: [when('[ "$1" = configure ] && [ -z "$2" ]', ENABLE), RELOAD].join('\n'),
    prerm: when('[ "$1" = remove ]', STOP),
    postrm: [when('[ "$1" = remove ]', FORGET), when('[ "$1" = purge ]', PURGE), RELOAD].join('\n'),
  }).map(([name, text]) => [name, `#!/bin/sh\nset -e\n${text}\n`]),
);

/** By the name of rpm's section; the argument counts the versions that will be there. */
export const RPM_SCRIPTS: Readonly<Record<string, string>> = {
  '%pre': REFUSE,
  '%post': [when('[ "$1" -eq 1 ]', ENABLE), RELOAD].join('\n'),
  '%preun': when('[ "$1" -eq 0 ]', STOP),
  '%postun': [when('[ "$1" -eq 0 ]', FORGET), RELOAD].join('\n'),
};

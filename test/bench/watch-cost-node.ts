// The nodes on which the cost of `watch` is measured: Amazon Linux 2023 whose programs write as much as those of a real boot,
// one that becomes Ready and one that stands still.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { createMatcher } from '../../src/matching/matcher.ts';
import type { Pack } from '../../src/types.ts';
import { EXECUTABLE_ON_NODE } from '../e2e/node.ts';
import type { NodeFile } from '../e2e/node-file.ts';
import type { NodeOptions } from '../e2e/node-options.ts';
import { healthy } from '../e2e/scenarios/healthy.ts';
import { al2023, CONFIGURED, RAN } from '../e2e/shapes/al2023.ts';
import { ANALYZER_UNIT } from '../e2e/shapes/analyzer.ts';
import { LINES_FILE, program } from '../e2e/shapes/program.ts';

const CAPTURE = join(ROOT, 'test/healthy/al2023-json/capture');
const LOGS = [
  'cloud-init-output.log',
  'aws-routed-eni/ipamd.log',
  'aws-routed-eni/plugin.log',
  'aws-routed-eni/network-policy-agent.log',
];
/** The capture's 300 lines so often: a real boot has some 3,000. */
const ROUNDS = 12;
const ROUND_SECONDS = 0.5;
const SOURCE = '/usr/local/lib/boot-log';

export const BOOT_LOG = 'boot-log.service';

/** Becomes Ready while its log is still being written. */
export function goodBoot(pack: Pack, executable: string): NodeOptions {
  return carrying(healthy.node, pack, executable);
}

/** Its configuration phase never ends, and nothing says a word once the log is written. */
export function standingBoot(pack: Pack, executable: string): NodeOptions {
  const programs = {
    nodeadmConfig: `${CONFIGURED}\nexec sleep infinity`,
    nodeadmRun: RAN,
    kubelet: 'exec sleep infinity',
  };
  return carrying(al2023(programs), pack, executable);
}

function carrying(node: NodeOptions, pack: Pack, executable: string): NodeOptions {
  const unit = `[Unit]
DefaultDependencies=no
After=systemd-journald.socket

[Service]
ExecStart=/usr/bin/boot-log

[Install]
WantedBy=sysinit.target
`;
  const script = `
mkdir -p /var/log/aws-routed-eni
for ((round = 0; round < ${ROUNDS}; round++)); do
  for file in ${SOURCE}/journal/*; do systemd-cat --identifier="\${file##*/}" cat "$file"; done
  for file in ${LOGS.join(' ')}; do cat "${SOURCE}/files/$file" >>"/var/log/$file"; done
  sleep ${ROUND_SECONDS}
done`;
  return {
    ...node,
    units: { ...node.units, ...ANALYZER_UNIT, [BOOT_LOG]: unit },
    files: { ...node.files, ...LINES_FILE, ...logFiles(pack), '/usr/bin/boot-log': program(script) },
    binds: { ...node.binds, [EXECUTABLE_ON_NODE]: executable },
    wait: 'manager',
  };
}

/** The lines of a healthy boot without those that say how far it got: that the node's own programs do. */
function logFiles(pack: Pack): Record<string, NodeFile> {
  const matcher = createMatcher(pack, { referenceMs: Date.now() });
  const saysNothing = (line: string): boolean => {
    const reader = matcher.open({ name: 'line', stream: null, exported: false });
    reader.push(Buffer.from(`${line}\n`));
    matcher.close(reader);
    return reader.matches === 0;
  };
  const entries = linesOf('journal.ndjson').map(
    (line) => JSON.parse(line) as Readonly<Record<'SYSLOG_IDENTIFIER' | 'MESSAGE', string>>,
  );
  const byProgram = Map.groupBy(entries, ({ SYSLOG_IDENTIFIER }) => SYSLOG_IDENTIFIER);
  const journal = [...byProgram].map(([name, own]): [string, string[]] => [
    `journal/${name}`,
    own.map(({ MESSAGE }) => MESSAGE),
  ]);
  const files = LOGS.map((name): [string, string[]] => [`files/${name}`, linesOf(`var/log/${name}`)]);
  return Object.fromEntries(
    [...journal, ...files].map(([path, lines]) => [
      `${SOURCE}/${path}`,
      lines
        .filter(saysNothing)
        .map((line) => `${line}\n`)
        .join(''),
    ]),
  );
}

function linesOf(name: string): string[] {
  return readFileSync(join(CAPTURE, name), 'utf8').split('\n').filter(Boolean);
}

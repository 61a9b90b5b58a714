// logrus text of containerd and of the Go entrypoint of aws-node: `time="…" level=error msg="…" error="…"`.
import { levelOfWord } from '../levels.ts';
import type { LogFormat } from '../line-state.ts';
import { normalPairs, readQuoted } from '../quoting.ts';
import { isoMs } from '../stamps.ts';

const HEAD = /^(?:time="(?<stamp>[^"]{10,40})" )?level=(?<level>debug|info|warn|warning|error|fatal|panic) msg=/;

export const logfmt: LogFormat = {
  name: 'logfmt',
  unwrap(line) {
    const match = HEAD.exec(line.text);
    if (match === null) return false;
    const { stamp, level } = match.groups as Record<string, string | undefined>;
    const wallMs = stamp === undefined ? null : isoMs(stamp);
    if (wallMs !== null) {
      line.wallMs = wallMs;
      line.dated = true;
    }
    line.level = levelOfWord(level!);
    const at = match[0].length;
    if (line.text.charCodeAt(at) === 34) {
      const { value, end } = readQuoted(line.text, at);
      line.text = value + normalPairs(line.text, end);
    } else line.text = normalPairs(line.text, at);
    return true;
  },
};

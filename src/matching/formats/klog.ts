// klog of kubelet and kube-proxy: `E0606 19:33:03.828406    3214 file.go:96] "message" err="…" node="…"`, structured or not.
import { levelOfWord } from '../levels.ts';
import type { Carrier } from '../line-state.ts';
import { normalPairs, readQuoted } from '../quoting.ts';
import { yearlessMs } from '../stamps.ts';

const HEADER = /^(?<level>[IWEF])(?<month>\d\d)(?<day>\d\d) (?<time>\d\d:\d\d:\d\d\.\d+)\s+(?<pid>\d+) (?<file>[\w.-]+:\d+)\] ?/;

export const klog: Carrier = {
  name: 'klog',
  unwrap(line, clock) {
    const match = HEADER.exec(line.text);
    if (match === null) return false;
    const { level, month, day, time, pid, file } = match.groups as Record<string, string>;
    line.level = levelOfWord(level!);
    line.component = file!.replace(/:\d+$/, '');
    line.pid ??= pid!;
    if (line.wallMs === null) line.wallMs = yearlessMs(month!, day!, time!, clock);
    line.text = normalMessage(line.text.slice(match[0].length));
    return true;
  },
};

/** `"msg" key="value"` → `msg key=value`; text that is not structured stays. */
function normalMessage(text: string): string {
  if (text.charCodeAt(0) !== 34) return text;
  const { value, end } = readQuoted(text, 0);
  return value + normalPairs(text, end);
}

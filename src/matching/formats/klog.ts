// klog of kubelet and kube-proxy: `E0606 19:33:03.828406    3214 file.go:96] "message" err="…" node="…"`, structured or not.
import { levelOfWord } from '../levels.ts';
import type { LogFormat, LineState } from '../line-state.ts';
import { normalPairs, readQuoted } from '../quoting.ts';
import { yearlessMs } from '../stamps.ts';

const HEADER =
  /^(?<level>[IWEF])(?<month>\d\d)(?<day>\d\d) (?<time>\d\d:\d\d:\d\d\.\d+)\s+(?<pid>\d+) (?<file>[\w.-]+:\d+)\] ?/;

export const klog: LogFormat = {
  name: 'klog',
  unwrap(line, clock) {
    const match = HEADER.exec(line.text);
    if (match === null) return unwrapBody(line);
    const { level, month, day, time, pid, file } = match.groups as Record<string, string>;
    line.level = levelOfWord(level!);
    line.component = file!.replace(/:\d+$/, '');
    line.pid ??= pid!;
    if (line.wallMs === null) line.wallMs = yearlessMs(month!, day!, time!, clock);
    line.text = normalMessage(line.text.slice(match[0].length));
    return true;
  },
};

const PART_OF_HEADER = /^(?:\d{1,10} )?(?<file>[\w-]{1,60}\.go:\d{1,5})\] (?=\S)/;
const BODY = /^"(?:[^"\\]|\\.){1,400}" [A-Za-z_][\w.-]{0,60}=["<\w[{]/;

/** A paste often begins behind the header, or in the middle of it. */
function unwrapBody(line: LineState): boolean {
  const part = PART_OF_HEADER.exec(line.text);
  const body = part === null ? line.text : line.text.slice(part[0].length);
  if (part === null && !BODY.test(body)) return false;
  if (part !== null) line.component = part.groups!['file']!.replace(/:\d+$/, '');
  line.text = normalMessage(body);
  return true;
}

/** `"msg" key="value"` → `msg key=value`; text that is not structured stays. */
function normalMessage(text: string): string {
  if (text.charCodeAt(0) !== 34) return text;
  const { value, end } = readQuoted(text, 0);
  return value + normalPairs(text, end);
}

// Text that `aws logs tail` and `kubectl logs --timestamps` print: the service's time, for the former the log stream's name,
// then the line.
import { exportedTime, stampedLine } from './stamped-line.ts';
import { hasOwnHead } from './line-heads.ts';

const STAMPED =
  /^(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?) (?<rest>(?!(?:stdout|stderr) [FP] ).*)$/;
const NAMED = /^(?<name>\S{1,512}) (?<message>.*)$/;
const SYSLOG = /^[\w.-]+ [A-Za-z_(][\w.@()/-]{0,63}(?:\[\d{1,10}\])?: /;
/** The name of a log stream has what a word of a message has not. */
const STREAM_NAME = /[/]|^i-[0-9a-f]{8,17}$|^ip-\d+-\d+-\d+-\d+|^[\w.-]+-[\w.-]*\d[\w.-]*$/;
/** No host is called so. */
const SURE_STREAM_NAME = /\/|\.log$/;
const NEARLY_ALL = 0.8;

export function serviceStampedLines(lines: readonly string[]): readonly string[] | null {
  const given = lines.filter((line) => line.trim() !== '');
  const undone = lines.map((line) => undo(line) ?? line);
  const changed = undone.filter((line, i) => line !== lines[i]).length;
  return changed === 0 || changed < given.length * NEARLY_ALL ? null : undone;
}

function undo(line: string): string | null {
  const groups = STAMPED.exec(line)?.groups;
  if (groups === undefined) return null;
  const time = exportedTime(groups['stamp']!);
  const rest = groups['rest']!;
  if (hasOwnHead(rest) && !SYSLOG.test(rest)) return stampedLine(rest, time);
  const named = NAMED.exec(rest)?.groups;
  if (named === undefined || (SYSLOG.test(rest) && !SURE_STREAM_NAME.test(named['name']!))) return null;
  const message = named['message']!;
  if (hasOwnHead(message) || STREAM_NAME.test(named['name']!)) return stampedLine(message, time);
  return null;
}

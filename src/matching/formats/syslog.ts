// `journalctl -o short` and its kin, and rsyslog's files: `Feb 14 10:44:19 host ident[pid]: message`, with ISO, precise,
// Unix or boot-relative stamps; cloud-init 19.3 leaves the host out.
import { type LogFormat, nameProcess } from '../line-state.ts';
import { undoSyslogEscapes } from '../quoting.ts';
import { isoMs, yearlessMs } from '../stamps.ts';

const WHO =
  '(?:(?<host>[A-Za-z0-9][\\w.-]{0,254}) )?(?<identifier>[A-Za-z_(][\\w.@()/-]{0,63}?)(?:\\[(?<pid>\\d{1,10})\\])?: ?';
const MONTH_DAY = new RegExp(
  `^(?<month>\\S{1,6}) {1,2}(?<day>\\d{1,2}) (?:(?<year>20\\d\\d) )?(?<time>\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?) ${WHO}`,
);
const ISO = new RegExp(
  `^(?<stamp>20\\d\\d-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?) (?!\\[eks)${WHO}`,
);
const UNIX = new RegExp(`^(?<seconds>1\\d{9}\\.\\d{3,9}) ${WHO}`);
const MONOTONIC = new RegExp(
  `^\\[ *(?<seconds>\\d{1,9}\\.\\d{3,9})\\] (?<host>[A-Za-z0-9][\\w.-]{0,254}) (?<identifier>[A-Za-z_(][\\w.@()/-]{0,63})(?:\\[(?<pid>\\d{1,10})\\]): `,
);
/** Weekday of `-o short-full` and of rsyslog templates. */
const WEEKDAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?=20\d\d-)/;

export const syslog: LogFormat = {
  name: 'syslog',
  unwrap(line, clock) {
    const text = WEEKDAY.test(line.text)
      ? line.text.slice(4).replace(/^(?<stamp>\S+ \S+) UTC /, '$<stamp> ')
      : line.text;
    const match = MONTH_DAY.exec(text) ?? ISO.exec(text) ?? UNIX.exec(text) ?? MONOTONIC.exec(text);
    if (match === null) return false;
    const { month, day, year, time, stamp, seconds, host, identifier, pid } = match.groups as Record<
      string,
      string | undefined
    >;
    if (stamp !== undefined) offerTime(isoMs(stamp), true);
    else if (month !== undefined && year === undefined) offerTime(yearlessMs(month, day!, time!, clock), false);
    else if (month !== undefined)
      offerTime(yearlessMs(month, day!, time!, { referenceMs: Date.UTC(Number(year), 6) }), true);
    else if (text.startsWith('[')) line.monotonicMs = Number(seconds) * 1000;
    else offerTime(Number(seconds) * 1000, true);
    nameProcess(line, identifier!, pid ?? null, pid !== undefined || (month !== undefined && host !== undefined));
    line.text = undoSyslogEscapes(text.slice(match[0].length));
    line.stream = null;
    return true;

    function offerTime(ms: number | null, dated: boolean): void {
      if (ms === null || (line.wallMs !== null && line.dated)) return;
      line.wallMs = ms;
      line.dated = dated;
    }
  },
};

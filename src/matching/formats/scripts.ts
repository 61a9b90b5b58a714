// Small prefixes of boot scripts: bootstrap.sh, cloud-init, Bottlerocket's Rust tools, seelog of old CNI versions, the SDK
// logger inside nodeadm.
import { levelOfWord } from '../levels.ts';
import type { LogFormat } from '../line-state.ts';
import { isoMs, yearlessMs } from '../stamps.ts';

const EKS_BOOTSTRAP =
  /^(?:(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}) )?\[eks-bootstrap\] (?<level>INFO|WARNING|ERROR): ?/;
const CLOUD_INIT = /^(?:(?<stamp>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) - )?(?<file>\w+\.py)\[(?<level>\w+)\]: ?/;
const RUST = /^\d\d:\d\d:\d\d \[(?<level>TRACE|DEBUG|INFO|WARN|ERROR)\] /;
const SEELOG = /^(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z) \[(?<level>[A-Z]+)\][ \t]*/;
const SDK = /^SDK (?<date>20\d\d\/\d\d\/\d\d) (?<time>\d\d:\d\d:\d\d) (?<level>DEBUG|INFO|WARN|ERROR) /;
const TAGGED =
  /^(?:(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}) )?\[(?<tag>private-dns-name|imds|provider-id|max-pods)\] (?:(?<level>WARN|ERROR|INFO): )?/;

function prefix(name: string, expression: RegExp, stream: string | null): LogFormat {
  return {
    name,
    unwrap(line) {
      const match = expression.exec(line.text);
      if (match === null) return false;
      const { stamp, date, time, level, file } = match.groups as Record<string, string | undefined>;
      const wallMs =
        stamp !== undefined ? isoMs(stamp) : date !== undefined ? isoMs(`${date.replaceAll('/', '-')}T${time}`) : null;
      if (wallMs !== null && !(line.wallMs !== null && line.dated)) {
        line.wallMs = wallMs;
        line.dated = true;
      }
      if (level !== undefined) line.level = levelOfWord(level);
      if (file !== undefined) line.component = file;
      if (stream !== null) line.stream = stream;
      line.text = line.text.slice(match[0].length);
      return true;
    },
  };
}

export const eksBootstrap = prefix('eks-bootstrap', EKS_BOOTSTRAP, 'bootstrap');
export const cloudInit = prefix('cloud-init', CLOUD_INIT, null);
export const rustLog = prefix('rust-log', RUST, null);
export const seelog = prefix('seelog', SEELOG, null);
export const sdkLogger = prefix('sdk-logger', SDK, null);

/** Keeps its tag, which is part of the message, and takes stamp and level. */
export const taggedHelper: LogFormat = {
  name: 'tagged-helper',
  unwrap(line) {
    const groups = TAGGED.exec(line.text)?.groups;
    if (groups === undefined) return false;
    if (groups['level'] !== undefined) line.level = levelOfWord(groups['level']);
    if (groups['stamp'] === undefined) return false;
    if (line.wallMs === null) {
      line.wallMs = isoMs(groups['stamp']);
      line.dated = true;
    }
    line.text = line.text.slice(groups['stamp'].length + 1);
    return true;
  },
};

const STAGE =
  /^Cloud-init v\. \S{1,60} (?:running '[\w:-]{1,30}'|finished) at \w{3}, (?<day>\d{1,2}) (?<month>\w{3}) (?<year>20\d\d) (?<time>\d\d:\d\d:\d\d) \+0000\..{0,80}?Up (?<up>\d{1,7}\.\d{2}) seconds/;

/** cloud-init's stage lines name their time and the uptime; they date a file that has no stamps. */
export const cloudInitStage: LogFormat = {
  name: 'cloud-init-stage',
  unwrap(line) {
    const groups = STAGE.exec(line.text)?.groups;
    if (groups === undefined) return false;
    const wallMs = yearlessMs(groups['month']!, groups['day']!, groups['time']!, {
      referenceMs: Date.UTC(Number(groups['year']), 6),
    });
    if (line.wallMs === null && wallMs !== null) {
      line.wallMs = wallMs;
      line.dated = true;
      line.monotonicMs ??= Number(groups['up']) * 1000;
    }
    return false;
  },
};

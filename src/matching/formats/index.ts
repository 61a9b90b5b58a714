// The log formats in the order in which they are tried, and the loop that takes them off.
import type { LogFormat, LineState, StampClock } from '../line-state.ts';
import { unescapeLayers } from '../quoting.ts';
import { named, sinceBoot, systemdStatus } from './console.ts';
import { cri } from './cri.ts';
import { journalExport } from './journal-export.ts';
import { journalJson } from './journal-json.ts';
import { jsonLog } from './json-log.ts';
import { klog } from './klog.ts';
import { kubeEvent } from './kube-event.ts';
import { logfmt } from './logfmt.ts';
import { cloudInit, cloudInitStage, eksBootstrap, rustLog, sdkLogger, seelog, taggedHelper } from './scripts.ts';
import { syslog } from './syslog.ts';
import { zapConsole } from './zap-console.ts';

/** Log formats that may stand round other log formats. */
const OUTER: readonly LogFormat[] = [
  journalExport,
  journalJson,
  cri,
  syslog,
  sinceBoot,
  named,
  systemdStatus,
  kubeEvent,
];
/** Formats of the program itself: at most one of them applies, and the message follows. */
const INNER: readonly LogFormat[] = [
  klog,
  logfmt,
  jsonLog,
  zapConsole,
  eksBootstrap,
  cloudInit,
  rustLog,
  seelog,
  sdkLogger,
  taggedHelper,
  cloudInitStage,
];
export const LOG_FORMATS: readonly LogFormat[] = [...OUTER, ...INNER];

const OUTER_LAYERS_MAX = 6;
const MESSAGE_MAX_CHARS = 16 * 1024;
const ANSI = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9])/g; // oxlint-disable-line no-control-regex

/** Takes off every log format that wraps a message of its own; the program's own format stays. */
export function unwrapOuter(line: LineState, clock: StampClock): void {
  if (line.text.includes('\x1b')) line.text = line.text.replace(ANSI, '');
  if (line.text.endsWith('\r')) line.text = line.text.slice(0, -1);
  for (let layer = 0; layer < OUTER_LAYERS_MAX; layer++) if (!OUTER.some((format) => format.unwrap(line, clock))) break;
  if (line.text.includes('\x1b')) line.text = line.text.replace(ANSI, '');
}

/** Undoes the program's own format and the quoting inside; `text` is the message afterwards. */
export function unwrapInner(line: LineState, clock: StampClock): void {
  INNER.some((format) => format.unwrap(line, clock));
  if (line.text.length > MESSAGE_MAX_CHARS) line.text = line.text.slice(0, MESSAGE_MAX_CHARS);
  if (line.text.includes('\\')) line.text = unescapeLayers(line.text);
  line.text = line.text.trimEnd();
}

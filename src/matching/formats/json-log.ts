// One JSON object a line: zap (nodeadm, ipamd, CNI plugin, Karpenter) and klog's JSON form.
import { levelOfWord } from '../levels.ts';
import type { LogFormat } from '../line-state.ts';
import { isoMs } from '../stamps.ts';
import { pairsOfObject } from './pairs-of-object.ts';

export const jsonLog: LogFormat = {
  name: 'json-log',
  unwrap(line) {
    const { text } = line;
    if (text.charCodeAt(0) !== 123 || text.charCodeAt(1) !== 34) return false;
    let fields: Record<string, unknown>;
    try {
      fields = JSON.parse(text) as Record<string, unknown>;
    } catch {
      return unwrapCut(line);
    }
    const message = fields['msg'] ?? fields['message'] ?? fields['MESSAGE'] ?? fields['log'];
    if (typeof message !== 'string') return false;
    const level = fields['level'] ?? fields['severity'];
    if (typeof level === 'string') line.level = levelOfWord(level);
    const stamp = fields['ts'] ?? fields['time'] ?? fields['timestamp'];
    const wallMs = stampMs(stamp);
    if (wallMs !== null) {
      line.wallMs = wallMs;
      line.dated = true;
    }
    if (typeof fields['caller'] === 'string') line.component = fields['caller'].replace(/:\d+$/, '');
    else if (typeof fields['logger'] === 'string') line.component = fields['logger'];
    line.text = message + pairsOfObject(fields);
    return true;
  },
};

/** Seconds (nodeadm) or milliseconds (klog) as a number, or an ISO stamp. */
function stampMs(stamp: unknown): number | null {
  if (typeof stamp === 'string') return isoMs(stamp);
  if (typeof stamp !== 'number') return null;
  return stamp > 1e11 ? stamp : stamp * 1000;
}

const CUT_HEAD =
  /^\{"level":"(?<level>\w+)","ts":"?(?<stamp>[^",]+)"?,(?:"logger":"[^"]*",)?"caller":"(?<caller>[^":]+)[^"]*","msg":"(?<rest>.*)$/s;

/** A line that was cut off in the middle (console, pagers, our own limit) still says most of what it has to say. */
function unwrapCut(line: Parameters<LogFormat['unwrap']>[0]): boolean {
  const match = CUT_HEAD.exec(line.text);
  if (match === null) return false;
  const { level, stamp, caller, rest } = match.groups as Record<string, string>;
  line.level = levelOfWord(level!);
  const wallMs = stampMs(/^\d+(?:\.\d+)?$/.test(stamp!) ? Number(stamp) : stamp);
  if (wallMs !== null) {
    line.wallMs = wallMs;
    line.dated = true;
  }
  line.component = caller!;
  line.text = rest!.replace(/",?"?(?<key>\w+)":"?/g, ' $<key>=');
  return true;
}

// Words what was not looked at. Codes of the sources bring their own sentences (src/sources/codes.ts); the others stand here.
import type { NotChecked } from '../types.ts';
import { clip } from './wording.ts';

/** Sentence for each code. `{detail}` stands for the entry's detail, which otherwise follows in brackets. */
export type Reasons = Readonly<Record<string, string>>;

export const OTHER_REASONS: Reasons = {
  'entries-cut': '{detail} entries were longer than 64 lines or 16 KiB; only their beginning was looked at.',
  'entries-passed':
    '{detail} entries repeat what ten thousand others say, and were passed over; their number is therefore too low.',
  'signature-off': 'The signature was switched off because it took too long.',
  'pattern-refused': 'The pattern file was refused and the built-in patterns were used: {detail}.',
  'not-meant-to-join':
    'There is no sign that this instance should join a cluster: its user data names none, and the kubelet is switched off. If it should, give it a NodeConfig or a call of bootstrap.sh.',
  'not-root': 'Most logs of a node are for root alone.',
  'offline-root': 'Not asked: the root folder is not that of the running machine.',
  'output-failed': 'A verdict could not be written there: {detail}.',
  'output-blocked': 'Nobody takes what is written there.',
  'probe-broken': 'The question to the node failed by a fault of this tool: {detail}.',
  'delivery-broken': 'A verdict was not delivered by a fault of this tool: {detail}.',
  'cut-for-length': 'Parts of it were left out for length ({detail}); --format json has everything.',
  'own-output': 'It holds an earlier verdict of this tool ({detail} lines), which is no evidence and was left out.',
};

const WHAT_MAX_CHARS = 200;
const REASON_MAX_CHARS = 300;

/** One line for each reason: what it is about, and why that was not checked. */
export function wordNotChecked(entries: readonly NotChecked[], reasons: Reasons): string[] {
  const about = new Map<string, Set<string>>();
  for (const { what, code, detail } of entries) {
    const reason = wordReason(code, detail, reasons);
    about.set(reason, (about.get(reason) ?? new Set()).add(what));
  }
  return [...about].map(([reason, names]) => `${clip([...names].join(', '), WHAT_MAX_CHARS)}: ${reason}`);
}

/** A code without a sentence is shown as it is. */
function wordReason(code: string, detail: string, reasons: Reasons): string {
  const sentence = reasons[code] ?? code;
  const worded =
    sentence.includes('{detail}') || detail === ''
      ? sentence.replace('{detail}', () => detail)
      : `${sentence} (${detail})`;
  return clip(worded, REASON_MAX_CHARS);
}

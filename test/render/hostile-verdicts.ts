// Verdicts in which every text is an attack on whoever shows it, and their harmless twins.
import { redactVerdict } from '../../src/redaction/redact.ts';
import type { RedactedVerdict, Verdict } from '../../src/types.ts';
import { FAILED } from './verdicts.ts';

export const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=https://evil.example/x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</pre></code></style><style>body{display:none}</style>',
  '</title><svg onload=alert(1)><image href="https://evil.example/i.png"/></svg>',
  '<!-- --><![CDATA[ ]]><?xml?>',
  '&lt;b&gt; &#x3c;script&#x3e; &amp;#64;everyone',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  'url(https://evil.example/a.css) @import "https://evil.example"; expression(alert(1))',
  'see https://evil.example/a?b=c#d or www.evil.example or mailto:root@evil.example',
  'javascript:alert(1) data:text/html,<b>x</b>',
  '@everyone @octocat/team #1 GH-2 owner/repo#3 !4 ~bug %1 $5 deadbeefdeadbeef :tada:',
  '[text](https://evil.example) ![image](https://evil.example/i.png) [ref]: https://evil.example',
  '```',
  '````` ~~~ ` `` ```js',
  'a ``` b ` c `` d',
  '`',
  '~~~',
  '# heading',
  '1. item',
  '- item',
  '> quote',
  '--- | --- | ===',
  '*bold* _italic_ ~~gone~~ __b__ **c** \\',
  '</details></summary><details open>',
  '<https://evil.example> <root@evil.example>',
  '    indented',
  '$(touch /tmp/x) `id` ${HOME}; rm -rf "$HOME"',
] as const;

/** What a program reads and no person: changed, it would be another verdict and not another text. */
const CODES = new Set(['status', 'state', 'confidence', 'outcome', 'bearing', 'where']);

export function eachText(value: unknown, change: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return CODES.has(key) ? value : change(value);
  if (Array.isArray(value)) return value.map((item) => eachText(item, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, eachText(item, change, name)]));
}

/** Every text of a verdict is the attack. The times are left on wish, so that there is a picture. */
export function hostileVerdict(attack: string, keepsTimes: boolean): RedactedVerdict {
  const isTime = (text: string): boolean => keepsTimes && /^\d{4}-\d\d-\d\dT/.test(text);
  const full = { ...FAILED, node: Object.fromEntries(Object.keys(FAILED.node).map((fact) => [fact, 'x'])) };
  const verdict = eachText(full, (text) => (isTime(text) ? text : attack)) as Verdict;
  const places = verdict.evidence.flatMap((one) => [one, { ...one, count: 1, origin: `${attack}2` }]);
  return redactVerdict({ ...verdict, evidence: places });
}

/** The same with words of the same length that mean nothing. */
export function harmlessTwin(verdict: RedactedVerdict): RedactedVerdict {
  return eachText(verdict, (text) =>
    /^\d{4}-\d\d-\d\dT/.test(text) ? text : text.replace(/\S/g, 'x'),
  ) as RedactedVerdict;
}

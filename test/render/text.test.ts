import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderText, TEXT_MAX_CHARS, type TextOptions } from '../../src/render/text.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted, UNKNOWN } from './verdicts.ts';

const ANSWERS = new Map([['swap-off', { 'swap-on': { sentence: 'Swap is switched on ({swap_mib} MiB on {swap_device}).' } }]]);
const PLAIN: TextOptions = { color: false, prefix: '', focus: () => null, reasons: { missing: 'There is nothing at this path.' }, answers: ANSWERS };

function lines(verdict: Verdict, options: Partial<TextOptions> = {}): string[] {
  return renderText(redacted(verdict), { ...PLAIN, ...options }).split('\n');
}

test('the first line says status and cause, the second what it means', () => {
  const [first, second, third] = lines(FAILED);
  assert.equal(first, 'FAILED: Swap is switched on (swap-enabled, confidence high)');
  assert.equal(second, FAILED.cause!.summary);
  assert.match(third!, /^i-0a1b2c3d4e5f60718, m6i\.large, eu-central-1b, cluster shop-staging, .*; as of 2025-05-06 08:18:54Z, 3 min 24 s after boot$/);
});

test('every section stands in the order in which an operator needs it', () => {
  const titles = lines(FAILED).filter((line) => /^[A-Z][^:]*$/.test(line) && !line.includes('.'));
  assert.deepEqual(titles, ['Proof', 'Asked the node', 'Boot', 'Check', 'Fix', 'Other possible causes', 'Symptoms', 'Seen, but not the cause', 'Not checked']);
});

test('commands stand alone on their lines, also those of several lines', () => {
  const all = lines(FAILED).map((line) => line.trim());
  for (const command of ['swapoff -a && systemctl restart kubelet', 'grep -n swap /etc/fstab', 'systemctl list-units --type=swap --all'])
    assert.ok(all.includes(command), command);
});

test('a proving line names stream, time, origin and how often, and is cut round its literal', () => {
  const line = `${'x'.repeat(400)} running with swap on ${'y'.repeat(400)}`;
  const all = lines({ ...FAILED, evidence: [{ ...FAILED.evidence[0]!, line }] }, { focus: (_signature, text) => text.indexOf('running') });
  const at = all.indexOf('  kubelet  08:15:44Z  var_log/messages:5087  ×12');
  assert.ok(at > 0);
  const shown = all[at + 1]!.trim();
  assert.ok(shown.length <= 220 && shown.startsWith('…') && shown.endsWith('…') && shown.includes('running with swap on'), shown);
});

test('a line that two signatures are about stands once', () => {
  const [evidence] = FAILED.evidence;
  const all = lines({ ...FAILED, evidence: [evidence!, { ...evidence!, signature: 'swap-enabled/other' }, { ...evidence!, origin: 'b.log:1' }] });
  assert.equal(all.filter((line) => line.includes('running with swap on')).length, 2);
});

test('without a cause it says where the boot stands and shows the last errors', () => {
  const all = lines(UNKNOWN);
  assert.equal(all[0], 'UNKNOWN: no known cause in what was read');
  assert.match(all[1]!, /last phase that finished is "cloud-init"; the last milestone was at 08:15:44Z, 3 min 10 s before the end/);
  assert.ok(all.includes('Last errors') && !all.includes('Fix'));
});

test('a ready node with a lasting trouble says both', () => {
  assert.match(lines({ ...FAILED, status: 'ready' })[0]!, /^READY, but Swap is switched on/);
});

test('what was not checked is worded, equal reasons on one line', () => {
  const notChecked = ['a.log', 'b.log'].map((what) => ({ what, code: 'missing', detail: '' }));
  const all = lines({ ...FAILED, notChecked: [...notChecked, { what: 'c', code: 'new-code', detail: 'why' }] });
  assert.ok(all.includes('  a.log, b.log: There is nothing at this path.'));
  assert.ok(all.includes('  c: new-code (why)'));
});

test('colour only where it is asked for', () => {
  assert.ok(!renderText(redacted(FAILED), PLAIN).includes('\u001b'));
  assert.ok(renderText(redacted(FAILED), { ...PLAIN, color: true }).startsWith('\u001b[31mFAILED'));
});

test('a prefix stands before every line', () => {
  const all = renderText(redacted(FAILED), { ...PLAIN, prefix: 'eks-bootstrap-analyzer: ' })
    .trimEnd()
    .split('\n');
  assert.ok(all.every((line) => line.startsWith('eks-bootstrap-analyzer:')));
});

/** A verdict in which every list is long and every text has its full length. */
function hugeVerdict(): Verdict {
  const long = 'long words '.repeat(400);
  const many = <T>(item: T, count = 300): T[] => Array.from({ length: count }, () => item);
  return {
    ...FAILED,
    cause: {
      ...FAILED.cause!,
      summary: long,
      remedy: many({ text: long, command: long, where: 'node' as const }, 40),
      references: many(`https://example.com/${long}`, 40),
    },
    otherCauses: many({ ...FAILED.otherCauses[0]!, title: long }),
    symptoms: many({ ...FAILED.symptoms[0]!, title: long }),
    recovered: many(FAILED.recovered[0]!),
    timeline: many({ ...FAILED.timeline[0]!, title: long }),
    evidence: Array.from({ length: 40 }, (_, index) => ({ ...FAILED.evidence[0]!, line: long, origin: `${index} ${long}` })),
    probes: many(FAILED.probes[0]!),
    notChecked: Array.from({ length: 300 }, (_, index) => ({ what: `${index} ${long}`, code: 'missing', detail: long })),
    node: { ...FAILED.node, cluster: long },
  };
}

test('never more than 6,000 characters, and says what was cut', () => {
  const huge = redacted(hugeVerdict());
  for (const options of [{}, { color: true }, { prefix: 'eks-bootstrap-analyzer: ' }, { color: true, prefix: 'eks-bootstrap-analyzer: ' }]) {
    const text = renderText(huge, { ...PLAIN, ...options });
    assert.ok(text.length < TEXT_MAX_CHARS, String(text.length));
    assert.match(text, /FAILED: Swap is switched on/);
    assert.match(text, /more left out for length, see --format json/);
    for (const shown of [/^(?:eks-bootstrap-analyzer: )? {2}1\. long words/m, /kubelet {2}08:15:44Z/]) assert.match(text, shown);
  }
});

test('a little too much loses symptoms before proof and fix', () => {
  const symptoms = Array.from({ length: 200 }, () => FAILED.symptoms[0]!);
  const all = lines({ ...FAILED, symptoms });
  assert.ok(all.includes('     swapoff -a && systemctl restart kubelet'));
  assert.ok(all.some((line) => line.includes('running with swap on')));
  assert.ok(all.includes('  There is nothing at this path.') || all.some((line) => line.startsWith('  containerd.log')));
});

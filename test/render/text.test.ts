import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderText, TEXT_MAX_CHARS, type TextOptions } from '../../src/render/text.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted, UNKNOWN } from './verdicts.ts';

const ANSWERS = new Map([
  ['swap-off', { 'swap-on': { sentence: 'Swap is switched on ({swap_mib} MiB on {swap_device}).' } }],
]);
const PLAIN: TextOptions = {
  color: false,
  prefix: '',
  isLog: false,
  offersAwsChecks: false,
  width: null,
  follows: () => false,
  focus: () => null,
  reasons: { missing: 'There is nothing at this path.' },
  answers: ANSWERS,
};

function lines(verdict: Verdict, options: Partial<TextOptions> = {}): string[] {
  return renderText(redacted(verdict), { ...PLAIN, ...options }).split('\n');
}

test('the first line says status and cause, the second what it means', () => {
  const [first, second, third] = lines(FAILED);
  assert.equal(first, 'FAILED: Swap is switched on (swap-enabled, confidence high)');
  assert.equal(second, FAILED.cause!.summary);
  assert.match(
    third!,
    /^i-0a1b2c3d4e5f60718, m6i\.large, eu-central-1b, cluster shop-staging, .*; as of 2025-05-06 08:18:54Z, 3 min 24 s after boot$/,
  );
});

test('every section stands in the order in which an operator needs it', () => {
  const titles = lines(FAILED).filter((line) => /^[A-Z][^:]*$/.test(line) && !line.includes('.'));
  assert.deepEqual(titles, [
    'Fix',
    'Check',
    'Proof',
    'Boot',
    'Asked the node',
    'Follows from it',
    'Other possible causes',
    'Seen, but not the cause',
    'Not checked',
    'See',
  ]);
});

test('commands stand alone on their lines, also those of several lines', () => {
  const all = lines(FAILED).map((line) => line.trim());
  for (const command of [
    'node$ swapoff -a && systemctl restart kubelet',
    'node$ grep -n swap /etc/fstab',
    'systemctl list-units --type=swap --all',
  ])
    assert.ok(all.includes(command), command);
});

test('a proving line names stream, time, origin and how often, and is cut round its literal', () => {
  const line = `${'x'.repeat(400)} running with swap on ${'y'.repeat(400)}`;
  const all = lines(
    { ...FAILED, evidence: [{ ...FAILED.evidence[0]!, line }] },
    { focus: (_signature, text) => ({ start: text.indexOf('running'), end: text.indexOf(' yyy') }) },
  );
  const at = all.indexOf('  kubelet  ×12, 08:15:44Z  var_log/messages:5087');
  assert.ok(at > 0);
  const shown = all[at + 1]!.trim();
  assert.ok(
    shown.length <= 285 && shown.startsWith('…') && shown.endsWith('…') && shown.includes('running with swap on'),
    shown,
  );
});

test('a line that two signatures are about stands once', () => {
  const [evidence] = FAILED.evidence;
  const all = lines({
    ...FAILED,
    evidence: [
      evidence!,
      { ...evidence!, signature: 'swap-enabled/other' },
      { ...evidence!, signature: 'swap-enabled/third', origin: 'b.log:1' },
    ],
  });
  assert.equal(all.filter((line) => line.includes('running with swap on')).length, 2);
});

test('without a cause it says where the boot stands and shows the last errors', () => {
  const all = lines(UNKNOWN);
  assert.equal(all[0], 'UNKNOWN: no known cause in what was read');
  assert.match(
    all[1]!,
    /^Last finished: cloud-init; waiting in: kubelet\. No progress for 3 min 10 s, since 08:15:44Z\.$/,
  );
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
    evidence: Array.from({ length: 40 }, (_, index) => ({
      ...FAILED.evidence[0]!,
      line: long,
      origin: `${index} ${long}`,
    })),
    probes: many(FAILED.probes[0]!),
    notChecked: Array.from({ length: 300 }, (_, index) => ({
      what: `${index} ${long}`,
      code: 'missing',
      detail: long,
    })),
    node: { ...FAILED.node, cluster: long },
  };
}

test('never more than 6,000 characters, and says what was cut', () => {
  const huge = redacted(hugeVerdict());
  for (const options of [
    {},
    { color: true },
    { prefix: 'eks-bootstrap-analyzer: ' },
    { color: true, prefix: 'eks-bootstrap-analyzer: ' },
  ]) {
    const text = renderText(huge, { ...PLAIN, ...options });
    assert.ok(text.length < TEXT_MAX_CHARS, String(text.length));
    assert.match(text, /FAILED: Swap is switched on/);
    assert.match(text, /more left out for length, see --format json/);
    for (const shown of [/^(?:eks-bootstrap-analyzer: )? {2}1\. long words/m, /kubelet {2}×12, 08:15:44Z/])
      assert.match(text, shown);
  }
});

test('a little too much loses symptoms before proof and fix', () => {
  const symptoms = Array.from({ length: 200 }, () => FAILED.symptoms[0]!);
  const all = lines({ ...FAILED, symptoms });
  assert.ok(all.includes('     node$ swapoff -a && systemctl restart kubelet'));
  assert.ok(all.some((line) => line.includes('running with swap on')));
  assert.ok(
    all.includes('  There is nothing at this path.') || all.some((line) => line.startsWith('  containerd.log')),
  );
});

test('a signature is told once, from its first line to its last', () => {
  const [first] = FAILED.evidence;
  const last = {
    ...first!,
    time: '2025-05-06T08:18:50.000Z',
    origin: 'var_log/messages:6001',
    line: `${first!.line} again`,
  };
  const all = lines({ ...FAILED, evidence: [first!, last] });
  assert.equal(all.filter((line) => line.includes('running with swap on')).length, 1);
  assert.ok(all.includes('  kubelet  ×12, 08:15:44–08:18:50Z  var_log/messages:5087'));
});

test('host, time and process id stand beside the line and not in it', () => {
  const shown = lines(FAILED).find((line) => line.includes('running with swap on'));
  assert.equal(shown, '    kubelet: E run.go:74] "command failed" err="running with swap on is not supported"');
});

test('what a signature matched is bold on a terminal, also over the end of a row', () => {
  const focus = (_signature: string, text: string) => ({
    start: text.indexOf('running'),
    end: text.indexOf(' is not'),
  });
  assert.ok(
    renderText(redacted(FAILED), { ...PLAIN, color: true, focus }).includes(
      'err="\u001b[1mrunning with swap on\u001b[0m is not',
    ),
  );
  const narrow = renderText(redacted(FAILED), { ...PLAIN, color: true, width: 64, focus });
  assert.ok(narrow.includes('\u001b[1mrunning with\u001b[0m\n    \u001b[1mswap on\u001b[0m'));
});

test('a terminal gets no line that is too wide, and every command whole', () => {
  const command = `kubectl ${'--flag value '.repeat(20)}end`;
  const all = lines(
    {
      ...FAILED,
      cause: {
        ...FAILED.cause!,
        summary: 'many words '.repeat(30),
        remedy: [{ text: 'more words '.repeat(30), command, where: 'admin' }],
      },
    },
    { width: 80 },
  );
  assert.ok(all.includes(`     admin$ ${command}`));
  assert.deepEqual(
    all.filter((line) => line.length > 80 && !line.includes('$ ')),
    [],
  );
  const at = all.indexOf('Fix');
  assert.match(all[at + 2]!, /^ {5}\S/);
});

test('a journal entry gets the command that shows it', () => {
  const cursor =
    's=0123456789abcdef0123456789abcdef;i=7b1;b=fedcba9876543210fedcba9876543210;m=2f1a;t=6345a1b2c3d4e;x=9a';
  const all = lines({ ...FAILED, evidence: [{ ...FAILED.evidence[0]!, origin: `journal ${cursor}` }] });
  assert.ok(all.includes('  kubelet  ×12, 08:15:44Z  journalctl -n 1 --cursor=t=6345a1b2c3d4e'), all.join('\n'));
});

test('what the cause explains is a consequence, whether symptom or cause', () => {
  const [other] = FAILED.otherCauses;
  const all = lines({ ...FAILED, otherCauses: [{ ...other!, explainedBy: 'swap-enabled' }] });
  assert.ok(!all.includes('Other possible causes') && !all.includes('Symptoms'));
  const at = all.indexOf('Follows from it');
  assert.deepEqual(all.slice(at + 1, at + 3), [
    '  The disk is full (disk-full), ×2, last 08:15:41Z',
    '  The runtime does not answer (cri-unavailable), last time unknown',
  ]);
});

test('a Ready node says how long it took, and nothing is stalled', () => {
  const timeline = [
    {
      phase: 'user-data',
      title: 'User data',
      state: 'stalled' as const,
      startedAt: '2025-05-06T08:15:40.000Z',
      seconds: null,
    },
    { phase: 'ready', title: 'Ready', state: 'finished' as const, startedAt: '2025-05-06T08:16:00.000Z', seconds: 14 },
  ];
  const all = lines({ ...FAILED, status: 'ready', cause: null, timeline });
  assert.equal(all[0], 'READY: Ready 44 s after boot');
  assert.ok(
    all.includes('  open     User data  from 08:15:40Z, its end was not seen') && !all.join('\n').includes('stalled'),
  );
});

test('a boot that goes on after a step failed says so', () => {
  const timeline = [{ ...FAILED.timeline[1]! }, { ...FAILED.timeline[0]!, phase: 'later', title: 'later' }];
  assert.ok(
    lines({ ...FAILED, timeline }).some(
      (line) => line.startsWith('  failed   kubelet') && line.endsWith('; the boot went on'),
    ),
  );
});

test('a cause that is only possible says so, and the check comes first', () => {
  const all = lines({ ...FAILED, cause: { ...FAILED.cause!, possible: true } });
  assert.match(all[0]!, /^FAILED, possibly: Swap is switched on/);
  assert.ok(all.indexOf('Check') < all.indexOf('Fix'));
});

test('without root the first line says that rights are missing', () => {
  const [first, second] = lines({ ...UNKNOWN, notChecked: [{ what: 'this machine', code: 'not-root', detail: '' }] });
  assert.match(first!, /^Not run as root/);
  assert.match(second!, /^UNKNOWN: /);
});

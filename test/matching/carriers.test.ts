import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG_FORMATS, unwrapInner, unwrapOuter } from '../../src/matching/formats/index.ts';
import { type LineState, newLineState } from '../../src/matching/line-state.ts';
import { CLOCK } from './tiny-pack.ts';

function unwrapped(text: string): LineState {
  const line = newLineState(text);
  unwrapOuter(line, CLOCK);
  unwrapInner(line, CLOCK);
  return line;
}

/** What a line must say once its carriers are off; times as ISO text. */
type Wanted = Partial<Omit<LineState, 'wallMs'>> & { readonly wall?: string | null };

function says(line: LineState, wanted: Wanted): void {
  const seen = { ...line, wall: line.wallMs === null ? null : new Date(line.wallMs).toISOString() };
  const picked = Object.fromEntries(Object.keys(wanted).map((key) => [key, seen[key as keyof typeof seen]]));
  assert.deepEqual(picked, wanted);
}

const KLOG =
  'E0606 19:33:03.828406    3214 kubelet_node_status.go:96] "Unable to register node" err="Unauthorized" node="ip-10-0-0-1"';
const UNABLE = 'Unable to register node err=Unauthorized node=ip-10-0-0-1';

const LINES: readonly (readonly [what: string, line: string, wanted: Wanted])[] = [
  [
    'journalctl short with klog',
    `Jun 06 19:33:03 ip-10-0-0-1 kubelet[3214]: ${KLOG}`,
    {
      text: UNABLE,
      identifier: 'kubelet',
      pid: '3214',
      level: 'error',
      component: 'kubelet_node_status.go',
      wall: '2025-06-06T19:33:03.000Z',
    },
  ],
  [
    'syslog of one-digit days',
    'Jun  6 19:33:03 host kubelet[1]: text',
    { text: 'text', wall: '2025-06-06T19:33:03.000Z' },
  ],
  [
    'cloud-init without host',
    'Jun 06 19:33:03 cloud-init[1829]: text',
    { text: 'text', identifier: 'cloud-init', pid: '1829' },
  ],
  [
    'journalctl short-iso',
    '2024-02-14T10:44:19+0100 host systemd[1]: text',
    { text: 'text', identifier: 'systemd', wall: '2024-02-14T09:44:19.000Z' },
  ],
  [
    'journalctl short-iso-precise',
    '2024-02-14T10:44:19.123456+0000 host systemd[1]: text',
    { wall: '2024-02-14T10:44:19.123Z', text: 'text' },
  ],
  [
    'journalctl short-full',
    'Wed 2024-02-14 10:44:19 UTC host systemd[1]: text',
    { wall: '2024-02-14T10:44:19.000Z', text: 'text', identifier: 'systemd' },
  ],
  [
    'journalctl short-unix',
    '1707907459.123456 host systemd[1]: text',
    { wall: '2024-02-14T10:44:19.123Z', text: 'text' },
  ],
  [
    'journalctl short-monotonic',
    '[   12.345678] host systemd[1]: text',
    { monotonicMs: 12345.678, text: 'text', identifier: 'systemd', wall: null },
  ],
  ['rsyslog escapes', 'Jun  6 19:33:03 host app[1]: one#012#011two', { text: 'one\n\ttwo' }],
  [
    'kernel ring buffer',
    '[    0.000000] Linux version 6.1',
    { text: 'Linux version 6.1', stream: 'kernel', monotonicMs: 0 },
  ],
  ['kernel ring buffer with a caller', '[    1.234567][   T42] usb 1-1', { text: 'usb 1-1', stream: 'kernel' }],
  [
    'kernel in syslog',
    'Jun  6 19:33:03 host kernel: [    1.500000] usb 1-1',
    { text: 'usb 1-1', identifier: 'kernel', pid: null, monotonicMs: 1500 },
  ],
  [
    'EC2 console',
    '\x1b[0m[   12.345678] cloud-init[1829]: text\x1b[0m\r',
    { text: 'text', identifier: 'cloud-init', pid: '1829', stream: null, monotonicMs: 12345.678 },
  ],
  [
    'systemd status on the console',
    '[\x1b[0;1;31mFAILED\x1b[0m] Failed to start a thing.',
    { text: 'Failed to start a thing.', stream: 'systemd', level: 'error' },
  ],
  [
    'systemd beginning on the console',
    '         Starting a thing...',
    { text: 'Starting a thing...', stream: 'systemd' },
  ],
  [
    'CRI',
    '2025-01-09T12:57:28.766132542Z stderr F {"level":"error","ts":"2025-01-09T12:57:28.700Z","caller":"a/b.go:7","msg":"no"}',
    {
      text: 'no',
      level: 'error',
      component: 'a/b.go',
      wall: '2025-01-09T12:57:28.700Z',
    },
  ],
  [
    'logfmt',
    String.raw`time="2024-06-11T16:22:39.9Z" level=error msg="failed \"x\"" error="open /a: no" id=7`,
    {
      text: 'failed "x" error=open /a: no id=7',
      level: 'error',
      wall: '2024-06-11T16:22:39.900Z',
    },
  ],
  [
    'logfmt cut off in the middle',
    'time="2024-06-11T16:22:39.9Z" level=error msg="failed to pu',
    { text: 'failed to pu' },
  ],
  [
    'klog that is not structured',
    'W0606 19:33:03.828406       1 proxier.go:12] Failed = maybe "so"',
    { text: 'Failed = maybe "so"', level: 'warn', component: 'proxier.go' },
  ],
  [
    'klog with quotes in quotes',
    String.raw`E0606 19:33:03.828406    1 a.go:1] "Pull" err="rpc: desc = \"a\" and \\\"b\\\""`,
    { text: 'Pull err=rpc: desc = "a" and "b"' },
  ],
  [
    'JSON with nested fields',
    '{"level":"info","ts":1762435803.5,"caller":"init/init.go:89","msg":"Loaded","config":{"name":"x","n":1}}',
    {
      text: 'Loaded config={name:x,n:1}',
      wall: '2025-11-06T13:30:03.500Z',
      component: 'init/init.go',
    },
  ],
  [
    'JSON of klog',
    '{"ts":1717702383828.4,"caller":"a/b.go:1","msg":"no","v":0,"err":"why"}',
    { text: 'no err=why', wall: '2024-06-06T19:33:03.828Z' },
  ],
  [
    'JSON cut off in the middle',
    '{"level":"error","ts":1762435803.5,"caller":"cli/main.go:37","msg":"Command failed","error":"read imds',
    {
      text: 'Command failed error=read imds',
      level: 'error',
      component: 'cli/main.go',
    },
  ],
  [
    'zap console',
    'info init/init.go:171 Fetching {"source": ["imds"], "n": 2}',
    { text: 'Fetching source=[imds] n=2', level: 'info', component: 'init/init.go' },
  ],
  [
    'zap console with tabs',
    'fatal\tcli/main.go:37\tCommand failed\t{"error": "no"}',
    { text: 'Command failed error=no', level: 'fatal' },
  ],
  [
    'bootstrap.sh',
    '2024-03-20T15:00:46+0000 [eks-bootstrap] ERROR: no',
    { text: 'no', stream: 'bootstrap', level: 'error', wall: '2024-03-20T15:00:46.000Z' },
  ],
  [
    'bootstrap.sh under cloud-init',
    'Mar 20 15:00:46 cloud-init[7]: [eks-bootstrap] INFO: complete!',
    { text: 'complete!', stream: 'bootstrap' },
  ],
  [
    'cloud-init.log',
    '2024-09-12 12:57:56,263 - util.py[WARNING]: Failed',
    { text: 'Failed', level: 'warn', component: 'util.py', wall: '2024-09-12T12:57:56.263Z' },
  ],
  ['cloud-init on the console', 'util.py[WARNING]: Failed', { text: 'Failed', level: 'warn', component: 'util.py' }],
  ['Bottlerocket', '10:00:05 [ERROR] no settings', { text: 'no settings', level: 'error' }],
  [
    'seelog',
    '2019-12-31T02:50:53.787Z [INFO] \tStarting',
    { text: 'Starting', level: 'info', wall: '2019-12-31T02:50:53.787Z' },
  ],
  [
    'SDK in nodeadm',
    'SDK 2024/09/12 12:57:56 WARN retrying',
    { text: 'retrying', level: 'warn', wall: '2024-09-12T12:57:56.000Z' },
  ],
  ['helpers of bootstrap.sh', '[imds] ERROR: no answer', { text: '[imds] ERROR: no answer', level: 'error' }],
  ['no carrier at all', 'Failed: key=value', { text: 'Failed: key=value', identifier: null, level: null, wall: null }],
  ['a line of nothing', '', { text: '' }],
];

for (const [what, line, wanted] of LINES) test(`reads ${what}`, () => says(unwrapped(line), wanted));

test('an indented block after klog becomes the value', () => {
  const line = unwrapped(
    'E0606 19:33:03.828406    1 run.go:74] "command failed" err=<\n\tfirst\n\tsecond\n > node="a"',
  );
  assert.equal(line.text, 'command failed err=first\nsecond node=a');
});

test('a journal entry as JSON gives everything that it knows', () => {
  const entry = {
    __CURSOR: 's=1',
    __REALTIME_TIMESTAMP: '1749658964766132',
    __MONOTONIC_TIMESTAMP: '21413430',
    _BOOT_ID: 'b'.repeat(32),
    PRIORITY: '3',
    SYSLOG_IDENTIFIER: 'kubelet',
    _PID: '3214',
    _SYSTEMD_UNIT: 'kubelet.service',
    _EXE: '/usr/bin/kubelet',
    MESSAGE: KLOG,
  };
  says(unwrapped(JSON.stringify(entry)), {
    text: UNABLE,
    cursor: 's=1',
    wall: '2025-06-11T16:22:44.766Z',
    monotonicMs: 21413.43,
    bootId: 'b'.repeat(32),
    level: 'error',
    identifier: 'kubelet',
    pid: '3214',
    trustedUnit: 'kubelet.service',
    trustedExecutable: '/usr/bin/kubelet',
  });
  says(unwrapped(JSON.stringify({ ...entry, MESSAGE: [...Buffer.from(KLOG)] })), { text: UNABLE });
  says(unwrapped(JSON.stringify({ ...entry, MESSAGE: ['first value', 'second value'] })), { text: 'first value' });
  says(unwrapped(JSON.stringify({ ...entry, MESSAGE: null })), { text: '' });
});

test('a journal entry in export form gives the same, with text or binary fields', () => {
  const head = `__CURSOR=s=1\n__REALTIME_TIMESTAMP=1749658964766132\n_PID=3214\nSYSLOG_IDENTIFIER=kubelet\n`;
  const wanted = { text: UNABLE, cursor: 's=1', pid: '3214', identifier: 'kubelet', wall: '2025-06-11T16:22:44.766Z' };
  says(unwrapped(`${head}MESSAGE=${KLOG}\n_BOOT_ID=b`), { ...wanted, bootId: 'b' });
  const length = Buffer.alloc(8);
  length.writeUInt32LE(KLOG.length);
  says(unwrapped(`${head}MESSAGE\n${length.toString('latin1')}${KLOG}\n_BOOT_ID=b`), { ...wanted, bootId: 'b' });
});

test('the length of a binary field may lie without doing harm', () => {
  const lies = Buffer.alloc(8, 0xff).toString('latin1');
  says(unwrapped(`__CURSOR=s=1\nMESSAGE\n${lies}rest of the bytes`), { text: 'rest of the bytes' });
  says(unwrapped('__CURSOR=s=1\nMESSAGE\nabc'), { text: '' });
});

test('no carrier changes a line that is not of its form', () => {
  const texts = [
    '',
    ' ',
    '{',
    '{"',
    '{"a"',
    '[',
    '[ ',
    'time=',
    'time="',
    'E0606',
    '__CURSOR',
    '2025',
    '\x1b[',
    'a[1]',
    '<6>',
    'Jun 06',
    '"',
    '\\',
    '-- Boot x --',
  ];
  for (const carrier of LOG_FORMATS)
    for (const text of texts) {
      const line = newLineState(text);
      if (!carrier.unwrap(line, CLOCK)) assert.deepEqual(line, newLineState(text), `${carrier.name} changes ${text}`);
    }
});

test('a message is cut at 16 KiB', () => {
  assert.equal(unwrapped('x'.repeat(100_000)).text.length, 16 * 1024);
});

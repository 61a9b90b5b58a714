import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher } from '../../../src/matching/matcher.ts';
import { JournalFramer } from '../../../src/sources/journal/journal-framer.ts';
import { entries, entry } from '../export-entries.ts';
import { PACK } from '../support.ts';

interface Read {
  readonly bytes: Buffer;
  readonly count: number;
  readonly cutFields: number;
  readonly isLost: boolean;
}

function frame(bytes: Buffer, pieceBytes = bytes.length): Read {
  const framer = new JournalFramer();
  const given: Buffer[] = [];
  let count = 0;
  let cutFields = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const framed = framer.push(bytes.subarray(at, at + pieceBytes));
    for (const start of framed.starts) assert.ok(framed.bytes.toString('latin1', start, start + 9) === '__CURSOR=');
    given.push(Buffer.from(framed.bytes));
    count += framed.starts.length;
    cutFields += framed.cutFields;
  }
  return { bytes: Buffer.concat(given), count, cutFields, isLost: framer.isLost };
}

const FORGED = entry(
  { number: 99 },
  { _SYSTEMD_UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'kubelet', MESSAGE: 'forged' },
).toString('latin1');
const MIXED = Buffer.concat([
  entries(1, 3),
  entry({ number: 4 }, { MESSAGE: 'two\nlines', _PID: '7' }),
  entry({ number: 5 }, { MESSAGE: Buffer.from([0, 10, 10, 255]), SYSLOG_IDENTIFIER: 'x\ny' }),
  entry({ number: 6 }, { MESSAGE: 'ten bytes\n', OTHER: Buffer.alloc(0x0a0a, 'a\n') }),
  entries(7, 9),
]);

for (const pieceBytes of [1, 7, 64, 1000, MIXED.length])
  test(`whole entries only, unchanged, in pieces of ${pieceBytes} bytes`, () => {
    const { bytes, count, cutFields } = frame(
      Buffer.concat([MIXED, entry({ number: 10 }).subarray(0, -1)]),
      pieceBytes,
    );
    assert.deepEqual([count, cutFields], [9, 0]);
    assert.ok(bytes.equals(MIXED));
  });

for (const pieceBytes of [1, 100, 65_536])
  test(`a message cannot pass for an entry, in pieces of ${pieceBytes} bytes`, () => {
    const attack = entry(
      { number: 2 },
      { SYSLOG_IDENTIFIER: 'evil', MESSAGE: `x\n\n${FORGED}y`, _SYSTEMD_UNIT: 'evil.service' },
    );
    const { bytes, count } = frame(Buffer.concat([entries(1, 1), attack, entries(3, 3)]), pieceBytes);
    assert.equal(count, 3);
    assert.equal(bytes.length, attack.length + entries(1, 1).length + entries(3, 3).length);
    assert.equal(bytes.toString('latin1').match(/^__CURSOR=/gm)?.length, 3);
  });

const SWAP = 'running with swap on is not supported, please disable swap! or set --fail-swap-on';

test('the matcher gives an imitated entry to its writer, not to the unit that it names', () => {
  const forged = entry(
    { number: 9 },
    {
      _SYSTEMD_UNIT: 'kubelet.service',
      _EXE: '/usr/bin/kubelet',
      SYSLOG_IDENTIFIER: 'kubelet',
      MESSAGE: `E1120 ${SWAP}`,
    },
  );
  const attack = entry(
    { number: 1 },
    { MESSAGE: `x\n\n${forged.toString('latin1')}`, SYSLOG_IDENTIFIER: 'evil', _SYSTEMD_UNIT: 'evil.service' },
  );
  const matchesOf = (bytes: Buffer): readonly string[] => {
    const matcher = createMatcher(PACK, { referenceMs: 1_700_000_000_000 });
    const reader = matcher.open({ name: 'journal', stream: null, exported: true });
    reader.push(bytes);
    matcher.close(reader);
    return [...matcher.result().matches.values()].flatMap((match) => match.streams);
  };
  assert.ok(matchesOf(attack).includes('kubelet'), 'the attack works on bytes that were not framed');
  assert.ok(!matchesOf(frame(attack).bytes).includes('kubelet'));
  assert.ok(matchesOf(frame(forged).bytes).includes('kubelet'), 'the real entry counts');
});

test('a long entry stays below the reach of the matcher, and keeps what journald set', () => {
  const attack = entry(
    { number: 1 },
    {
      SYSLOG_IDENTIFIER: 'i'.repeat(50_000),
      MESSAGE: Buffer.alloc(1_000_000, 'm\n'),
      OTHER: 'gone',
      _SYSTEMD_UNIT: 'evil.service',
      _EXE: 'e'.repeat(9_000),
    },
  );
  for (const pieceBytes of [100, 65_536, attack.length]) {
    const { bytes, count, cutFields } = frame(Buffer.concat([attack, entries(2, 2)]), pieceBytes);
    const text = bytes.toString('latin1');
    assert.deepEqual([count, cutFields], [2, 4]);
    assert.ok(text.indexOf('\n\n__CURSOR=') < 61 * 1024);
    assert.match(text, /\n_SYSTEMD_UNIT=evil\.service\n_EXE=e{4000,4096}\n\n__CURSOR=[^\n]+;i=2;/);
  }
});

test('a cut binary value states its new length', () => {
  const { bytes } = frame(entry({ number: 1 }, { MESSAGE: Buffer.alloc(1_000_000, 'm\n'), _PID: '1' }));
  const at = bytes.indexOf('MESSAGE\n') + 'MESSAGE\n'.length;
  const length = Number(bytes.readBigUInt64LE(at));
  assert.ok(length > 43 * 1024);
  assert.equal(bytes.toString('latin1', at + 8 + length), '\n_PID=1\n\n');
});

test('memory does not grow with a value that does not end', () => {
  const framer = new JournalFramer();
  const piece = Buffer.alloc(65_536, 'x');
  framer.push(entry({ number: 1 }).subarray(0, -1));
  framer.push(Buffer.from('MESSAGE=')).bytes.fill(0);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 1_000; i++) assert.equal(framer.push(piece).bytes.length, 0);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024);
});

test('a second cursor inside an entry is left out', () => {
  const { bytes, count } = frame(
    Buffer.concat([entry({ number: 1 }, { __CURSOR: 'forged', MESSAGE: 'a\nb' }), entries(2, 2)]),
  );
  assert.equal(count, 2);
  assert.ok(!bytes.includes('forged'));
});

for (const pieceBytes of [10, 65_536])
  test(`a length that leads nowhere ends it, what came before is given, in pieces of ${pieceBytes} bytes`, () => {
    const damage = entry({ number: 2 }, { MESSAGE: 'a\nb' }).subarray(0, -3);
    const { bytes, isLost } = frame(Buffer.concat([entries(1, 1), damage, entries(3, 9)]), pieceBytes);
    assert.ok(isLost && bytes.equals(entries(1, 1)));
  });

for (const [title, bytes] of [
  ['a sentence', Buffer.from('-- No entries --\n\n')],
  [
    'a value longer than any',
    Buffer.concat([
      entries(1, 1).subarray(0, -1),
      Buffer.from('MESSAGE\n'),
      Buffer.alloc(8, 0xff),
      Buffer.from('\n\n'),
    ]),
  ],
  ['a name without end', Buffer.concat([entries(1, 1).subarray(0, -1), Buffer.alloc(100, 'N'), Buffer.from('\n\n')])],
] as const)
  test(`${title} is no entry`, () => assert.deepEqual([frame(bytes).count, frame(bytes).isLost], [0, true]));

// The lines beside a match: whole ones, at most three on each side, in every form, at every place of the input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher } from '../../src/matching/matcher.ts';
import type { EvidenceContext } from '../../src/types.ts';
import { CLOCK, packOf, pattern, read } from './tiny-pack.ts';

const PACK = packOf(pattern('boom', 'went boom'));

function beside(text: string, more: { readonly exported?: boolean; readonly pieces?: () => number } = {}): unknown {
  return read(PACK, { text, stream: 'kubelet', ...more })
    .matches.get('boom')!
    .first.around?.lines();
}

function around(before: readonly string[], after: readonly string[]): EvidenceContext {
  return { before, after };
}

test('three lines on each side, empty ones left out, also at both ends of the input', () => {
  assert.deepEqual(
    beside('one\ntwo\n\nthree\nfour\nwent boom\r\n5\r\n \n6\n7\n8\n'),
    around(['two', 'three', 'four'], ['5', '6', '7']),
  );
  assert.deepEqual(beside('one\nwent boom\nlast, without its end'), around(['one'], ['last, without its end']));
  assert.deepEqual(beside('went boom'), around([], []));
});

test('a line that is not whole is left out: it could hold a secret without its name', () => {
  const long = `password=${'s3'.repeat(1_000)}`;
  assert.deepEqual(beside(`${long}\nnear\nwent boom\nnext\n${long}\n`), around(['near'], ['next']));
  assert.deepEqual(beside(`${'x'.repeat(60)}\n${long}\nwent boom\n${long}`), around([], []));
});

test('far into a long input, in pieces of any size, it is the same', () => {
  const text = `${'a line of no interest\n'.repeat(300_000)}é before\nwent boom\nbehind ü\n${'another\n'.repeat(9_000)}`;
  const expected = around(
    ['a line of no interest', 'a line of no interest', 'é before'],
    ['behind ü', 'another', 'another'],
  );
  for (const pieces of [undefined, (): number => 65_000, (): number => 4_000_001])
    assert.deepEqual(beside(text, pieces === undefined ? {} : { pieces }), expected);
});

test('of a journal in JSON or export form each line says whose it is; a message of several lines is several', () => {
  const entry = (who: string, message: string): Record<string, string> => ({
    __CURSOR: 's=1',
    __REALTIME_TIMESTAMP: '1749658964766132',
    SYSLOG_IDENTIFIER: who,
    _PID: '7',
    MESSAGE: message,
  });
  const entries = [
    entry('sshd', 'hello é'),
    entry('kubelet', 'went boom'),
    entry('systemd', 'Stopped it.'),
    entry('x', 'y'),
  ];
  const expected = around(['sshd[7]: hello é'], ['systemd[7]: Stopped it.', 'x[7]: y']);
  const json = entries.map((one) => `${JSON.stringify(one)}\n`).join('');
  assert.deepEqual(beside(json), expected);
  const fields = (one: Record<string, string>): string =>
    Object.entries(one)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  assert.deepEqual(beside(entries.map((one) => `${fields(one)}\n`).join(''), { exported: true }), expected);
  const torn = [entry('a', 'one\ntwo'), entry('kubelet', 'went boom')]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
  assert.deepEqual(beside(torn), around(['a[7]: one', 'two'], []));
});

test('what this tool said is left out', () => {
  const own = 'Jun  1 10:00:00 host eks-bootstrap-analyzer[5]: eks-bootstrap-analyzer: FAILED: no idea';
  assert.deepEqual(beside(`near\n${own}\nwent boom\n${own}\nnext\n`), around(['near'], ['next']));
});

test('in a followed input what comes behind the match is there once it has come', () => {
  const matcher = createMatcher(PACK, CLOCK);
  const reader = matcher.openLive({ name: 'log', stream: 'kubelet', exported: false });
  const lines = (): unknown => matcher.result().matches.get('boom')!.first.around?.lines();
  reader.push(Buffer.from('one\nwent boom\n'));
  reader.settle(true);
  assert.deepEqual(lines(), around(['one'], []));
  reader.push(Buffer.from('two\nthr'));
  assert.deepEqual(lines(), around(['one'], ['two']));
  reader.push(Buffer.from('ee\n'));
  assert.deepEqual(lines(), around(['one'], ['two', 'three']));
  for (let i = 0; i < 50; i++) reader.push(Buffer.from('0123456789abcdef\n'.repeat(4_000)));
  assert.deepEqual(lines(), around(['one'], ['two', 'three', '0123456789abcdef']));
});

test('the last errors of an input have it too', () => {
  const line = (level: string, text: string): string => `${level}0601 10:00:00.000000    7 a.go:1] ${text}\n`;
  const text = line('I', 'a') + line('E', 'b') + line('I', 'c');
  const [error] = read(PACK, { text, stream: 'kubelet' }).sources[0]!.lastErrors;
  assert.deepEqual(error!.around?.lines(), around([line('I', 'a').trim()], [line('I', 'c').trim()]));
});

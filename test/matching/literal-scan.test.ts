import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiteralScan, type Literal } from '../../src/matching/literal-scan.ts';
import { createRandom, type Random } from './random.ts';

type Hit = readonly [literal: number, at: number];

function scanned(literals: readonly Literal[], text: string, from: number = 0, to: number = text.length): Hit[] {
  const bytes = Buffer.from(text, 'latin1');
  const hits: Hit[] = [];
  createLiteralScan(literals).scan(
    new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    from,
    to,
    (literal, at) => hits.push([literal, at]),
  );
  return hits;
}

function searched(literals: readonly Literal[], text: string, from: number = 0, to: number = text.length): Hit[] {
  return literals.flatMap(({ text: literal, ignoreCase }, index) => {
    const fold = (s: string): string => (ignoreCase ? s.replace(/[A-Z]/g, (c) => c.toLowerCase()) : s);
    const hits: Hit[] = [];
    for (let at = fold(text).indexOf(fold(literal)); at >= 0; at = fold(text).indexOf(fold(literal), at + 1))
      if (at >= from && at < to) hits.push([index, at]);
    return hits;
  });
}

function inOrder(hits: readonly Hit[]): string[] {
  return hits.map(([literal, at]) => `${at}:${literal}`).sort();
}

function exact(...texts: readonly string[]): Literal[] {
  return texts.map((text) => ({ text, ignoreCase: false }));
}

test('finds nothing without literals, in no bytes, in fewer bytes than a piece', () => {
  assert.deepEqual(scanned([], 'anything'), []);
  assert.deepEqual(scanned(exact('some'), ''), []);
  assert.deepEqual(scanned(exact('some'), 'som'), []);
  assert.deepEqual(scanned(exact('some'), 'some'), [[0, 0]]);
});

test('finds a literal at every place of a text, at its first and last byte too', () => {
  const literals = exact('needle in hay', 'short');
  for (let before = 0; before < 40; before++)
    for (const [index, { text }] of literals.entries()) {
      assert.deepEqual(scanned(literals, '.'.repeat(before) + text), [[index, before]]);
      assert.deepEqual(scanned(literals, '.'.repeat(before) + text + '.'.repeat(before)), [[index, before]]);
    }
});

test('finds literals that overlap, hold each other and repeat', () => {
  const literals = exact('aaaa', 'aaaaaaaa', 'aaab', 'baaa');
  const text = 'aaaaaaaaaabaaaabaaa';
  assert.deepEqual(inOrder(scanned(literals, text)), inOrder(searched(literals, text)));
});

test('ignores case where asked, and only of letters', () => {
  const literals = [...exact('Failed Now'), { text: 'Failed Now', ignoreCase: true }];
  assert.deepEqual(inOrder(scanned(literals, 'failed now FAILED NOW Failed Now')), ['0:1', '11:1', '22:0', '22:1']);
  assert.deepEqual(scanned([{ text: 'a@b[c]', ignoreCase: true }], 'a`b{c}'), []);
});

test('a literal belongs to the part in which it begins', () => {
  const literals = exact('0123456789abc');
  const text = `..0123456789abc..0123456789abc..`;
  assert.deepEqual(scanned(literals, text, 0, 3), [[0, 2]]);
  assert.deepEqual(scanned(literals, text, 3, text.length), [[0, 17]]);
  assert.deepEqual(scanned(literals, text, 2, 3), [[0, 2]]);
  assert.deepEqual(scanned(literals, text, 3, 17), []);
});

test('reports places in the order of their lines', () => {
  const literals = exact('a long literal with its rare bytes at the end: ZQXJ', 'ZQXJ first', 'plain words');
  const line = 'plain words ZQXJ first a long literal with its rare bytes at the end: ZQXJ\n';
  const lines = scanned(literals, line.repeat(50)).map(([, at]) => Math.floor(at / line.length));
  assert.deepEqual(
    lines,
    lines.toSorted((a, b) => a - b),
  );
  assert.equal(lines.length, 150);
});

const ALPHABETS = ['ab', 'abcABC', 'etaoin shrdlu.:=/0123456789', 'aA@`[{zZ\x00\xff'];

function randomText(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.int(alphabet.length))).join('');
}

test('agrees with a plain search on random literals, texts and parts', () => {
  for (let seed = 0; seed < 400; seed++) {
    const random = createRandom(seed);
    const alphabet = random.pick(ALPHABETS);
    const shortest = 4 + random.int(12);
    const literals = Array.from({ length: 1 + random.int(20) }, () => ({
      text: randomText(random, alphabet, shortest + random.int(20)),
      ignoreCase: random.int(3) === 0,
    }));
    const planted = Array.from(
      { length: random.int(20) },
      () => randomText(random, alphabet, random.int(9)) + random.pick(literals).text,
    );
    const text = planted.join('') + randomText(random, alphabet, random.int(60));
    const from = random.int(text.length + 1);
    const to = from + random.int(text.length - from + 1);
    assert.deepEqual(inOrder(scanned(literals, text)), inOrder(searched(literals, text)), `seed ${seed}`);
    assert.deepEqual(
      inOrder(scanned(literals, text, from, to)),
      inOrder(searched(literals, text, from, to)),
      `seed ${seed}, ${from} to ${to}`,
    );
  }
});

test('parts that follow each other report every place exactly once', () => {
  const random = createRandom(7);
  const literals = exact('ababab', 'bbbbab', 'aabbaabbaabb');
  const text = randomText(random, 'ab', 3000);
  const hits: Hit[] = [];
  for (let from = 0; from < text.length;) {
    const to = Math.min(text.length, from + 1 + random.int(50));
    hits.push(...scanned(literals, text, from, to));
    from = to;
  }
  assert.deepEqual(inOrder(hits), inOrder(searched(literals, text)));
});

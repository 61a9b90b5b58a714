import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveLiterals, literalFault } from '../../src/signatures/literals.ts';
import { parseRegex } from '../../src/signatures/regex-syntax.ts';

function derive(regex: string): string[] | null {
  return deriveLiterals(parseRegex(regex));
}

test('takes the longest text that every match holds', () => {
  assert.deepEqual(derive('^swap is on: (?<x>\\S+) must now be off$'), [' must now be off']);
  assert.deepEqual(derive('failed to start(?: now)? soon'), ['failed to start']);
  assert.deepEqual(derive('a(?:bcdefgh)+i'), ['bcdefgh']);
});

test('takes one text of each alternative, and none if one alternative has none', () => {
  assert.deepEqual(derive('first text|second text'), ['first text', 'second text']);
  assert.deepEqual(derive('(?:first text|second text) and'), ['first text', 'second text']);
  assert.equal(derive('first text|\\d+'), null);
  assert.equal(derive('\\d+|ab'), null);
});

test('an optional part is never required', () => {
  assert.equal(derive('(?:optional text)?'), null);
  assert.equal(derive('(?:optional text)*abc'), null);
  assert.equal(derive('(?:optional text){0,3}'), null);
});

test('no literal crosses what a carrier may change', () => {
  assert.deepEqual(derive("open 'some long path' now"), ['some long path']);
  assert.deepEqual(derive('a message err=the reason'), ['the reason']);
  assert.deepEqual(derive('pods <none> scheduled'), [' scheduled']);
  assert.deepEqual(derive('first line\\n\\tsecond line'), ['second line']);
  assert.deepEqual(derive('‘quoted’ is missing'), [' is missing']);
});

test('long texts are cut, so that the table of literals stays small', () => {
  assert.ok(derive('x'.repeat(500))!.every((literal) => literal.length === 48));
});

test('says why a literal cannot be searched in raw bytes', () => {
  assert.equal(literalFault('plain text.'), null);
  assert.match(literalFault('say "hi"')!, /quote/);
  assert.match(literalFault('back\\slash')!, /backslash/);
  assert.match(literalFault('über alles')!, /non-ASCII/);
  assert.match(literalFault('a\tb here')!, /control/);
  assert.match(literalFault('a <none> b')!, /JSON writers/);
  assert.match(literalFault('abc')!, /shorter than 4/);
});

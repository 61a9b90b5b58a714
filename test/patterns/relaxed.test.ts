import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relaxed } from './relaxed.ts';

test('only wide bounded repeats become unbounded', () => {
  assert.equal(relaxed('^a{1,800}b'), '^a+b');
  assert.equal(relaxed('a{0,99}?b{2,5}c{32}d*e+f?'), 'a*?b{2,5}c{32}d*e+f?');
  assert.equal(relaxed('(?:x[^"]{1,200}y|(?<z>w{3,60})){0,20}end'), '(?:x[^"]+y|(?<z>w+))*end');
  assert.equal(relaxed('a\\{1,800}'), 'a\\{1,800}');
});

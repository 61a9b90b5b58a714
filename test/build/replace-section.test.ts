import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceSection } from '../../build/replace-section.ts';

test('only the text between the markers changes', () => {
  const text = 'a\n<!-- options:start -->\nold\n<!-- options:end -->\nb\n';
  assert.equal(
    replaceSection(text, 'options', 'new $& text\n'),
    'a\n<!-- options:start -->\n\nnew $& text\n\n<!-- options:end -->\nb\n',
  );
});

test('missing, doubled or swapped markers are refused', () => {
  const start = '<!-- options:start -->';
  const end = '<!-- options:end -->';
  for (const text of [
    '',
    start,
    end,
    `${end}${start}`,
    `${start}${end}${end}`,
    `${start}${start}${end}`,
    `${start}${end}${start}${end}`,
  ]) {
    assert.throws(() => replaceSection(text, 'options', 'new'), /needs one/);
  }
});

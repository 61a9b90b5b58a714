import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCE_CODES } from '../../src/sources/codes.ts';

test('every code is worded as one sentence', () => {
  for (const [code, sentence] of Object.entries(SOURCE_CODES)) {
    assert.match(code, /^[a-z]+(?:-[a-z]+)*$/);
    assert.match(sentence, /^(?:[A-Z]|journalctl )[^.!?\n]*(?:`[^`]*`[^.!?\n]*)*\.$/, code);
  }
});

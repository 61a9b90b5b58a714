// What the program says and matches is the same once it is written in ASCII.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { onlyAscii } from '../../build/only-ascii.ts';

test('strings, templates, expressions and pairs of surrogates mean the same', () => {
  const code = '["é│", `›${1}`, "→😀".replace(/[😀]/gu, "x"), /^[│┃]$/.test("┃"), "plain"]';
  const ascii = onlyAscii(code);
  assert.match(ascii, /^[\0-\x7f]*$/);
  assert.equal(JSON.stringify(runInNewContext(ascii)), '["é│","›1","→x",true,"plain"]');
});

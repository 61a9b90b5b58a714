import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { jsonExpression } from '../../build/json-expression.ts';

test('the expression gives the value back, whatever its text holds', () => {
  const value = { regex: String.raw`^a\d+"'\n`, lines: 'é\u2028\u0000</script>`${x}`', list: [1, null, true] };
  assert.equal(JSON.stringify(runInNewContext(jsonExpression(value))), JSON.stringify(value));
});

test('a value that JSON would change is refused', () => {
  for (const value of [{ a: undefined }, { a: /x/ }, { a: new Map([[1, 2]]) }, { a: Number.NaN }]) {
    assert.throws(() => jsonExpression(value), /must be plain JSON data/);
  }
});

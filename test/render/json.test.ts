import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderJson } from '../../src/render/json.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted, UNKNOWN } from './verdicts.ts';

const schema = JSON.parse(readFileSync(new URL('../../docs/verdict.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);

function parsed(verdict: Verdict): Record<string, unknown> {
  return JSON.parse(renderJson(redacted(verdict), '')) as Record<string, unknown>;
}

test('verdicts follow the published schema', () => {
  for (const verdict of [FAILED, UNKNOWN, { ...FAILED, at: null, uptimeSeconds: null }]) {
    validate(parsed(verdict));
    assert.deepEqual(validate.errors, null);
  }
});

test('the schema refuses what is missing, unknown or of another form', () => {
  const { id: _, ...withoutId } = parsed(FAILED);
  for (const wrong of [
    withoutId,
    { ...parsed(FAILED), extra: 1 },
    { ...parsed(FAILED), status: 'broken' },
    { ...parsed(FAILED), at: 'yesterday' },
  ]) {
    assert.equal(validate(wrong), false);
  }
});

test('keys keep their order, whatever the order of the verdict was', () => {
  const shuffled = Object.fromEntries(Object.entries(FAILED).toReversed()) as unknown as Verdict;
  assert.deepEqual(Object.keys(parsed(shuffled)), Object.keys(FAILED).with(0, 'schemaVersion'));
});

test('two spaces of indentation and a newline at the end', () => {
  assert.ok(renderJson(redacted(FAILED), '').startsWith('{\n  "schemaVersion": 1,\n'));
  assert.ok(renderJson(redacted(FAILED), '').endsWith('}\n'));
});

test('a prefix stands before every line', () => {
  const lines = renderJson(redacted(FAILED), 'tool: ').trimEnd().split('\n');
  assert.ok(lines.every((line) => line.startsWith('tool: ')));
});

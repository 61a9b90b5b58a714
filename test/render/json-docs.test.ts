import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROOT } from '../../build/project.ts';
import { readBuiltInPack } from '../../src/signatures/built-in-pack.ts';
import { REPAIRS, type Verdict } from '../../src/types.ts';

const read = (file: string): string => readFileSync(join(ROOT, 'docs', file), 'utf8');
const schema = JSON.parse(read('verdict.schema.json')) as {
  readonly properties: Readonly<Record<string, unknown>>;
};
const page = read('json.md');

test('the example follows the schema, and its cause says what its file says', () => {
  const example = JSON.parse(read('verdict.example.json')) as Verdict;
  const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);
  validate(example);
  assert.deepEqual(validate.errors, null);
  assert.equal(example.cause?.repair, 'replace-useless');
});

test('the page shows every repair once, as the files of the pack have it', () => {
  const causes = new Map(readBuiltInPack().causes.map((cause) => [cause.id, cause]));
  const shown = [...page.matchAll(/```json\n(?<json>[^`]+)```/g)].map(
    ({ groups }) => JSON.parse(groups!['json']!) as Verdict,
  );
  for (const { cause, ...rest } of shown) {
    for (const key of Object.keys(rest)) assert.ok(key in schema.properties, key);
    if (cause !== null) assert.equal(cause.repair, causes.get(cause.id)?.repair, cause.id);
  }
  assert.deepEqual(new Set(shown.flatMap(({ cause }) => cause?.repair ?? [])), new Set(REPAIRS));
  for (const repair of REPAIRS) assert.ok(page.includes(`| \`${repair}\``), repair);
});

test('every cause says what an automation may do, and no symptom does', () => {
  const { causes } = readBuiltInPack();
  assert.deepEqual(
    causes.filter(({ kind, repair }) => (kind === 'cause') !== (repair !== null)).map(({ id }) => id),
    [],
  );
});

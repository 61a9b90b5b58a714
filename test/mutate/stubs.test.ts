// What `npm run mutate` says of a survivor can be pasted: rows of a short case, or a sample to be filled in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readPack } from '../patterns/verdict-of.ts';
import { mutantsOf } from './mutants.ts';

const TABLES = [
  'alone',
  'silentAlone',
  'fewer',
  'notAfter',
  'endsWith',
  'echoes',
  'proves',
  'confirms',
  'refutes',
  'over',
  'unheard',
  'stories',
  'samples',
];

test('every mutant comes with the row that would notice it', () => {
  for (const { where, what, stub, id, kind } of mutantsOf(readPack())) {
    const tables = Object.keys(parse(stub) as object);
    assert.ok(tables.length === 1 && TABLES.includes(tables[0]!), `${where} ${what}: ${stub}`);
    assert.ok(kind === 'not' || stub.includes(id), stub);
  }
});

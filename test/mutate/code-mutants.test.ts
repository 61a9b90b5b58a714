import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { MUTANTS } from './code-mutants.ts';

test('what `node test/mutate/code.ts` breaks still stands there, once', () => {
  for (const { file, from, test: proof } of MUTANTS) {
    assert.equal(readFileSync(join(ROOT, file), 'utf8').split(from).length, 2, `${file}: ${from}`);
    assert.ok(existsSync(join(ROOT, proof)), proof);
  }
});

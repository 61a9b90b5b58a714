// Every scenario on a node of its own, all at the same time: most of their time is waiting.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runScenario } from './run-scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

const AT_ONCE = 16;
const FOLDER = join(import.meta.dirname, 'scenarios');

describe('scenarios', { concurrency: AT_ONCE }, () => {
  for (const scenario of SCENARIOS) test(scenario.title, () => runScenario(scenario));
});

test('every file of the folder is played', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== 'index.ts');
  const index = readFileSync(join(FOLDER, 'index.ts'), 'utf8');
  assert.deepEqual(
    files.filter((file) => !index.includes(`'./${file}'`)),
    [],
  );
});

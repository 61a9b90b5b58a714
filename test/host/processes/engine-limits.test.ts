// V8 keeps its optimizing compilers away until there was much to read, and knows the switches that it is given.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const MODULE = join(import.meta.dirname, '../../../src/host/processes/engine-limits.ts');

for (const { bytes, isOptimized } of [
  { bytes: 0, isOptimized: false },
  { bytes: 64 * 1024 * 1024, isOptimized: true },
])
  test(`after ${bytes} bytes a hot function is ${isOptimized ? '' : 'not '}optimized`, () => {
    const program = `
      const { keepEngineSmall } = await import(${JSON.stringify(MODULE)});
      keepEngineSmall().reached(${bytes});
      function hot(a) { let sum = 0; for (let i = 0; i < 1000; i++) sum += a ^ i; return sum; }
      for (let i = 0, end = performance.now() + 300; performance.now() < end; i++) hot(i);`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--trace-opt', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.equal(/<JSFunction hot /.test(stdout), isOptimized);
  });

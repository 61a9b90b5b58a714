// `node test/mutate/code.ts` breaks the code in places where a fault once stayed unseen, one at a time, and runs the tests that
// must tell. What none of them tells is printed; then it exits 1. Each file is put back afterwards.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { MUTANTS } from './code-mutants.ts';

const TIME_LIMIT_MS = 60_000;

let survivors = 0;
for (const { file, from, to, test } of MUTANTS) {
  const path = join(ROOT, file);
  const before = readFileSync(path, 'utf8');
  try {
    writeFileSync(
      path,
      before.replace(from, () => to),
    );
    const { status } = spawnSync(process.execPath, ['--test', '--test-timeout=20000', join(ROOT, test)], {
      stdio: 'ignore',
      timeout: TIME_LIMIT_MS,
    });
    if (status !== 0) continue;
    survivors++;
    console.log(`${file}: ${from.trim()}`);
  } finally {
    writeFileSync(path, before);
  }
}
console.log(`${MUTANTS.length} mutants, ${survivors} survive`);
process.exitCode = survivors > 0 ? 1 : 0;

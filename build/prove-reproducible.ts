// Proves that a second build, made in another folder, gives the same bytes as the one in dist/.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fact, recordBar } from './bars.ts';
import { DIST, ROOT } from './project.ts';
import { run } from './run.ts';

/** All that a build reads. */
const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'build', 'patterns', 'test/scenarios'];

const copy = mkdtempSync(join(DIST, '.second-build-'));
try {
  for (const source of SOURCES)
    if (existsSync(join(ROOT, source))) cpSync(join(ROOT, source), join(copy, source), { recursive: true });
  await run('cp', ['-al', join(ROOT, 'node_modules'), copy], ROOT);
  await run(process.execPath, ['build/build.ts'], copy);
  const [first, second] = [ROOT, copy].map((root) => readFileSync(join(root, 'dist/SHA256SUMS'), 'utf8').split('\n'));
  const different = (first ?? [])
    .filter((line) => line !== '' && second?.includes(line) !== true)
    .map((line) => line.split('  ')[1]);
  recordBar(
    fact(
      'a second build elsewhere',
      'the same bytes',
      different.length === 0 ? 'the same bytes' : `other bytes in ${different.join(', ')}`,
    ),
  );
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true });
}

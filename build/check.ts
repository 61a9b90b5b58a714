// `npm run check`: everything that must hold before a commit, cheapest first, ending at the first failure.
// `-- --skip-tests` leaves the tests out for a caller that runs `npm test` itself.

import { spawnSync } from 'node:child_process';
import { ROOT, tool } from './project.ts';

const STEPS = [
  { title: 'types', command: [tool('tsc'), '--noEmit'] },
  { title: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { title: 'format', command: [tool('oxfmt'), '--check'] },
  { title: 'tests', command: ['npm', 'test', '--silent'] },
  { title: 'generated files', command: ['npm', 'run', '--silent', 'generate', '--', '--check'] },
] satisfies { title: string; command: [string, ...string[]] }[];

const skipTests = process.argv.includes('--skip-tests');

for (const { title, command } of STEPS) {
  if (skipTests && title === 'tests') {
    console.log(`\n── ${title}: left to the caller`);
    continue;
  }
  console.log(`\n── ${title}`);
  const startMs = performance.now();
  const [file, ...args] = command;
  const { status, error } = spawnSync(file, args, { cwd: ROOT, stdio: 'inherit' });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`── ${title}: failed after ${seconds} s${error === undefined ? '' : ` (${error.message})`}`);
    process.exitCode = 1;
    break;
  }
  console.log(`── ${title}: ok, ${seconds} s`);
}

// `npm start`: bundles the program and lets it judge a recorded node. A sick node is a good answer here, a crash is not.

import { spawnSync } from 'node:child_process';
import { makeBundle } from './make-bundle.ts';
import { BUNDLE, ROOT } from './project.ts';

const CAPTURE = 'test/scenarios/al2-ecr-login-hang/capture';
/** ready, failed, stalled or unknown, bootstrapping: the program has said what it saw. */
const VERDICT_EXIT_CODES = [0, 10, 11, 12];

await makeBundle();
const { status, signal } = spawnSync(process.execPath, [BUNDLE, 'analyze', CAPTURE], { cwd: ROOT, stdio: 'inherit' });
if (status === null || !VERDICT_EXIT_CODES.includes(status)) {
  console.error(`no verdict: the analyzer ended with ${signal ?? `exit code ${status}`}`);
  process.exitCode = 1;
}

// The CloudFormation templates by cfn-lint, in a Python environment of its own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT } from '../../build/project.ts';

const FOLDER = join(DIST, 'cfn-lint');
const REQUIREMENTS = join(import.meta.dirname, 'cfn-lint-requirements.txt');
/** Written last: what is there is whole. */
const INSTALLED = join(FOLDER, 'requirements.txt');
const INSTALL_LIMIT_MS = 300_000;
const run = promisify(execFile);

async function install(): Promise<void> {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(REQUIREMENTS, 'utf8')) return;
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
  await run('python3', ['-m', 'venv', '--clear', FOLDER], { timeout: INSTALL_LIMIT_MS });
  await run(join(FOLDER, 'bin/pip'), ['install', ...quiet, '--requirement', REQUIREMENTS], {
    timeout: INSTALL_LIMIT_MS,
  });
  copyFileSync(REQUIREMENTS, INSTALLED);
}

test('cfn-lint has nothing to say about the launch templates', async () => {
  await install();
  const files = ['managed-node-group.yaml', 'self-managed.yaml'].map((name) => join(ROOT, 'deploy/examples', name));
  const { stdout } = await run(join(FOLDER, 'bin/cfn-lint'), files, { timeout: 60_000 }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, '');
});

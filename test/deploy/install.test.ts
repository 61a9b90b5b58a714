// The shell scripts that users run as root, and those of the packages, under the eyes of shellcheck.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEB_SCRIPTS, RPM_SCRIPTS } from '../../build/release/package-scripts.ts';
import { ROOT } from '../../build/project.ts';

const scripts: Readonly<Record<string, { readonly args: readonly string[]; readonly input: string }>> = {
  'install.sh': { args: [join(ROOT, 'deploy/install.sh')], input: '' },
  ...Object.fromEntries(
    [...Object.entries(DEB_SCRIPTS), ...Object.entries(RPM_SCRIPTS)].map(([name, input]) => [
      `${name} of a package`,
      { args: ['--shell=sh', '-'], input },
    ]),
  ),
};

for (const [name, { args, input }] of Object.entries(scripts))
  test(`shellcheck has nothing to say of ${name}`, (t) => {
    const { stdout, error } = spawnSync('shellcheck', args, { input, encoding: 'utf8' });
    if (error !== undefined) return t.skip('shellcheck is not installed');
    assert.equal(stdout, '');
  });

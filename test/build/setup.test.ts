import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from './temp-folder.ts';

const LOCK = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/here': { version: '1.0.0' },
    'node_modules/elsewhere': { version: '1.0.0', os: ['aix'], optional: true },
  },
};

function setUp(t: TestContext, installed: Readonly<Record<string, string>>) {
  const folder = tempFolder(t, {
    'build/setup.mjs': readFileSync(join(ROOT, 'build/setup.mjs'), 'utf8'),
    'package-lock.json': JSON.stringify(LOCK),
    'tools/npm': '#!/bin/sh\necho "npm was called: $*" >&2\nexit 3\n',
    ...installed,
  });
  const env = { ...process.env, PATH: `${join(folder, 'tools')}${delimiter}${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/setup.mjs'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('nothing is installed when all packages for this machine stand there', (t) => {
  assert.deepEqual(setUp(t, { 'node_modules/here/package.json': '{ "version": "1.0.0" }' }), {
    status: 0,
    stdout: '',
    stderr: '',
  });
});

test('a package that is missing or of another version is installed, and the exit code is that of npm', (t) => {
  for (const installed of [{}, { 'node_modules/here/package.json': '{ "version": "0.9.0" }' }]) {
    const { status, stdout, stderr } = setUp(t, installed);
    assert.deepEqual({ status, stdout }, { status: 3, stdout: '' });
    assert.match(stderr, /npm was called: ci\n/);
  }
});

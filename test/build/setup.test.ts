import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
    assert.match(stderr, /npm was called: ci --prefix \S+\n/);
  }
});

const PACKAGES = {
  '': {
    dependencies: { used: '1.0.0' },
    devDependencies: { esbuild: '1.0.0', tester: '1.0.0', typescript: '1.0.0' },
    optionalDependencies: { node: '1.0.0' },
  },
  'node_modules/used': { version: '1.0.0', dependencies: { below: '2' } },
  'node_modules/used/node_modules/below': { version: '2.0.0', dependencies: { shared: '1' } },
  'node_modules/below': { version: '1.0.0' },
  'node_modules/shared': { version: '1.0.0' },
  'node_modules/esbuild': { version: '1.0.0', optionalDependencies: { elsewhere: '1' } },
  'node_modules/elsewhere': { version: '1.0.0', os: ['aix'], optional: true },
  'node_modules/tester': { version: '1.0.0', dependencies: { below: '1' } },
  'node_modules/typescript': { version: '1.0.0' },
  'node_modules/node': { version: '1.0.0', optional: true },
};
const START = ['elsewhere', 'esbuild', 'shared', 'used', 'used/node_modules/below'];
/** Keeps what it was asked for. */
const NPM = `#!/bin/sh
mkdir -p node_modules/node/include node_modules/node/bin
cp package.json node_modules/asked.json
cp package-lock.json node_modules/lock.json
`;

test('a script gets the packages that it needs with all below them, in place of what was there', (t) => {
  const folder = tempFolder(t, {
    'build/setup.mjs': readFileSync(join(ROOT, 'build/setup.mjs'), 'utf8'),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: PACKAGES }),
    'tools/npm': NPM,
    'node_modules/.cache/kept': 'kept',
    'node_modules/old/package.json': '{}',
  });
  const env = { ...process.env, PATH: `${join(folder, 'tools')}${delimiter}${process.env['PATH']}` };
  const asks = (group: string): { asked: object; locked: string[] } => {
    const { status } = spawnSync(process.execPath, ['build/setup.mjs', group], { cwd: folder, env });
    assert.equal(status, 0);
    const read = (file: string) => JSON.parse(readFileSync(join(folder, 'node_modules', file), 'utf8')) as object;
    const { packages } = read('lock.json') as { packages: object };
    const paths = Object.keys(packages).filter((path) => path !== '');
    return { asked: read('asked.json'), locked: paths.map((path) => path.slice('node_modules/'.length)).toSorted() };
  };
  // This Node reads TypeScript, so that no other is needed to start.
  assert.deepEqual(asks('start'), {
    asked: { dependencies: { used: '1.0.0', esbuild: '1.0.0' }, optionalDependencies: {} },
    locked: START,
  });
  assert.deepEqual(asks('work'), {
    asked: {
      dependencies: { used: '1.0.0', esbuild: '1.0.0', tester: '1.0.0' },
      optionalDependencies: { node: '1.0.0' },
    },
    locked: [...START, 'below', 'node', 'tester'].toSorted(),
  });
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).toSorted(), ['.cache', 'asked.json', 'lock.json', 'node']);
  assert.deepEqual(readdirSync(join(folder, 'node_modules/node')), ['bin']);
  assert.deepEqual(readdirSync(join(folder, 'dist')), []);
});

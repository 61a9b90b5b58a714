// Installs the pinned dependencies when one is missing and otherwise returns at once.
// Plain JavaScript without imports from node_modules: it runs before anything is installed, on any Node from 20.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';

const missing = missingPackages();
if (missing.length > 0) {
  console.error(`setup: ${missing.length} packages missing (first: ${missing[0]}), running npm ci`);
  const { status } = spawnSync('npm', ['ci'], { cwd: root, stdio: ['ignore', 2, 2] });
  process.exitCode = status ?? 1;
}

/** Paths of the locked packages that belong on this machine and are absent or of another version. */
function missingPackages() {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return Object.entries(packages)
    .filter(([path, locked]) => path !== '' && fitsThisMachine(locked))
    .filter(([path, locked]) => installedVersion(path) !== locked.version)
    .map(([path]) => path);
}

function fitsThisMachine({ os, cpu, libc: wanted }) {
  const allows = (list, value) => list === undefined || [list].flat().includes(value);
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(wanted, libc);
}

function installedVersion(path) {
  const manifest = join(root, path, 'package.json');
  return existsSync(manifest) ? readJson(manifest).version : undefined;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

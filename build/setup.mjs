// Installs the pinned packages that a script needs when one is missing, and otherwise returns at once: `start` (bundle the program and
// run it), `work` (build, tests, end to end), or without an argument everything, by `npm ci`, for the checks too.
// Plain JavaScript without imports from node_modules: it runs before anything is installed, on any Node from 20.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
const { lockfileVersion, packages } = readJson(join(root, 'package-lock.json'));
const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = packages[''];
/** Compilers, which no test and no build asks. */
const CHECKS_ONLY = ['typescript', 'oxlint-tsgolint'];
/** The pinned Node runs all scripts; but to start the program any does that reads TypeScript. */
const node = Object.keys(optionalDependencies);
const groups = {
  start: [...Object.keys(dependencies), 'esbuild', ...(process.features.typescript ? [] : node)],
  work: [
    ...Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !CHECKS_ONLY.includes(name)),
    ...node,
  ],
};

const names = groups[process.argv[2]];
const wanted = names === undefined ? Object.keys(packages).filter((path) => path !== '') : withAllTheyNeed(names);
const missing = wanted.filter(
  (path) => fitsThisMachine(packages[path]) && installedVersion(path) !== packages[path].version,
);
if (missing.length > 0) {
  console.error(`setup: ${missing.length} packages missing (first: ${missing[0]}), running npm ci`);
  process.exitCode = names === undefined ? npmCi(root) : installOnly(names, wanted);
}

/** By npm in a folder of their own, whose lock file is a part of ours; then that folder's node_modules is put in place of ours. */
function installOnly(names, paths) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const work = mkdtempSync(join(root, 'dist/.setup-'));
  try {
    const pick = (all) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    const manifest = {
      dependencies: pick({ ...dependencies, ...devDependencies }),
      optionalDependencies: pick(optionalDependencies),
    };
    const part = Object.fromEntries(paths.map((path) => [path, packages[path]]));
    writeFileSync(join(work, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(work, 'package-lock.json'),
      JSON.stringify({ lockfileVersion, requires: true, packages: { '': manifest, ...part } }),
    );
    const status = npmCi(work);
    if (status !== 0) return status;
    const [from, to] = [join(work, 'node_modules'), join(root, 'node_modules')];
    // Of Node only the program is asked for: 60 MB are for those who compile against it.
    for (const name of node)
      for (const folder of ['include', 'share']) rmSync(join(from, name, folder), { recursive: true, force: true });
    if (existsSync(join(to, '.cache'))) renameSync(join(to, '.cache'), join(from, '.cache'));
    if (existsSync(to)) renameSync(to, join(work, 'old'));
    renameSync(from, to);
    return 0;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function npmCi(folder) {
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], { cwd: folder, stdio: ['ignore', 2, 2] });
  return status ?? 1;
}

/** Their paths in the lock file with those of all that they depend on, for every machine. */
function withAllTheyNeed(names) {
  const paths = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of paths) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = placesOf(name, path).find((place) => place in packages);
      if (found !== undefined) paths.add(found);
    }
  }
  return [...paths];
}

/** Where Node looks for it, nearest first. */
function placesOf(name, path) {
  const folders = path.split('/node_modules/');
  return folders
    .map((_, index) => [...folders.slice(0, folders.length - index), name].join('/node_modules/'))
    .concat(`node_modules/${name}`);
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

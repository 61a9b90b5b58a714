// `npm run test:e2e`: the tests on throw-away nodes, several files at once since most of their time is waiting; then the figures,
// which need the machine for themselves. Exits 1 if a test failed or a program is missing, never skips.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ROOT } from '../../build/project.ts';
import { baseRootfs } from './base-rootfs.ts';

const FILES_AT_ONCE = 3;
/** Their answers and figures depend on time limits of seconds, which a node does not get while fourteen others boot beside it. */
const ALONE = [
  'test/e2e/**/latency.test.ts',
  'test/e2e/probes/*.test.ts',
  'test/e2e/blindness.test.ts',
  'test/e2e/delivery/crashes.test.ts',
];
/** A test that hangs fails and does not take the others along. */
const FILE_LIMIT_MS = 600_000;
/** Waits for minutes and does little: it begins first. */
const LONGEST = 'test/e2e/scenarios.test.ts';
/** Program → Debian package. */
const NEEDED = {
  'systemd-nspawn': 'systemd-container',
  mmdebstrap: 'mmdebstrap',
  nft: 'nftables',
  fusermount3: 'fuse3',
  ip: 'iproute2',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  rpmbuild: 'rpm',
  patchelf: 'patchelf',
  zstd: 'zstd',
  xz: 'xz-utils',
} as const;

const missing = Object.entries(NEEDED).filter(([program]) => spawnSync('which', [program]).status !== 0);
if (missing.length > 0) {
  console.error(`missing: ${missing.map(([program, name]) => `${program} (apt-get install ${name})`).join(', ')}`);
  process.exit(1);
}
const startMs = performance.now();
console.log(
  `root file system of the nodes: ${await baseRootfs()}, ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
);

const alone = globSync(ALONE, { cwd: ROOT });
const others = globSync('test/e2e/**/*.test.ts', { cwd: ROOT }).filter(
  (file) => file !== LONGEST && !alone.includes(file),
);
await play([LONGEST, ...others.toSorted()], FILES_AT_ONCE);
await play(alone.toSorted(), 1);

/** In this order; `node --test` would sort them. */
async function play(files: readonly string[], atOnce: number): Promise<void> {
  const results = run({ files: files.map((file) => join(ROOT, file)), concurrency: atOnce, timeout: FILE_LIMIT_MS });
  results.on('test:fail', () => (process.exitCode = 1));
  await pipeline(results, new spec(), process.stdout, { end: false });
}

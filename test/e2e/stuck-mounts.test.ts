// `diagnose` on a machine with five mounts that do not answer, and a FIFO where a log should be. What counts is when the process
// is gone, not when it has spoken. Everything happens in a mount namespace of its own; needs root and FUSE, else it is skipped.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../../build/project.ts';

const GONE_LIMIT_MS = 12_000;
const STOPPED_LIMIT_MS = 3_000;
const SWALLOWING = ['/var/log/aws-routed-eni', '/var/lib/kubelet', '/var/log/pods', '/etc/kubernetes'];
/** A link in /etc/cni leads here. */
const IGNORING = ['/mnt/x'];
const LOG =
  '[    1.0] cloud-init[900]: Cloud-init v. 22.2.2 running modules:final at Tue, 22 Oct 2024 11:29:03 +0000. Up 20 seconds.';
/** Folders that are not there are made in layers above the real ones, so that nothing of this machine is touched. */
const SET_UP = `set -e
mount -t tmpfs layers /mnt
for folder in etc var/lib; do
  mkdir -p /mnt/upper/$folder /mnt/work/$folder
  mount -t overlay layers -o lowerdir=/$folder,upperdir=/mnt/upper/$folder,workdir=/mnt/work/$folder /$folder
done
mount -t tmpfs logs /var/log
mkdir -p ${[...SWALLOWING, ...IGNORING].join(' ')} /etc/cni
rm -rf /etc/cni/net.d; ln -s /mnt/x/net.d /etc/cni/net.d
echo '${LOG}' >/var/log/cloud-init-output.log
mkfifo /var/log/cloud-init.log
echo ready
exec cat`;

const unable =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/dev/fuse')
    ? 'needs root and /dev/fuse on Linux'
    : false;
const started: ChildProcess[] = [];
let keeper: ChildProcess;

const TEST_LIMIT_MS = 60_000;

/** Resolves when the program has said the word. */
function says(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('\n').includes(word)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it said ${word}: ${said}`)));
  });
}

function start(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

/** In the namespace of the keeper. */
function inside(...command: readonly string[]): readonly string[] {
  return [`--target=${keeper.pid}`, '--mount', ...command];
}

async function mountAll(): Promise<{ readonly mounts: readonly ChildProcess[]; readonly asked: Promise<unknown> }> {
  const mount = (folder: string, mode: string): ChildProcess =>
    start('nsenter', inside(process.execPath, join(ROOT, 'test/e2e/silent-mount.ts'), folder, mode));
  const swallowing = SWALLOWING.map((folder) => mount(folder, 'swallow'));
  const mounts = [...swallowing, ...IGNORING.map((folder) => mount(folder, 'ignore'))];
  const asked = Promise.any(swallowing.map((child) => says(child, 'asked')));
  await Promise.all(mounts.map((child) => says(child, 'ready')));
  return { mounts, asked };
}

/** Without its daemon every request to a mount fails at once, and the processes that waited end. */
async function unmountAll(mounts: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    mounts.map((child) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin!.end();
      return gone;
    }),
  );
  for (const folder of [...SWALLOWING, ...IGNORING]) spawnSync('nsenter', inside('umount', '--lazy', folder));
}

interface Run {
  readonly code: number | null;
  readonly elapsedMs: number;
  readonly text: string;
}

function diagnose(...options: readonly string[]): { readonly child: ChildProcess; readonly gone: Promise<Run> } {
  const startMs = performance.now();
  const child = start(
    'nsenter',
    inside(process.execPath, join(ROOT, 'src/cli.ts'), 'diagnose', '--format=json', '--quiet', ...options),
  );
  let text = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // `exit`, not `close`: the moment at which a parent's wait() returns.
  const gone = new Promise<Run>((resolve) =>
    child.once('exit', (code) => setImmediate(() => resolve({ code, elapsedMs: performance.now() - startMs, text }))),
  );
  return { child, gone };
}

before(async () => {
  if (unable !== false) return;
  keeper = start('unshare', ['--mount', '--propagation=private', 'sh', '-c', SET_UP]);
  await says(keeper, 'ready');
});

after(() => {
  for (const child of started) child.kill('SIGKILL');
});

test('the mounts are such that who asks them cannot be killed', { skip: unable, timeout: TEST_LIMIT_MS }, async () => {
  const { mounts, asked } = await mountAll();
  const victim = start('nsenter', inside('stat', SWALLOWING[0]!));
  await asked;
  victim.kill('SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.match(readFileSync(`/proc/${victim.pid}/status`, 'utf8'), /^State:\s+D/m);
  await unmountAll(mounts);
});

const STUCK_PROBES = [
  'cluster-configured',
  'disk-space-left',
  'cni-config-present',
  'cni-binaries-present',
  'ipamd-answering',
];

test(
  'with five of them the process is gone in time, and says what it did not touch',
  { skip: unable, timeout: TEST_LIMIT_MS },
  async (t) => {
    const { mounts } = await mountAll();
    const { code, elapsedMs, text } = await diagnose('--probe=all').gone;
    t.diagnostic(`gone after ${Math.round(elapsedMs)} ms with exit code ${code}`);
    await unmountAll(mounts);
    assert.ok(elapsedMs < GONE_LIMIT_MS, `${elapsedMs} ms`);
    const verdict = JSON.parse(text) as {
      notChecked: { what: string; code: string }[];
      probes: { probe: string; code: string }[];
    };
    const stuck = verdict.notChecked.filter(({ code }) => code === 'mount-stuck').map(({ what }) => what);
    assert.deepEqual(stuck.toSorted(), ['/var/log/aws-routed-eni', '/var/log/pods']);
    assert.ok(verdict.notChecked.some(({ what, code }) => what === '/var/log/cloud-init.log' && code === 'fifo'));
    for (const name of STUCK_PROBES)
      assert.equal(verdict.probes.find(({ probe }) => probe === name)?.code, 'mount-stuck', name);
  },
);

test('with --root on one of them, too', { skip: unable, timeout: TEST_LIMIT_MS }, async (t) => {
  const { mounts } = await mountAll();
  const { code, elapsedMs } = await diagnose('--root', `${SWALLOWING[1]}/x`).gone;
  t.diagnostic(`gone after ${Math.round(elapsedMs)} ms with exit code ${code}`);
  await unmountAll(mounts);
  assert.equal(code, 3);
  assert.ok(elapsedMs < GONE_LIMIT_MS, `${elapsedMs} ms`);
});

test('SIGTERM ends it while it waits for them', { skip: unable, timeout: TEST_LIMIT_MS }, async (t) => {
  const { mounts, asked } = await mountAll();
  const { child, gone } = diagnose();
  await asked;
  const stopMs = performance.now();
  child.kill('SIGTERM');
  const { code } = await gone;
  const elapsedMs = performance.now() - stopMs;
  t.diagnostic(`gone ${Math.round(elapsedMs)} ms after the signal with exit code ${code}`);
  await unmountAll(mounts);
  assert.equal(code, 143);
  assert.ok(elapsedMs < STOPPED_LIMIT_MS, `${elapsedMs} ms`);
});

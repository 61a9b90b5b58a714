// What may take the journal away from a running `watch`: each time it finds the way back and names the cause, or says that it is blind.
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../../src/types.ts';
import { bootNode, EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeProcess } from './node-process.ts';
import { bootSettled, UNREGISTERED } from './probes/nodes.ts';
import { changes, diagnose, listing } from './probes/diagnose.ts';
import { ANALYZER_BIND } from './shapes/analyzer.ts';
import { LINES_FILE, program } from './shapes/program.ts';
import { until } from './until.ts';

const PIPE = '/run/kubelet-says';
const LINE = `klog E 'run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"'`;
const CAUSE = 'swap-enabled';
const LOG = '/var/log/cloud-init-output.log';
const BEGUN_LINE = "sed: can't read /etc/eks/containerd/containerd-config.toml: No such file or directory";
/** The watchdog looks every 20 s, waits for 5 s for an answer, and makes sure of what it saw. */
const WATCHDOG_LIMIT_MS = 30_000;
const START_LIMIT_MS = 15_000;
const OURS = "pgrep --full --exact '/usr/bin/journalctl --output=export .*--follow.*'";
const AT_ONCE = 4;

async function watchedNode(): Promise<TestNode> {
  return bootNode({
    units: {
      'kubelet.service':
        '[Service]\nExecStart=/usr/bin/kubelet\nRestart=always\n[Install]\nWantedBy=multi-user.target\n',
    },
    files: {
      ...LINES_FILE,
      '/usr/bin/kubelet': program(`[ -p ${PIPE} ] || mkfifo ${PIPE}\nwhile read -r _; do ${LINE}; done <>${PIPE}`),
      [LOG]: '',
    },
    binds: ANALYZER_BIND,
  });
}

/** Resolves once it follows. */
async function watch(node: TestNode): Promise<NodeProcess> {
  const watch = node.start(EXECUTABLE_ON_NODE, ['watch', '--format=json', '--deliver=none', '--probe=none']);
  await until('journalctl', START_LIMIT_MS, async () => (await node.shell(OURS, { codes: null })) !== '');
  await sleep(1_000);
  return watch;
}

async function namesCause(watch: NodeProcess, cause = CAUSE): Promise<void> {
  await watch.line((text) => text.includes(`"id":"${cause}"`), WATCHDOG_LIMIT_MS);
  await watch.stop('SIGKILL');
}

async function lastWord(watch: NodeProcess): Promise<Verdict> {
  await watch.stop('SIGTERM');
  return JSON.parse(watch.stdout.at(-1)!.text) as Verdict;
}

function notesOf({ notChecked }: Verdict): string[] {
  return notChecked.map(({ what, code, detail }) => `${what} ${code} ${detail}`.trim());
}

function kubeletSays(node: TestNode): void {
  writeFileSync(node.path(PIPE), '\n');
}

describe('what takes the journal away', { concurrency: AT_ONCE }, () => {
  test('the folder is removed and journald restarted', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell('rm -rf /var/log/journal/* /run/log/journal/*; systemctl restart systemd-journald');
    kubeletSays(node);
    await namesCause(run);
  });

  test('our journalctl is stopped', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell(`kill -STOP $(${OURS})`);
    kubeletSays(node);
    await namesCause(run);
  });

  test('another file system is mounted over the folder', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell(
      'for folder in /var/log/journal /run/log/journal; do [ ! -d $folder ] || mount -t tmpfs over $folder; done',
    );
    const notes = notesOf(await lastWord(run));
    assert.ok(
      notes.some((note) => note.startsWith('journal journal-blind')),
      notes.join('\n'),
    );
  });

  test('journalctl hangs from now on', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell(
      `printf '#!/bin/sh\\nexec sleep 1000\\n' >/run/hanging; chmod 755 /run/hanging; mount --bind /run/hanging /usr/bin/journalctl; kill -KILL $(${OURS})`,
    );
    kubeletSays(node);
    await sleep(WATCHDOG_LIMIT_MS);
    const notes = notesOf(await lastWord(run));
    assert.ok(notes.includes('journal journal-blind journalctl did not answer within 5 s'), notes.join('\n'));
  });

  test('journalctl is taken away', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell(`ours=$(${OURS}); mv /usr/bin/journalctl /usr/bin/gone; kill -KILL $ours`);
    await sleep(1_000);
    const notes = notesOf(await lastWord(run));
    assert.ok(notes.includes('journal command-missing journalctl'), notes.join('\n'));
  });

  test('there never was a journalctl', async () => {
    await using node = await watchedNode();
    await node.shell('mv /usr/bin/journalctl /usr/bin/gone');
    const run = node.start(EXECUTABLE_ON_NODE, ['watch', '--format=json', '--deliver=none', '--probe=none']);
    await sleep(2_000);
    const notes = notesOf(await lastWord(run));
    assert.ok(notes.includes('journal command-missing journalctl'), notes.join('\n'));
  });

  test('journald is dead and stays so', async () => {
    await using node = await watchedNode();
    const run = await watch(node);
    await node.shell(
      `systemctl mask --runtime --quiet systemd-journald.service; systemctl stop 'systemd-journald*.socket' systemd-journald.service 2>/dev/null`,
      {
        codes: null,
      },
    );
    await sleep(WATCHDOG_LIMIT_MS);
    const notes = notesOf(await lastWord(run));
    assert.ok(notes.includes('journal journald-stopped'), notes.join('\n'));
  });

  test('the last line has no end: it counts after two seconds, and at once when the run is stopped', async () => {
    await using node = await watchedNode();
    const first = await watch(node);
    appendFileSync(node.path(LOG), BEGUN_LINE);
    await namesCause(first, 'containerd-config-missing');
    writeFileSync(node.path(LOG), '');
    const second = await watch(node);
    appendFileSync(node.path(LOG), BEGUN_LINE);
    assert.equal((await lastWord(second)).cause?.id, 'containerd-config-missing');
  });
});

/** Every file of the node's configuration and of its programs' state, by content. */
const HASHES =
  "find /etc /opt /root /usr/local /var/lib -xdev -type f -not -path '/usr/local/bin/eks-bootstrap-analyzer' -print0 | sort -z | xargs -0 sha256sum";

test('neither watch nor diagnose changes a file, a unit, a mount, a rule or a route of the node', async () => {
  await using node = await bootSettled(UNREGISTERED);
  const seen = async (): Promise<string[]> => [...(await listing(node)), ...(await node.shell(HASHES)).split('\n')];
  const before = await seen();
  assert.ok(before.length > 500, `${before.length} lines`);
  const run = await watch(node);
  await diagnose(node, { args: ['--probe=all'] });
  await lastWord(run);
  assert.deepEqual(changes(before, await seen()), []);
});

// Whatever does not answer, `diagnose` is gone within its time: it says what it has and what it did not get. What counts is when
// the process is gone, not when it has spoken; and SIGTERM ends it at once in the middle of each.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { atMost, recordBar } from '../../../build/bars.ts';
import { SERVICES } from '../../../src/aws/endpoints.ts';
import type { Verdict } from '../../../src/types.ts';
import type { TestNode } from '../node.ts';
import { until } from '../until.ts';
import { CLUSTER_ADDRESS, CLUSTER_HOST, ENDPOINT_ADDRESS, endpointOf } from '../vpc.ts';
import { codesOf, diagnose, runDiagnose } from './diagnose.ts';
import { bootSettled, type Make, UNREGISTERED } from './nodes.ts';
import { all, command, dropped, names } from './troubles.ts';

const GONE_SECONDS = 12;
const BLACKHOLED_SECONDS = 10;
const STOP_AFTER_SECONDS = 0.3;
/** SIGTERM leaves a run a second for its cleaning up. */
const END_SECONDS = 2;
const SIGTERM_CODE = 143;
const MOUNT_LIMIT_MS = 10_000;
const NO_FUSE = existsSync('/dev/fuse') ? false : 'needs /dev/fuse';

const NODE_ON_NODE = '/usr/local/bin/node';
const MOUNTER_ON_NODE = '/usr/local/lib/silent-mount.ts';
/** A standard input that never ends: the mount would end with it. */
const ENDLESS = '/root/endless';
const HOSTS = [...SERVICES.map(endpointOf), CLUSTER_HOST];
const BLACKHOLE = dropped(ENDPOINT_ADDRESS, CLUSTER_ADDRESS, '169.254.169.254');
const MOUNTS = [
  '/var/log/aws-routed-eni',
  '/var/log/pods',
  '/var/lib/kubelet',
  '/var/lib/containerd',
  '/etc/kubernetes',
];
const PROGRAMS = [
  '/usr/bin/journalctl',
  '/usr/bin/systemctl',
  '/usr/bin/ctr',
  '/usr/bin/containerd',
  '/usr/bin/kubelet',
  '/usr/bin/stat',
  '/usr/bin/ps',
  '/usr/sbin/ip',
];
const FIFOS = [
  '/var/log/cloud-init.log',
  '/var/log/cloud-init-output.log',
  '/var/log/messages',
  '/etc/eks/kubelet/environment',
  '/etc/os-release',
  '/etc/hosts',
];

interface Hanging {
  readonly title: string;
  readonly skip?: string | false;
  readonly make: Make;
  readonly seconds?: number;
  readonly check: (verdict: Verdict) => void;
}

/** FUSE file systems whose daemon takes every request and answers none: who asks them can no longer be killed. */
const silentMounts: Make = async (node) => {
  await node.shell(`[ -e ${ENDLESS} ] || mkfifo ${ENDLESS}`);
  const daemons = MOUNTS.map((folder) =>
    node.start('/bin/sh', [
      '-c',
      `mkdir -p ${folder}; exec ${NODE_ON_NODE} ${MOUNTER_ON_NODE} ${folder} swallow 0<>${ENDLESS}`,
    ]),
  );
  await Promise.all(daemons.map((daemon) => daemon.line((line) => line === 'ready', MOUNT_LIMIT_MS)));
  return async () => {
    // Without its daemon every request to a mount fails at once, and the processes that waited end.
    await node.shell('pkill -KILL -f "[s]ilent-mount"');
    await node.shell(`umount --lazy ${MOUNTS.join(' ')}`);
    await Promise.all(daemons.map((daemon) => daemon.ended));
  };
};

/** Each program leaves a child behind that holds its output open when it is killed. */
const hangingPrograms = command(
  `printf '#!/bin/sh\\nsleep 1000 & sleep 1000\\n' >/root/hang; chmod 755 /root/hang
   for program in ${PROGRAMS.join(' ')}; do [ ! -e $program ] || mount --bind /root/hang $program; done`,
  `for program in ${PROGRAMS.join(' ')}; do [ ! -e $program ] || umount $program; done; pkill -f "[s]leep 1000"`,
);

const fifos = command(
  `for file in ${FIFOS.join(' ')}; do [ -e $file ] || touch $file; rm -f /root/fifo; mkfifo /root/fifo; mount --bind /root/fifo $file; done`,
  `umount ${FIFOS.join(' ')}`,
);

/** The archive's header, and a file that is no journal at all. */
const corruptJournal = command(
  `journalctl --rotate; sleep 0.2; cp -a /var/log/journal /root/; cd /var/log/journal/*/
   for file in *@*.journal; do dd if=/dev/urandom of=$file bs=1 seek=16 count=200 conv=notrunc status=none; done
   head -c 100000 /dev/urandom >system@0005f0ecb1f46c94-0005f0ecb1f46c94.journal~`,
  'rm /var/log/journal/*/*~; cp -a /root/journal/. /var/log/journal/; rm -r /root/journal',
);

const zombies = command(
  `setsid python3 -c '
import os, signal, time
for n in range(50):
    if os.fork() == 0:
        os._exit(0) if n > 3 else os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(1000)' >/dev/null 2>&1 & sleep 0.5; pgrep -c -r Z,T ""`,
  'pkill -KILL -f "[t]ime.sleep"',
);

const CASES: readonly Hanging[] = [
  {
    title: 'a name server is silent',
    make: names(HOSTS, { '*': 'silent' }),
    check: (verdict) => assert.equal(codesOf(verdict, 'ec2-api-reachable'), 'dns-timeout'),
  },
  {
    title: 'every endpoint is blackholed',
    make: BLACKHOLE,
    seconds: BLACKHOLED_SECONDS,
    check: (verdict) => assert.equal(codesOf(verdict, 'cluster-endpoint-reachable'), 'connect-timeout'),
  },
  {
    title: 'every endpoint and the name server are blackholed',
    make: all(names(HOSTS, { '*': 'silent' }), BLACKHOLE),
    seconds: BLACKHOLED_SECONDS,
    check: (verdict) => assert.equal(codesOf(verdict, 'cluster-endpoint-reachable'), 'dns-timeout'),
  },
  {
    title: 'five FUSE mounts do not answer',
    skip: NO_FUSE,
    make: silentMounts,
    check: (verdict) => assert.equal(codesOf(verdict, 'disk-space-left').split(' ')[0], 'mount-stuck'),
  },
  {
    title: 'FIFOs stand where logs and settings should be',
    make: fifos,
    check: ({ notChecked }) =>
      assert.ok(notChecked.some(({ what, code }) => what === '/var/log/cloud-init.log' && code === 'fifo')),
  },
  {
    title: 'the journal is corrupt',
    make: corruptJournal,
    check: ({ notChecked }) => assert.ok(notChecked.some(({ code }) => code === 'journal-unreadable')),
  },
  {
    title: 'every program of the node hangs and leaves children',
    make: hangingPrograms,
    check: ({ notChecked }) => assert.ok(notChecked.length > 0),
  },
  {
    title: 'zombies and stopped processes',
    make: zombies,
    check: (verdict) => assert.equal(codesOf(verdict, 'units-healthy'), 'ok'),
  },
  {
    title: 'all of it at once',
    skip: NO_FUSE,
    make: all(names(HOSTS, { '*': 'silent' }), BLACKHOLE, zombies, silentMounts, hangingPrograms),
    check: ({ notChecked }) => assert.ok(notChecked.length > 0),
  },
];

describe('it is gone in time', () => {
  let node: TestNode;
  before(async () => {
    const binds = {
      ...UNREGISTERED.binds,
      [NODE_ON_NODE]: process.execPath,
      [MOUNTER_ON_NODE]: join(import.meta.dirname, '../silent-mount.ts'),
    };
    node = await bootSettled({ ...UNREGISTERED, binds });
  });
  after(() => node[Symbol.asyncDispose]());

  for (const { title, skip = false, make, seconds: wanted = GONE_SECONDS, check } of CASES)
    test(title, { skip }, async (t) => {
      const undo = await make(node);
      try {
        const { verdict, seconds, stderr } = await diagnose(node, { args: ['--probe=all'] });
        recordBar(atMost({ bar: `diagnose is gone: ${title}`, unit: 's', wanted, seen: seconds }));
        assert.equal(stderr, '');
        check(verdict);
        const stopAfterSeconds = Math.min(STOP_AFTER_SECONDS, seconds / 2);
        const stopped = await runDiagnose(node, { args: ['--probe=all'], stopAfterSeconds });
        t.diagnostic(`after SIGTERM: ${stopped.code} ${(stopped.seconds - stopAfterSeconds).toFixed(2)} s`);
        assert.ok(stopped.seconds <= stopAfterSeconds + END_SECONDS, `${stopped.seconds} s`);
        assert.equal(stopped.code, SIGTERM_CODE);
      } finally {
        await undo();
      }
    });

  test('and leaves no process behind', async () => {
    await until(
      'all its children are gone',
      5_000,
      async () => (await node.shell('pgrep -x "journalctl|stat|systemctl" || true')) === '',
    );
  });
});

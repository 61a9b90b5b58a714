// The node itself: a file system without space or inodes, swap, missing programs, and a node that has no network at all.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { causeOf, changes, codesOf, diagnose, listing } from './diagnose.ts';
import {
  bootSettled,
  LOADING_FOR_EVER,
  type Make,
  MUCH_LATER_SECONDS,
  MUTE,
  nodeForTests,
  testTroubles,
} from './nodes.ts';
import { command, swapOn } from './troubles.ts';

/** A file system of its own on a loop device, filled by `fill`. The node has no such devices, the one who looks into it may make them. */
function mounted(folder: string, options: string, fill: string): Make {
  return command(
    `set -e
     [ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237
     for n in $(seq 0 63); do [ -e /dev/loop$n ] || mknod /dev/loop$n b 7 $n; done
     mkdir -p ${folder}; truncate -s 48M /root/disk; mkfs.ext4 -q -F ${options} /root/disk; mount -o loop /root/disk ${folder}
     cd ${folder}; ${fill}`,
    `umount --lazy ${folder}; rm /root/disk`,
  );
}

const NO_LOOP = existsSync('/dev/loop-control') ? false : 'needs loop devices';
const FULL = 'dd if=/dev/zero of=blob bs=64k status=none 2>/dev/null || true';
const MANY = 'seq 600 | xargs touch 2>/dev/null || true';

describe('on a node whose kubelet was started and says nothing', () => {
  testTroubles(nodeForTests(MUTE), [
    {
      title: "containerd's file system is full",
      skip: NO_LOOP,
      make: mounted('/var/lib/containerd', '', FULL),
      cause: 'high disk-full',
      codes: { 'disk-space-left': 'no-space' },
      check: ({ verdict }) =>
        assert.equal(
          verdict.probes.find(({ probe }) => probe === 'disk-space-left')?.facts['path'],
          '/var/lib/containerd',
        ),
    },
    {
      title: "containerd's file system has no inodes left",
      skip: NO_LOOP,
      make: mounted('/var/lib/containerd', '-N 512', MANY),
      cause: 'high disk-full',
      codes: { 'disk-space-left': 'no-inodes' },
    },
    {
      title: 'swap is on',
      make: swapOn,
      cause: 'high swap-enabled',
      codes: { 'swap-off': 'swap-on' },
      check: ({ verdict }) =>
        assert.deepEqual(verdict.probes.find(({ probe }) => probe === 'swap-off')?.facts, {
          swap_mib: 2048,
          swap_device: '/dev/nvme1n1p2',
        }),
    },
    {
      title: 'a file of the image is missing',
      make: command(
        'mv /etc/eks/image-credential-provider/ecr-credential-provider /root/',
        'mv /root/ecr-credential-provider /etc/eks/image-credential-provider/',
      ),
      cause: 'high credential-provider-invalid',
      codes: { 'files-present': 'file-missing' },
    },
  ]);
});

test('without any network it says what it can, and changes nothing', async () => {
  const { vpc: _vpc, imds: _imds, ...offline } = LOADING_FOR_EVER;
  await using node = await bootSettled(offline);
  await node.shell('ip link set lo down');
  const before = await listing(node);
  const { verdict, code, stderr } = await diagnose(node, { args: ['--probe=all'], laterSeconds: MUCH_LATER_SECONDS });
  assert.deepEqual(changes(before, await listing(node)), []);
  assert.equal(stderr, '');
  assert.equal(causeOf(verdict), 'high imds-unreachable');
  assert.equal(code, 10);
  assert.equal(verdict.phase.current, 'node-config');
  assert.equal(codesOf(verdict, 'instance-metadata-reachable'), 'unreachable');
  assert.equal(codesOf(verdict, 'default-route-present'), 'no-default-route');
});

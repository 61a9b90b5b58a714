import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import type { ProcessEntry } from '../../src/host/system.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { createHost } from '../../src/host/create-host.ts';
import { createMatcher } from '../../src/matching/matcher.ts';
import { collectInputs } from '../../src/sources/capture/collect-inputs.ts';
import { feed } from '../../src/sources/capture/feed.ts';
import { liveProcesses } from '../../src/sources/live-processes.ts';
import { streamOfPath } from '../../src/sources/stream-of-path.ts';
import { readPack } from '../patterns/verdict-of.ts';
import { codesOf, readAll, TABLE, textOf } from './support.ts';

const PROCESSES: readonly ProcessEntry[] = [
  { pid: 1, parentPid: 0, ageSeconds: 90_125, unit: 'init.scope', command: '/usr/lib/systemd/systemd' },
  { pid: 2, parentPid: 0, ageSeconds: 90_125, unit: null, command: '[kthreadd]' },
  { pid: 17, parentPid: 2, ageSeconds: 90_125, unit: null, command: '[kworker/0:1]' },
  {
    pid: 2_210,
    parentPid: 1,
    ageSeconds: 3_700,
    unit: 'sandbox-image.service',
    command: 'bash /etc/eks/containerd/pull-sandbox-image.sh',
  },
  {
    pid: 2_217,
    parentPid: 2_210,
    ageSeconds: 125,
    unit: 'sandbox-image.service',
    command: 'aws ecr get-login-password\n--region\x1b[2J us-west-2',
  },
];

const system = { processes: async () => PROCESSES };

test('the list looks as ps writes it, one line a process, without the threads of the kernel', async () => {
  assert.equal(
    await textOf(liveProcesses(system, TABLE)),
    `    PID    PPID     ELAPSED UNIT                            COMMAND
      1       0  1-01:02:05 init.scope                      /usr/lib/systemd/systemd
   2210       1    01:01:40 sandbox-image.service           bash /etc/eks/containerd/pull-sandbox-image.sh
   2217    2210       02:05 sandbox-image.service           aws ecr get-login-password?--region?[2J us-west-2
`,
  );
});

test('its stream is that of a process list, and it tells no time', async () => {
  const source = liveProcesses(system, TABLE);
  assert.equal(streamOfPath(TABLE, source.path).stream, source.stream);
  const { head, tail } = await source.survey();
  assert.equal(head.length + tail.length, 0);
});

test('a list that cannot be had is a note and no empty list', async () => {
  const { bytes, notes } = await readAll(liveProcesses({ processes: async () => null }, TABLE));
  assert.equal(bytes.length, 0);
  assert.deepEqual(codesOf(notes), ['read-failed']);
  const failing = await readAll(liveProcesses({ processes: () => Promise.reject(new Error('time')) }, TABLE));
  assert.deepEqual(codesOf(failing.notes), ['read-failed']);
});

test('a stall finds the process that hangs', async () => {
  const pack = readPack();
  const host = createHost();
  const folder = join(ROOT, 'test/scenarios/al2-ecr-login-hang/capture');
  const collected = await collectInputs([folder], { host, table: pack.streamTable });
  const matcher = createMatcher(pack, { referenceMs: Date.UTC(2024, 0, 1) });
  for (const source of [
    ...collected.inputs.filter(({ path }) => !path.endsWith('ps.txt')),
    liveProcesses(system, TABLE),
  ]) {
    const reader = matcher.open(source);
    await feed(source, reader);
    matcher.close(reader);
  }
  await collected.cleanup();
  const { cause, evidence } = diagnose(pack, matcher.result(), [], {
    nowMs: null,
    uptimeSeconds: null,
    version: '0.0.0',
    sequence: 0,
    final: true,
  });
  assert.equal(cause?.id, 'ecr-login-hang');
  assert.ok(
    evidence.some(({ line, stream }) => stream === 'processes' && line.includes('02:05 sandbox-image.service')),
  );
});

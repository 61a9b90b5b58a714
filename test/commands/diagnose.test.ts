import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/run.ts';
import type { Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';
import { scriptedNode } from './scripted-node.ts';

const CAPTURE = fileURLToPath(new URL('../scenarios/al2-ecr-login-hang/capture', import.meta.url));

test('--root reads the logs below a folder, and says that the running machine was not asked', async (t) => {
  const root = tempFolder(t, {});
  mkdirSync(join(root, 'var/log'), { recursive: true });
  for (const name of ['messages', 'cloud-init-output.log'])
    cpSync(join(CAPTURE, 'var_log', name), join(root, 'var/log', name), { force: true });
  const process = fakeProcess(['diagnose', '--root', root, '--format', 'json']);
  const code = await run(process);
  const verdict = JSON.parse(process.out()) as Verdict;
  assert.equal(code, 11, process.err());
  assert.ok(verdict.timeline.length > 0);
  assert.deepEqual(
    verdict.notChecked.filter(({ code }) => code === 'offline-root').map(({ what }) => what),
    ['kernel', 'processes', 'clock', 'network'],
  );
  assert.ok(verdict.at!.startsWith('2025-05-06T08:'), verdict.at!);
});

test('a root without logs: exit code 3, saying what was tried', async (t) => {
  const process = fakeProcess(['diagnose', '--root', tempFolder(t, {})]);
  assert.equal(await run(process), 3);
  assert.match(process.err(), /^eks-bootstrap-analyzer: Nothing could be read\. [^\n]*journal[^\n]*\n$/);
});

test('a root that is not there: exit code 3', async () => {
  const process = fakeProcess(['diagnose', '--root', '/no/such/root']);
  assert.equal(await run(process), 3);
  assert.match(process.err(), /^eks-bootstrap-analyzer: --root \/no\/such\/root cannot be read\. /);
});

test('on a running node stamps from before its boot count from the boot', async (t) => {
  const log =
    "2025-05-06 07:30:00,679 - util.py[DEBUG]: Cloud-init v. 22.2.2 running 'init-local' at Tue, 06 May 2025 07:30:00 +0000. Up 5.15 seconds.\n";
  const node = scriptedNode(t, { startSeconds: 60, speed: 1, files: { 'var/log/cloud-init.log': log } });
  const run = node.start('diagnose', '--format', 'json', '--probe', 'none', '--quiet');
  assert.equal(await run.ended, 12, run.process.err());
  const verdict = JSON.parse(run.process.out()) as Verdict;
  assert.deepEqual([verdict.sequence, verdict.final], [0, false]);
  // The clocks are floating: a little off is on time.
  assert.ok(Math.abs(Date.parse(verdict.phase.since!) - Date.UTC(2025, 4, 6, 8, 0)) < 1_000, verdict.phase.since!);
});

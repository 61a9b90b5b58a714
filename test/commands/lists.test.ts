import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBES } from '../../src/probes/index.ts';
import { run } from '../../src/run.ts';
import { readBuiltInPack } from '../../src/signatures/built-in-pack.ts';
import { VERSION } from '../../src/version.ts';
import { fakeProcess } from '../cli/fake-process.ts';

async function said(...args: string[]): Promise<string> {
  const process = fakeProcess(args);
  assert.deepEqual([await run(process), process.err()], [0, '']);
  return process.out();
}

test('probes list names every probe with its answers, in text and as JSON', async () => {
  const rows = (await said('probes', 'list')).split('\n').slice(1, -1);
  assert.deepEqual(
    rows.map((row) => row.split(' ')[0]),
    PROBES.map(({ name }) => name),
  );
  assert.match(
    rows.find((row) => row.startsWith('swap-off '))!,
    /^swap-off +always +ok, swap-on, swap-allowed$/,
  );
  const listed = JSON.parse(await said('probes', 'list', '--format', 'json')) as { name: string; answers: unknown[] }[];
  assert.deepEqual(listed.find(({ name }) => name === 'swap-off')!.answers[0], {
    code: 'ok',
    outcome: 'ok',
    sentence: 'Swap is off.',
  });
});

test('streams list names every stream and what tells it', async () => {
  const rows = (await said('streams', 'list')).split('\n').slice(1, -1);
  assert.deepEqual(
    rows.map((row) => row.split(' ')[0]),
    readBuiltInPack().streamTable.streams.map(({ name }) => name),
  );
  assert.match(rows[0]!, /^kubelet +kubelet +kubelet: .*\*\*\/kubelet\.log/);
});

test('version says which patterns and which platform', async () => {
  const [tool, patterns, platform] = (await said('version')).split('\n');
  assert.equal(tool, `eks-bootstrap-analyzer ${VERSION}`);
  assert.match(patterns!, new RegExp(`^patterns ${readBuiltInPack().digest}`));
  assert.equal(platform, `${process.platform} ${process.arch}, Node ${process.versions.node}`);
  const { packDigest } = JSON.parse(await said('version', '--format', 'json')) as { packDigest: string };
  assert.equal(packDigest, readBuiltInPack().digest);
});

// The logs behind a failed boot, by the built executable in its unit against a CloudWatch Logs that is not ours: read back by the AWS
// CLI and from the file on the node they give the same cause again.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DIST } from '../../../build/project.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import type { Verdict } from '../../../src/types.ts';
import { prepareMoto, startMoto } from '../moto.ts';
import { deliveringNode, GROUP, INSTANCE } from './delivering-node.ts';

const IDENTITY = '--probe=instance-metadata-reachable,cluster-configured';
const ARCHIVE = '/var/lib/eks-bootstrap-analyzer/logs.tar.gz';
const END_LIMIT_MS = 60_000;
const ANALYZE_LIMIT_MS = 20_000;
const STARTED = 'I0102 09:00:01.123456    2711 server.go:525] "Kubelet version" kubeletVersion="v1.34.1-eks-113cf36"';
const REFUSED =
  'E0102 09:00:01.123456    2711 run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --no-such-flag"';
const SECRET = 'AnInventedPassphrase77';

const missing = await prepareMoto();

function analyzed(path: string): Promise<Verdict> {
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  const args = [join(DIST, 'eks-bootstrap-analyzer.cjs'), 'analyze', '--format=json', path];
  execFile(process.execPath, args, { timeout: ANALYZE_LIMIT_MS }, (_error, stdout) =>
    resolve(JSON.parse(stdout) as Verdict),
  );
  return promise;
}

describe('logs of a failed boot', { skip: missing ?? false }, () => {
  test('follow its last verdict once, without secrets, and are read back to the same cause', async (t) => {
    const moto = await startMoto(t);
    await using delivering = await deliveringNode(t, { port: Number(new URL(moto.url).port) });
    delivering.say(STARTED, `starting with DB_PASSWORD=${SECRET}`, REFUSED);
    const options = ['--deadline=25s', '--ship-logs=on-failure', IDENTITY];
    await delivering.startWatch(...options);
    assert.equal(await delivering.watchEnd(END_LIMIT_MS), 'success');
    const last = (await delivering.verdicts()).at(-1)!;
    assert.deepEqual([last.status, last.cause?.id, last.final], ['failed', 'kubelet-flag-invalid', true]);
    await delivering.startWatch(...options);
    assert.equal(await delivering.watchEnd(END_LIMIT_MS), 'success');
    await delivering.diagnose('--ship-logs=on-failure', IDENTITY);

    const stream = ['--log-group-name', GROUP, '--log-stream-name', `${INSTANCE}/logs`];
    const read = (await moto.cli('logs', 'get-log-events', ...stream, '--start-from-head')) as {
      events: { message: string }[];
    };
    const texts = read.events.map(({ message }) => message);
    assert.match(
      texts[0]!,
      /^eks-bootstrap-analyzer: Logs of i-\S+ for verdict \w+ \(failed, kubelet-flag-invalid\): \d+ of \d+ lines/,
    );
    assert.equal(texts.filter((text) => text.startsWith('eks-bootstrap-analyzer: Logs')).length, 1, 'once');
    assert.ok(texts.some((text) => text.includes('DB_PASSWORD=[redacted:')));
    assert.ok(!delivering.received().includes(SECRET));

    const folder = tempFolder(t, {});
    writeFileSync(join(folder, 'stream.json'), JSON.stringify(read));
    copyFileSync(delivering.node.path(ARCHIVE), join(folder, 'logs.tar.gz'));
    for (const file of ['stream.json', 'logs.tar.gz']) {
      const { status, cause } = await analyzed(join(folder, file));
      assert.deepEqual([status, cause?.id], ['failed', 'kubelet-flag-invalid'], file);
    }
  });
});

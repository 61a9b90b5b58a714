// Verdicts reach a CloudWatch Logs that is not ours and are read back with a client that is not ours.
import assert from 'node:assert/strict';
import { before, describe, test, after } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { atMost, recordBar } from '../../../build/bars.ts';
import { renderCloudWatchEvent } from '../../../src/render/cloudwatch/cloudwatch-event.ts';
import { defaultLogGroup, logStreamOf } from '../../../src/sinks/cloudwatch/names.ts';
import type { Verdict } from '../../../src/types.ts';
import { makeAuthority, makeServer } from '../../host/certificates.ts';
import { FAILED, redacted } from '../../render/verdicts.ts';
import { type Metadata, metadataServer } from '../../sinks/metadata-server.ts';
import { eventOf, openShipper, SERVER_NAME } from '../../sinks/shipper.ts';
import { type Moto, prepareMoto, startMoto, tlsFront } from '../moto.ts';

const PATIENCE_MS = 20_000;
const READINGS = 100;

const missing = await prepareMoto();
const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

describe('moto', { skip: missing ?? false }, () => {
  let moto: Moto;
  let metadata: Metadata;
  const cleanups: (() => void)[] = [];
  const t = { after: (cleanup: () => void) => void cleanups.push(cleanup) };
  before(async () => {
    moto = await startMoto(t);
    metadata = await metadataServer(t);
  });
  after(() => cleanups.toReversed().forEach((cleanup) => cleanup()));

  test('a verdict creates its group and stream, and is read back as it was sent', async (t) => {
    const verdict: Verdict = { ...FAILED, final: true, at: new Date().toISOString() };
    const event = renderCloudWatchEvent(redacted(verdict), {
      nowMs: Date.now(),
      counts: { started: true, seen: true, ended: true, recovered: false, cause: FAILED.cause!.id },
    });
    const [logGroup, logStream] = [defaultLogGroup(FAILED.node.cluster), logStreamOf(FAILED.node.instanceId)];
    const shipper = openShipper(
      t,
      { server: moto, metadata },
      { logGroup, logStream, createLogGroup: true, retentionDays: 30 },
    );
    assert.deepEqual(await shipper.ship([{ ...event, instanceId: null }], patience()), { kind: 'accepted' });
    const [read, ...more] = await moto.readBack(logGroup, logStream);
    assert.deepEqual(read, JSON.parse(event.text));
    assert.deepEqual(more, []);
    const groups = (await moto.cli('logs', 'describe-log-groups')) as {
      logGroups: { logGroupName: string; retentionInDays?: number }[];
    };
    assert.deepEqual(
      groups.logGroups.map(({ logGroupName, retentionInDays }) => [logGroupName, retentionInDays]),
      [[logGroup, 30]],
    );
  });

  test('over TLS, by an authority of this machine', async (t) => {
    const authority = makeAuthority('Company CA');
    const { port } = await tlsFront(t, moto, makeServer(authority, 'Company CA', [SERVER_NAME]));
    const server = { url: `https://${SERVER_NAME}:${port}` };
    const systemTrust = () => Promise.resolve(createSecureContext({ ca: authority.cert }));
    const shipper = openShipper(t, { server, metadata }, { logGroup: '/tls', createLogGroup: true, systemTrust });
    assert.deepEqual(await shipper.ship([eventOf('tls')], patience()), { kind: 'accepted' });
    assert.deepEqual(
      (await moto.readBack('/tls', 'i-1')).map(({ id }) => id),
      ['tls'],
    );
  });

  test('a group that is missing is told, and found once it is there', async (t) => {
    const shipper = openShipper(t, { server: moto, metadata }, { logGroup: '/later' });
    const outcome = await shipper.ship([eventOf('1')], patience());
    assert.equal(outcome.kind === 'refused' && outcome.reason, 'group-missing');
    await moto.cli('logs', 'create-log-group', '--log-group-name', '/later');
    assert.deepEqual(await shipper.ship([eventOf('1')], patience()), { kind: 'accepted' });
    assert.equal((await moto.readBack('/later', 'i-1')).length, 1);
  });

  test('two shippers of one node share a stream', async (t) => {
    const shippers = [1, 2].map(() =>
      openShipper(t, { server: moto, metadata }, { logGroup: '/shared', createLogGroup: true }),
    );
    const outcomes = await Promise.all(
      shippers.map((shipper, index) => shipper.ship([eventOf(String(index))], patience())),
    );
    assert.deepEqual(outcomes, [{ kind: 'accepted' }, { kind: 'accepted' }]);
    assert.equal((await moto.readBack('/shared', 'i-1')).length, 2);
  });

  test('an accepted verdict can be read at once', async (t) => {
    const shipper = openShipper(t, { server: moto, metadata }, { logGroup: '/speed', createLogGroup: true });
    const elapsedMs: number[] = [];
    for (let index = 0; index < READINGS; index++) {
      const startMs = performance.now();
      assert.equal((await shipper.ship([eventOf(String(index))], patience())).kind, 'accepted');
      while ((await moto.count('/speed', 'i-1', `"id":"${index}"`)) === 0) await setImmediate();
      elapsedMs.push(performance.now() - startMs);
    }
    assert.equal((await moto.readBack('/speed', 'i-1')).length, READINGS);
    const p99 = elapsedMs.toSorted((a, b) => a - b)[Math.ceil(READINGS * 0.99) - 1]!;
    recordBar(
      atMost({ bar: 'event handed to the shipper → readable from moto, p99', unit: 'ms', wanted: 500, seen: p99 }),
    );
  });
});

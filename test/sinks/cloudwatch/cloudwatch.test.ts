import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { tempFolder } from '../../build/temp-folder.ts';
import { connectProxy } from '../connect-proxy.ts';
import { logsServer } from '../logs-server.ts';
import { metadataServer } from '../metadata-server.ts';
import { EVENT, eventOf, openShipper } from '../shipper.ts';
import { BATCH_EVENTS } from '../../../src/sinks/spool/ship-waiting.ts';

const PATIENCE_MS = 10_000;
const HOUR_MS = 3_600_000;
const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

async function surroundings(t: Parameters<typeof logsServer>[0]) {
  const [server, metadata] = [await logsServer(t), await metadataServer(t)];
  server.groups.set('/g', null);
  return { server, metadata };
}

test('a verdict reaches the stream of its node, with the credentials and the region of the instance', async (t) => {
  const { server, metadata } = await surroundings(t);
  assert.deepEqual(await openShipper(t, { server, metadata }).ship([EVENT], patience()), { kind: 'accepted' });
  assert.deepEqual(server.streams.get('/g/i-1'), [{ timestamp: EVENT.atMs, message: EVENT.text }]);
  assert.deepEqual(
    server.calls.map(({ action, accessKey }) => [action, accessKey]),
    [
      ['CreateLogStream', 'ASIAEXAMPLEEXAMPLE00'],
      ['PutLogEvents', 'ASIAEXAMPLEEXAMPLE00'],
    ],
  );
});

test('the next verdict needs one call and no credentials', async (t) => {
  const { server, metadata } = await surroundings(t);
  const shipper = openShipper(t, { server, metadata });
  await shipper.ship([EVENT], patience());
  const asked = metadata.requests.length;
  await shipper.ship([eventOf('2')], patience());
  assert.equal(server.calls.length, 3);
  assert.equal(metadata.requests.length, asked);
});

test('events of different days, out of order, too old and too new, all arrive', async (t) => {
  const { server, metadata } = await surroundings(t);
  const hours = [0, -30, -1000, 5, -2, 1, -30];
  const events = hours.map((hour, index) => eventOf(String(index), Date.now() + hour * HOUR_MS));
  assert.deepEqual(await openShipper(t, { server, metadata }).ship(events, patience()), { kind: 'accepted' });
  assert.deepEqual(new Set(server.messages().map(({ id }) => id)), new Set(events.map(({ id }) => id)));
  assert.equal(server.messages().length, events.length);
});

test('the largest shipment arrives in one call', async (t) => {
  const { server, metadata } = await surroundings(t);
  const events = Array.from({ length: BATCH_EVENTS }, (_, index) =>
    eventOf(String(index), Date.now(), { fill: 'x'.repeat(65_000) }),
  );
  assert.deepEqual(await openShipper(t, { server, metadata }).ship(events, patience()), { kind: 'accepted' });
  assert.equal(server.messages().length, BATCH_EVENTS);
  assert.equal(server.calls.filter(({ action }) => action === 'PutLogEvents').length, 1);
});

test('what was accepted is not sent again when a later batch fails', async (t) => {
  const { server, metadata } = await surroundings(t);
  const shipper = openShipper(t, { server, metadata });
  await shipper.ship([EVENT], patience());
  const events = Array.from({ length: 30 }, (_, index) =>
    eventOf(`e${index}`, Date.now() - 50 * HOUR_MS + index * 2 * HOUR_MS),
  );
  const end = shipper.ship(events, patience());
  server.fail([{ status: 500, type: 'InternalFailure' }]);
  assert.deepEqual(await end, { kind: 'accepted' });
  const ids = server.messages().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 31);
});

test('times that the service rejects are replaced by its own', async (t) => {
  const { server, metadata } = await surroundings(t);
  // A retention of one day rejects what the API itself would take.
  const before = server.place;
  server.place = (events, nowMs) => before(events, nowMs, 24 * HOUR_MS);
  const events = [eventOf('old', Date.now() - 72 * HOUR_MS), eventOf('new')];
  assert.deepEqual(await openShipper(t, { server, metadata }).ship(events, patience()), { kind: 'accepted' });
  const old = server.messages().find(({ id }) => id === 'old');
  assert.equal(old?.['nodeTime'], new Date(events[0]!.atMs).toISOString());
  assert.equal(server.messages().length, 2);
});

test('a service that rejects every time is told on, not asked for ever', async (t) => {
  const { server, metadata } = await surroundings(t);
  server.place = (events) => ({ accepted: [], rejected: { tooOldLogEventEndIndex: events.length } });
  const outcome = await openShipper(t, { server, metadata }).ship([EVENT], patience());
  assert.equal(outcome.kind === 'refused' && outcome.reason, 'event-rejected');
});

test('a refusal names the permission and what it is needed on', async (t) => {
  const { server, metadata } = await surroundings(t);
  server.denied.add('PutLogEvents');
  const outcome = await openShipper(t, { server, metadata }).ship([EVENT], patience());
  assert.deepEqual(outcome, {
    kind: 'refused',
    reason: 'access-denied',
    detail:
      'The instance role lacks a permission: allow logs:PutLogEvents on arn:aws:logs:us-west-2:111122223333:log-group:/g:log-stream:i-1.',
  });
});

test('a group that is missing and may not be made is told with both ways out', async (t) => {
  const server = await logsServer(t);
  const metadata = await metadataServer(t);
  server.denied.add('CreateLogGroup');
  const shipper = openShipper(t, { server, metadata }, { logGroup: '/none', createLogGroup: true });
  const outcome = await shipper.ship([eventOf('1')], AbortSignal.timeout(5_000));
  assert.deepEqual(outcome, {
    kind: 'refused',
    reason: 'group-missing',
    detail:
      'The log group /none does not exist in us-west-2, and the instance role may not create it: create it, or allow logs:CreateLogGroup on arn:aws:logs:us-west-2:111122223333:log-group:/none.',
  });
});

test('a retention that may not be set does not stop the delivery, and is told', async (t) => {
  const { server, metadata } = await surroundings(t);
  server.groups.clear();
  server.denied.add('PutRetentionPolicy');
  const outcome = await openShipper(t, { server, metadata }, { createLogGroup: true, retentionDays: 7 }).ship(
    [EVENT],
    patience(),
  );
  assert.deepEqual(outcome, {
    kind: 'accepted',
    note: 'The instance role lacks a permission: allow logs:PutRetentionPolicy on arn:aws:logs:us-west-2:111122223333:log-group:/g.',
  });
});

test('an event that is too large is refused before anything is sent', async (t) => {
  const { server, metadata } = await surroundings(t);
  const outcome = await openShipper(t, { server, metadata }).ship(
    [eventOf('1', Date.now(), { fill: 'x'.repeat(300_000) })],
    patience(),
  );
  assert.equal(outcome.kind === 'refused' && outcome.reason, 'event-too-large');
  assert.equal(server.calls.length, 0);
});

test('an abort ends a delivery at once, wherever it is', async (t) => {
  const { server, metadata } = await surroundings(t);
  metadata.mode = 'silent';
  const stop = new AbortController();
  const end = openShipper(t, { server, metadata }, { region: 'us-west-2' }).ship([EVENT], stop.signal);
  setImmediate(() => stop.abort());
  const startMs = performance.now();
  assert.equal((await end).kind, 'unreachable');
  assert.ok(performance.now() - startMs < 500);
});

test('after close nothing is sent', async (t) => {
  const { server, metadata } = await surroundings(t);
  const shipper = openShipper(t, { server, metadata });
  shipper.close();
  assert.equal((await shipper.ship([EVENT], patience())).kind, 'unreachable');
  assert.equal(server.calls.length, 0);
});

test("credentials of the environment go before the instance's, and no user's file is read", async (t) => {
  const { server, metadata } = await surroundings(t);
  const home = tempFolder(t, {
    '.aws/config': '[default]\nregion = eu-west-1\ncredential_process = /bin/sleep 1000\n',
  });
  const shipper = openShipper(t, { server, metadata });
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLEEXAMPLE99';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
  t.after(() => (process.env['HOME'] = before));
  assert.deepEqual(await shipper.ship([EVENT], patience()), { kind: 'accepted' });
  assert.equal(server.calls[0]?.accessKey, 'AKIAEXAMPLEEXAMPLE99');
});

test('the metadata service is never asked by way of a proxy', async (t) => {
  const { server, metadata } = await surroundings(t);
  const proxy = await connectProxy(t);
  const shipperFile = JSON.stringify(join(import.meta.dirname, '../shipper.ts'));
  const given = JSON.stringify({ server: { url: server.url }, metadata: { url: metadata.url } });
  const code = `
    const { openShipper, EVENT } = await import(${shipperFile});
    const shipper = openShipper({ after: () => {} }, ${given});
    console.log(JSON.stringify(await shipper.ship([EVENT], AbortSignal.timeout(5000))));
    shipper.close();
  `;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal((await text(child.stdout)).trim(), '{"kind":"accepted"}');
  assert.deepEqual(proxy.targets, []);
  assert.ok(metadata.requests.length > 0);
});

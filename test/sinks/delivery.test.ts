import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { CONSOLE_MAX_CHARS, renderConsoleLine } from '../../src/render/console-line.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderVerdictLine } from '../../src/render/verdict-line.ts';
import { wasReadyBefore } from '../../src/sinks/local/ready-mark.ts';
import { createDelivery, type Delivery, type DeliveryOptions, type DeliveryReport } from '../../src/sinks/delivery.ts';
import type { Places } from '../../src/sinks/local/places.ts';
import type { Shipper } from '../../src/sinks/shipper.ts';
import type { Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { FAILED, redacted, UNKNOWN } from '../render/verdicts.ts';
import {
  fakeConsole,
  type FakeConsole,
  fakeShipper,
  idOf,
  placesIn,
  REFUSED,
  shippersOf,
  UNREACHABLE,
} from './fakes.ts';

const SOON_MS = 100;

interface Setting {
  readonly delivery: Delivery;
  readonly places: Places;
  readonly console: FakeConsole;
}

function setUp(t: TestContext, shipper: Shipper | null, change: Partial<DeliveryOptions> = {}): Setting {
  const places = placesIn(tempFolder(t, {}));
  const console = fakeConsole();
  const delivery = createDelivery({
    host: console,
    words: {
      file: (verdict) => renderJson(verdict, ''),
      line: renderVerdictLine,
      event: (verdict) => ({ id: verdict.id, atMs: 0, final: verdict.final, text: renderVerdictLine(verdict) }),
      started: ({ id }) => ({ id, atMs: 0, final: false, text: '{}' }),
      console: renderConsoleLine,
    },
    shippers: shipper === null ? null : shippersOf(async () => shipper),
    places,
    ...change,
  });
  t.after(() => delivery.close());
  return { delivery, places, console };
}

function verdictOf(number: number, change: Partial<Verdict> = {}): ReturnType<typeof redacted> {
  return redacted({ ...FAILED, id: idOf(number), sequence: number, bootId: 'b'.repeat(32), ...change });
}

function outcomes({ sinks }: DeliveryReport): Record<string, string> {
  return Object.fromEntries(sinks.map(({ sink, outcome, code }) => [sink, code ?? outcome]));
}

function spooled({ state }: Places): string[] {
  return readdirSync(join(state, 'spool')).map(
    (name) => `${Number(name.split('-')[0])}-${Number(`0x${name.split('-')[1]}`)}`,
  );
}

test('a verdict stands in both files and is taken; nothing stays in the spool and the console is left alone', async (t) => {
  const shipper = fakeShipper();
  const { delivery, places, console } = setUp(t, shipper);
  const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.deepEqual(outcomes(report), {
    'verdict file': 'delivered',
    'verdict log': 'delivered',
    'CloudWatch Logs': 'delivered',
    console: 'skipped',
  });
  assert.deepEqual([report.accepted, report.notes], [true, []]);
  assert.equal(JSON.parse(readFileSync(join(places.run, 'verdict.json'), 'utf8')).id, idOf(1));
  assert.equal(JSON.parse(readFileSync(join(places.log, 'verdicts.jsonl'), 'utf8')).id, idOf(1));
  assert.deepEqual(spooled(places), []);
  assert.deepEqual(console.lines, []);
});

test('what could not be delivered goes first with the next verdict', async (t) => {
  const shipper = fakeShipper((_events, call) => (call < 3 ? UNREACHABLE : { kind: 'accepted' }));
  const { delivery, places } = setUp(t, shipper);
  for (const number of [1, 2])
    assert.equal((await delivery.deliver(verdictOf(number), AbortSignal.timeout(5_000))).accepted, false);
  assert.deepEqual(spooled(places), ['1-1', '2-2']);
  assert.equal((await delivery.deliver(verdictOf(3), AbortSignal.timeout(5_000))).accepted, true);
  assert.deepEqual(shipper.accepted, [1, 2, 3].map(idOf));
  assert.deepEqual(spooled(places), []);
});

test('the next run delivers what waits', async (t) => {
  const { delivery, places } = setUp(
    t,
    fakeShipper(() => UNREACHABLE),
  );
  for (let number = 1; number <= 30; number++) await delivery.deliver(verdictOf(number), AbortSignal.timeout(5_000));
  const shipper = fakeShipper();
  const next = setUp(t, shipper, { places });
  assert.deepEqual(await next.delivery.flush(FAILED.node, AbortSignal.timeout(5_000)), {
    accepted: 30,
    waiting: 0,
    notes: [],
  });
  assert.deepEqual(
    shipper.accepted,
    Array.from({ length: 30 }, (_, at) => idOf(at + 1)),
  );
  assert.ok(shipper.calls.every((call) => call.length <= 12));
  assert.deepEqual(spooled(places), []);
});

test('with nothing to ship the client is not loaded', async (t) => {
  let opened = 0;
  const { delivery } = setUp(t, null, { shippers: shippersOf(async () => (opened++, fakeShipper())) });
  assert.deepEqual(await delivery.flush(FAILED.node, AbortSignal.timeout(5_000)), {
    accepted: 0,
    waiting: 0,
    notes: [],
  });
  assert.equal(opened, 0);
});

test('refused: the console says it once for each answer, and the report says why', async (t) => {
  const { delivery, places, console } = setUp(
    t,
    fakeShipper(() => REFUSED),
  );
  const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.equal(outcomes(report)['console'], 'delivered');
  assert.deepEqual(report.notes, [{ what: 'CloudWatch Logs', code: 'refused', detail: 'logs:PutLogEvents' }]);
  assert.equal(
    outcomes(await delivery.deliver(verdictOf(2, { final: true }), AbortSignal.timeout(5_000)))['console'],
    'skipped',
  );
  await delivery.deliver(redacted({ ...UNKNOWN, id: idOf(3) }), AbortSignal.timeout(5_000));
  await delivery.deliver(redacted({ ...UNKNOWN, id: idOf(4), final: true }), AbortSignal.timeout(5_000));
  assert.equal(console.lines.length, 2);
  assert.match(
    console.lines[0]!,
    /^eks-bootstrap-analyzer: failed swap-enabled \(high\): The kubelet refuses .* Fix: Switch swap off\. swapoff -a/,
  );
  assert.match(console.lines[1]!, /^eks-bootstrap-analyzer: unknown: /);
  assert.equal(spooled(places).length, 4);
});

test('an event that is never taken keeps no other back', async (t) => {
  const { delivery, places } = setUp(
    t,
    fakeShipper(() => UNREACHABLE),
  );
  for (const number of [1, 2, 3]) await delivery.deliver(verdictOf(number), AbortSignal.timeout(5_000));
  const shipper = fakeShipper((events) => (events.some(({ id }) => id === idOf(2)) ? REFUSED : { kind: 'accepted' }));
  const report = await setUp(t, shipper, { places }).delivery.deliver(verdictOf(4), AbortSignal.timeout(5_000));
  assert.equal(report.accepted, true);
  assert.deepEqual(report.notes, [{ what: 'spool', code: 'events-refused', detail: '1' }]);
  assert.deepEqual(shipper.accepted.toSorted(), [1, 3, 4].map(idOf));
  assert.deepEqual(spooled(places), []);
});

test('on abort everything is on disk at once, and the console is told', async (t) => {
  const { delivery, places, console } = setUp(
    t,
    fakeShipper(() => null),
  );
  const stop = new AbortController();
  const delivering = delivery.deliver(verdictOf(1, { final: true }), stop.signal);
  setTimeout(() => stop.abort(), SOON_MS);
  const startMs = performance.now();
  const report = await delivering;
  assert.ok(performance.now() - startMs < SOON_MS + 500);
  assert.equal(outcomes(report)['CloudWatch Logs'], 'unreachable');
  assert.equal(console.lines.length, 1);
  assert.deepEqual(spooled(places), ['1-1']);
});

test('a shipper or a client that hears no signal is left behind', async (t) => {
  const deaf: Shipper = { ship: () => new Promise(() => {}), close: () => {} };
  for (const openShipper of [async () => deaf, () => new Promise<Shipper>(() => {})]) {
    const { delivery, places } = setUp(t, null, { shippers: shippersOf(openShipper) });
    const startMs = performance.now();
    const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(SOON_MS));
    assert.ok(performance.now() - startMs < SOON_MS + 1_000);
    assert.equal(outcomes(report)['CloudWatch Logs'], 'unreachable');
    assert.deepEqual(spooled(places), ['1-1']);
  }
});

test('a client that cannot be loaded is told, and tried again the next time', async (t) => {
  let calls = 0;
  const shipper = fakeShipper();
  const openShipper = async (): Promise<Shipper> => {
    if (++calls <= 2) throw new Error('no region');
    return shipper;
  };
  const { delivery } = setUp(t, null, { shippers: shippersOf(openShipper) });
  const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.deepEqual(report.notes, [{ what: 'CloudWatch Logs', code: 'client-failed', detail: 'no region' }]);
  assert.equal((await delivery.deliver(verdictOf(2), AbortSignal.timeout(5_000))).accepted, true);
  assert.deepEqual(shipper.accepted, [1, 2].map(idOf));
});

test('when it becomes known where the verdicts go, the next one goes there', async (t) => {
  const shippers = [fakeShipper(), fakeShipper()];
  let opened = 0;
  const { delivery } = setUp(t, null, {
    shippers: { name: ({ cluster }) => String(cluster), open: async () => shippers[opened++]! },
  });
  for (const number of [1, 2])
    await delivery.deliver(verdictOf(number, { node: { ...FAILED.node, cluster: null } }), AbortSignal.timeout(5_000));
  await delivery.deliver(verdictOf(3), AbortSignal.timeout(5_000));
  assert.deepEqual(
    shippers.map(({ accepted, closed }) => [accepted, closed]),
    [
      [[1, 2].map(idOf), true],
      [[idOf(3)], false],
    ],
  );
});

test('a verdict that is still tried is taken along by the next one', async (t) => {
  const shipper = fakeShipper((_events, call) => (call === 1 ? null : { kind: 'accepted' }));
  const { delivery, places, console } = setUp(t, shipper);
  const first = delivery.deliver(verdictOf(1), AbortSignal.timeout(30_000));
  while (shipper.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const second = await delivery.deliver(verdictOf(2), AbortSignal.timeout(5_000));
  assert.equal(outcomes(await first)['CloudWatch Logs'], 'skipped');
  assert.equal(second.accepted, true);
  assert.deepEqual(shipper.accepted, [1, 2].map(idOf));
  assert.deepEqual([spooled(places), console.lines], [[], []]);
});

test('verdicts that come all at once are each taken once', async (t) => {
  const shipper = fakeShipper();
  const { delivery, places } = setUp(t, shipper);
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map((number) => delivery.deliver(verdictOf(number), AbortSignal.timeout(5_000))),
  );
  assert.deepEqual(shipper.accepted.toSorted(), [1, 2, 3, 4, 5, 6].map(idOf));
  assert.deepEqual(spooled(places), []);
  assert.equal(readFileSync(join(places.log, 'verdicts.jsonl'), 'utf8').trimEnd().split('\n').length, 6);
});

test('folders that were tampered with: each is told in a note, and the verdict is shipped all the same', async (t) => {
  const shipper = fakeShipper();
  const { delivery, places } = setUp(t, shipper);
  const target = tempFolder(t, {});
  for (const folder of [places.run, places.log, places.state]) symlinkSync(target, folder);
  const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.equal(report.accepted, true);
  assert.deepEqual(
    report.notes.map(({ what, code, detail }) => [what, code, detail]),
    [
      ['verdict file', 'folder-symlink', places.run],
      ['verdict log', 'folder-symlink', places.log],
      ['spool', 'folder-symlink', places.state],
    ],
  );
  assert.deepEqual(readdirSync(target), []);
});

test('no disk and no network: the console has it', async (t) => {
  const { console, ...setting } = setUp(
    t,
    fakeShipper(() => UNREACHABLE),
  );
  for (const folder of [setting.places.run, setting.places.log, setting.places.state]) writeFileSync(folder, '');
  const report = await setting.delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.equal(console.lines.length, 1);
  assert.deepEqual(
    report.notes.map(({ code }) => code),
    ['no-folder', 'no-folder', 'unreachable', 'no-folder'],
  );
});

test('files alone: nothing else is touched', async (t) => {
  const { delivery, places, console } = setUp(t, null);
  const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  assert.deepEqual(outcomes(report), {
    'verdict file': 'delivered',
    'verdict log': 'delivered',
    'CloudWatch Logs': 'skipped',
    console: 'skipped',
  });
  assert.deepEqual([console.lines, existsSync(places.state)], [[], false]);
});

test('a Ready node is remembered', async (t) => {
  const { delivery, places } = setUp(t, fakeShipper());
  mkdirSync(places.state, { mode: 0o700 });
  await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
  const mark = { instanceId: 'i-0a1b2c3d4e5f60718', bootId: 'c'.repeat(32) };
  assert.equal(await wasReadyBefore(mark, places), false);
  await delivery.deliver(verdictOf(2, { status: 'ready', cause: null, final: true }), AbortSignal.timeout(5_000));
  assert.equal(await wasReadyBefore(mark, places), true);
});

test('a console line is one line of at most 400 characters', () => {
  const long = 'word '.repeat(500);
  const remedy = [{ text: long, command: 'a\nb', where: 'node' as const }];
  for (const verdict of [
    redacted({ ...FAILED, cause: { ...FAILED.cause!, summary: long, remedy } }),
    redacted(FAILED),
    redacted(UNKNOWN),
  ]) {
    const line = renderConsoleLine(verdict);
    assert.ok(
      line.length <= CONSOLE_MAX_CHARS && !line.includes('\n') && line.startsWith('eks-bootstrap-analyzer: '),
      line,
    );
  }
});

/** A small file system of its own, which only root can mount. */
function mounted(t: TestContext, options: string): string | null {
  // What is registered first is done first: the folder is removed after it.
  let folder = '';
  t.after(() => spawnSync('umount', [folder], { stdio: 'ignore' }));
  folder = tempFolder(t, {});
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' }).status === 0
    ? folder
    : null;
}

for (const { what, options, code } of [
  { what: 'full', options: 'size=4k,nr_inodes=3', code: 'disk-full' },
  { what: 'read-only', options: 'ro', code: 'read-only' },
])
  test(`a disk that is ${what}: the verdict is shipped all the same, and told why it is not kept`, async (t) => {
    const disk = mounted(t, options);
    if (disk === null) {
      t.skip('nothing can be mounted here');
      return;
    }
    const shipper = fakeShipper();
    const { delivery } = setUp(t, shipper, { places: { ...placesIn(disk), run: tempFolder(t, {}) } });
    const report = await delivery.deliver(verdictOf(1), AbortSignal.timeout(5_000));
    assert.deepEqual([report.accepted, outcomes(report)['verdict file']], [true, 'delivered']);
    assert.deepEqual(
      report.notes.map((note) => [note.what, note.code]),
      [
        ['verdict log', code],
        ['spool', code],
      ],
    );
    assert.deepEqual(shipper.accepted, [idOf(1)]);
  });

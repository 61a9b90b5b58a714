import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSpool, type Listed, type Spool, SPOOL_MAX_BYTES } from '../../../src/sinks/spool/spool.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { eventOf, idOf } from '../fakes.ts';

const ALL = { most: Infinity, except: new Set<string>(), instanceId: null };

function spoolIn(t: TestContext): { readonly spool: Spool; readonly folder: string } {
  const state = join(tempFolder(t, {}), 'state');
  return { spool: createSpool(state), folder: join(state, 'spool') };
}

async function keep(spool: Spool, ...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const { durable } = await spool.put(eventOf(number));
    await durable;
  }
}

function idsOf({ waiting }: Listed): string[] {
  return waiting.map(({ event }) => event.id);
}

test('an event is there until it is removed', async (t) => {
  const { spool, folder } = spoolIn(t);
  const event = eventOf(1, { final: true, instanceId: 'i-0abc', text: '{"line":"ä\\n"}' });
  const { name, durable } = await spool.put(event);
  await durable;
  assert.deepEqual(readdirSync(folder), [`000000000001-${idOf(1)}-final`]);
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const { waiting } = await spool.oldest(ALL);
  assert.deepEqual(waiting, [{ name, event }]);
  await spool.remove([name]);
  assert.deepEqual(readdirSync(folder), []);
});

test('an event without a time is kept too', async (t) => {
  const { spool } = spoolIn(t);
  await (
    await spool.put(eventOf(1, { atMs: NaN }))
  ).durable;
  assert.deepEqual((await spool.oldest(ALL)).waiting[0]?.event, eventOf(1, { atMs: NaN }));
});

test('events come back in the order in which they came, as many as are asked for', async (t) => {
  const { spool } = spoolIn(t);
  await keep(spool, 7, 3, 9, 1);
  const first = await spool.oldest({ ...ALL, most: 2 });
  assert.deepEqual(idsOf(first), [7, 3].map(idOf));
  const except = new Set(first.waiting.map(({ name }) => name));
  assert.deepEqual(idsOf(await spool.oldest({ ...ALL, except })), [9, 1].map(idOf));
  assert.equal(await spool.count(), 4);
});

test('damaged files are removed and counted', async (t) => {
  const { spool, folder } = spoolIn(t);
  await keep(spool, 1, 2, 3, 4, 5);
  const files = readdirSync(folder).map((name) => join(folder, name));
  truncateSync(files[0]!, 0);
  truncateSync(files[1]!, 150);
  writeFileSync(files[2]!, readFileSync(files[2]!, 'utf8').replace('"number":3', '"number":4'));
  writeFileSync(files[3]!, 'x'.repeat(200_000));
  symlinkSync('/etc/passwd', join(folder, `000000000000-${idOf(9)}-final`));
  mkdirSync(join(folder, `000000000000-${idOf(8)}-final`));
  writeFileSync(join(folder, 'not ours'), '');
  const listed = await spool.oldest(ALL);
  assert.deepEqual(idsOf(listed), [idOf(5)]);
  assert.equal(listed.damaged, 6);
  assert.equal(readdirSync(folder).length, 2);
});

test('events of another instance, which came with an image, are removed and counted', async (t) => {
  const { spool } = spoolIn(t);
  for (const [number, instanceId] of ['i-0aaa', 'i-0bbb', null].entries())
    await (
      await spool.put(eventOf(number, { instanceId }))
    ).durable;
  const listed = await spool.oldest({ ...ALL, instanceId: 'i-0bbb' });
  assert.deepEqual(idsOf(listed), [1, 2].map(idOf));
  assert.equal(listed.foreign, 1);
});

test('a full spool drops the oldest interim events and never a final one', async (t) => {
  const { spool, folder } = spoolIn(t);
  const text = 'x'.repeat(64 * 1024);
  const bytes = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  let dropped = 0;
  const written: Promise<void>[] = [];
  for (let number = 1; number <= 300; number++) {
    const put = await spool.put(eventOf(number, { text, final: number % 2 === 0 }));
    dropped += put.dropped;
    written.push(put.durable);
    if (number % 25 === 0) assert.ok(bytes() <= SPOOL_MAX_BYTES);
  }
  await Promise.all(written);
  const { waiting: kept } = await spool.oldest(ALL);
  assert.equal(kept.length + dropped, 300);
  assert.equal(kept.filter(({ event }) => event.final).length, 150);
  assert.deepEqual(
    kept.slice(-101).map(({ event }) => event.id),
    Array.from({ length: 101 }, (_, at) => idOf(200 + at)),
  );

  for (let number = 301; number <= 410; number++)
    await spool.put(eventOf(number, { text, final: true })).then(
      ({ durable }) => durable,
      () => undefined,
    );
  await assert.rejects(spool.put(eventOf(411, { text, final: true })), { code: 'spool-full' });
  await assert.rejects(spool.put(eventOf(412, { text })), { code: 'spool-full' });
  const { waiting: finals } = await spool.oldest(ALL);
  assert.ok(finals.every(({ event }) => event.final));
  assert.deepEqual(
    finals.slice(0, 150).map(({ event }) => event.id),
    Array.from({ length: 150 }, (_, at) => idOf(2 * (at + 1))),
  );
});

test('an event that is too large is not kept', async (t) => {
  await assert.rejects(spoolIn(t).spool.put(eventOf(1, { text: 'x'.repeat(90_000) })), { code: 'write-failed' });
});

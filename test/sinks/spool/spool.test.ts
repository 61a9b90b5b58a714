import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ownToken } from '../../../src/sinks/local/owner.ts';
import { type Claim, createSpool, type Spool, SPOOL_MAX_BYTES } from '../../../src/sinks/spool/spool.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { eventOf, idOf } from '../fakes.ts';

const ALL = { before: Infinity, most: Infinity };
const DEAD = '999999999-5-abcdef01';

function spoolIn(t: TestContext, instanceId: string | null = null): { readonly spool: Spool; readonly folder: string } {
  const state = join(tempFolder(t, {}), 'state');
  return { spool: createSpool(state, () => instanceId), folder: join(state, 'spool') };
}

async function keep(spool: Spool, ...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const { claim, durable } = await spool.put(eventOf(number));
    await durable;
    await claim.release();
  }
}

function idsOf(claims: readonly Claim[]): string[] {
  return claims.map(({ event }) => event.id);
}

test('an event is there until it is removed, for its owner only', async (t) => {
  const { spool, folder } = spoolIn(t);
  const event = eventOf(1, { final: true, text: '{"line":"ä\\n"}' });
  const { claim, durable } = await spool.put(event);
  await durable;
  assert.deepEqual(readdirSync(folder), [`000000000001-${idOf(1)}-final.${ownToken()}`]);
  assert.equal(statSync(join(folder, readdirSync(folder)[0]!)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await claim.release();
  const { claims } = await spool.claim(ALL);
  assert.deepEqual(claims[0]!.event, event);
  await claims[0]!.remove();
  assert.deepEqual(readdirSync(folder), []);
});

test('events come back in the order in which they came, as many as are asked for', async (t) => {
  const { spool } = spoolIn(t);
  await keep(spool, 7, 3, 9, 1);
  assert.deepEqual(idsOf((await spool.claim({ before: 4, most: 2 })).claims), [7, 3].map(idOf));
  assert.deepEqual(idsOf((await spool.claim({ before: 4, most: 2 })).claims), [9].map(idOf));
  assert.deepEqual(idsOf((await spool.claim(ALL)).claims), [1].map(idOf));
  assert.deepEqual((await spool.claim(ALL)).claims, []);
  assert.equal(await spool.count(), 4);
});

test('what a dead process held is free, what a living one holds is not', async (t) => {
  const { spool, folder } = spoolIn(t);
  await keep(spool, 1, 2);
  const [one, two] = readdirSync(folder) as [string, string];
  renameSync(join(folder, one), join(folder, `${one}.${DEAD}`));
  // This process, as another one sees it: the parent of the test.
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
  renameSync(join(folder, two), join(folder, `${two}.${process.ppid}-${start}-${ownToken().split('-')[2]!}`));
  assert.deepEqual(idsOf((await spool.claim(ALL)).claims), [idOf(1)]);
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
  const { claims, damaged } = await spool.claim(ALL);
  assert.deepEqual(idsOf(claims), [idOf(5)]);
  assert.equal(damaged, 6);
  assert.equal(readdirSync(folder).length, 2);
});

test('events of another instance, which came with an image, are removed and counted', async (t) => {
  const state = join(tempFolder(t, {}), 'state');
  for (const [number, instance] of [['i-0aaa'], ['i-0bbb'], [null]].entries()) {
    const { claim } = await createSpool(state, () => instance[0]!).put(eventOf(number));
    await claim.release();
  }
  const { claims, foreign } = await createSpool(state, () => 'i-0bbb').claim(ALL);
  assert.deepEqual(idsOf(claims), [1, 2].map(idOf));
  assert.equal(foreign, 1);
});

test('a full spool drops the oldest interim events and never a final one', async (t) => {
  const { spool, folder } = spoolIn(t);
  const text = 'x'.repeat(64 * 1024);
  const bytes = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  let dropped = 0;
  for (let number = 1; number <= 300; number++) {
    const put = await spool.put(eventOf(number, { text, final: number % 2 === 0 }));
    dropped += put.dropped;
    await put.claim.release();
    if (number % 25 === 0) assert.ok(bytes() <= SPOOL_MAX_BYTES);
  }
  const kept = (await spool.claim(ALL)).claims;
  assert.equal(kept.length + dropped, 300);
  assert.equal(kept.filter(({ event }) => event.final).length, 150);
  assert.deepEqual(
    idsOf(kept).slice(-101),
    Array.from({ length: 101 }, (_, at) => idOf(200 + at)),
  );
  await Promise.all(kept.map((claim) => claim.release()));

  for (let number = 301; number <= 410; number++)
    await spool.put(eventOf(number, { text, final: true })).then(
      ({ claim }) => claim.release(),
      () => undefined,
    );
  await assert.rejects(spool.put(eventOf(411, { text, final: true })), { code: 'spool-full' });
  await assert.rejects(spool.put(eventOf(412, { text })), { code: 'spool-full' });
  const finals = (await spool.claim(ALL)).claims;
  assert.ok(finals.every(({ event }) => event.final));
  assert.deepEqual(
    idsOf(finals).slice(0, 150),
    Array.from({ length: 150 }, (_, at) => idOf(2 * (at + 1))),
  );
});

test('an event that is too large is not kept', async (t) => {
  await assert.rejects(spoolIn(t).spool.put(eventOf(1, { text: 'x'.repeat(70_000) })), { code: 'write-failed' });
});

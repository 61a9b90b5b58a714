// What the next run of a boot knows to be said, wherever the one before was killed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { saidBefore, takeTurn, writeSaid } from '../../../src/sinks/local/verdict-turn.ts';
import { createSpool } from '../../../src/sinks/spool/spool.ts';
import type { SaidInBoot } from '../../../src/types.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { eventOf, placesIn } from '../fakes.ts';

const BOOT = 'b'.repeat(32);

function saidAt(step: number, bootId: string = BOOT): SaidInBoot {
  const tally = { started: true, seen: ['swap-enabled'], ended: false, recovered: false };
  const answer = { atMs: 20_000, text: 'failed swap-enabled high', causes: ['swap-enabled'] };
  return { bootId, step, sequence: step, lastWord: null, answer, tally, logs: false };
}

test('it is known from the spool, while it is moved out of it, and after', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const spool = createSpool(places.state);
  assert.equal(await saidBefore(BOOT, places), null);
  const names: string[] = [];
  for (const step of [1, 2, 3]) names.push((await spool.put(eventOf(step, { said: saidAt(step) }))).name);
  assert.deepEqual(await saidBefore(BOOT, places), saidAt(3));
  await spool.remove(names.slice(0, 1));
  assert.deepEqual(await saidBefore(BOOT, places), saidAt(3));
  // The newest first, as where the service does not take one of them: it stays the one that counts.
  await spool.remove(names.slice(2));
  await spool.remove(names.slice(1, 2));
  assert.deepEqual(readdirSync(join(places.state, 'spool')), []);
  assert.deepEqual(await saidBefore(BOOT, places), saidAt(3));
});

test('another boot begins anew, and its words replace the old ones', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const spool = createSpool(places.state);
  const [old, young] = [saidAt(9), saidAt(1, 'c'.repeat(32))];
  await spool.remove([(await spool.put(eventOf(1, { said: old }))).name]);
  assert.equal(await saidBefore(young.bootId, places), null);
  await spool.remove([(await spool.put(eventOf(2, { said: young }))).name]);
  assert.deepEqual(await saidBefore(young.bootId, places), young);
  assert.deepEqual([await saidBefore(BOOT, places), await saidBefore(null, places)], [null, null]);
});

test('without a disk that takes it the file of the run is enough; what is no record of ours is none', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  await writeSaid(saidAt(4), places);
  mkdirSync(places.state, { mode: 0o700 });
  for (const text of [
    '',
    '{}',
    'null\n',
    '{"said":{}}\n',
    `{"said":${JSON.stringify({ ...saidAt(9), step: '9' })}}\n`,
  ]) {
    writeFileSync(join(places.state, 'delivered'), text);
    assert.deepEqual(await saidBefore(BOOT, places), saidAt(4), text);
  }
  for (const text of [
    '',
    '[]',
    JSON.stringify({ ...saidAt(5), tally: {} }),
    JSON.stringify({ ...saidAt(5), bootId: '../x' }),
  ]) {
    writeFileSync(join(places.run, 'said.json'), text);
    assert.equal(await saidBefore(BOOT, places), null, text);
  }
});

test('turns do not overlap, and each knows what was said in the one before', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const stop = new AbortController();
  const seen: (number | undefined)[] = [];
  const speak = async (): Promise<void> => {
    const { said, end } = await takeTurn(BOOT, places, stop.signal);
    seen.push(said?.step);
    await writeSaid(saidAt((said?.step ?? 0) + 1), places);
    await end();
  };
  await Promise.all(Array.from({ length: 5 }, speak));
  assert.deepEqual(seen, [undefined, 1, 2, 3, 4]);
  assert.ok(existsSync(join(places.run, 'said.json')));
});

test('a run that is stopped waits half a second for its turn and goes on without', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const { end } = await takeTurn(BOOT, places, new AbortController().signal);
  const startMs = performance.now();
  const second = await takeTurn(BOOT, places, AbortSignal.abort());
  assert.ok(performance.now() - startMs < 1_000, `${performance.now() - startMs} ms`);
  await second.end();
  await end();
});

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { renderJson } from '../../../src/render/json.ts';
import { renderVerdictLine } from '../../../src/render/verdict-line.ts';
import { markReady, readLastVerdict, wasReadyBefore } from '../../../src/sinks/local/earlier-verdicts.ts';
import { appendVerdict, writeLastVerdict } from '../../../src/sinks/local/verdict-files.ts';
import type { Verdict } from '../../../src/types.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { FAILED, redacted } from '../../render/verdicts.ts';
import { idOf, placesIn } from '../fakes.ts';

const BOOT = 'b'.repeat(32);
const OTHER_BOOT = 'c'.repeat(32);

function verdictOf(change: Partial<Verdict>): ReturnType<typeof redacted> {
  return redacted({ ...FAILED, bootId: BOOT, ...change });
}

test('nothing was said yet', async (t) => {
  assert.deepEqual(await readLastVerdict(BOOT, placesIn(tempFolder(t, {}))), { last: null, notes: [] });
});

test('a run goes on where another one of this boot ended', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  await appendVerdict(places.log, renderVerdictLine(verdictOf({ sequence: 9, final: true, bootId: OTHER_BOOT })));
  await appendVerdict(places.log, renderVerdictLine(verdictOf({ sequence: 1, final: true, id: idOf(1) })));
  await appendVerdict(places.log, renderVerdictLine(verdictOf({ sequence: 2, id: idOf(2) })));
  const last = { id: idOf(2), sequence: 2, final: true, status: 'failed', causeId: 'swap-enabled' };
  assert.deepEqual(await readLastVerdict(BOOT, places), { last, notes: [] });
  assert.equal((await readLastVerdict('d'.repeat(32), places)).last, null);
  assert.equal((await readLastVerdict(null, places)).last, null);
});

test('either file is enough', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  await writeLastVerdict(places.run, renderJson(verdictOf({ sequence: 3, cause: null }), ''));
  assert.deepEqual((await readLastVerdict(BOOT, places)).last, {
    id: FAILED.id,
    sequence: 3,
    final: false,
    status: 'failed',
    causeId: null,
  });
});

test('the line that a crash cut off is no fault; every other thing is ignored with a note', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const line = renderVerdictLine(verdictOf({ sequence: 1 }));
  mkdirSync(places.log, { mode: 0o700 });
  const judge = async (text: string) => {
    writeFileSync(join(places.log, 'verdicts.jsonl'), text);
    const { last, notes } = await readLastVerdict(BOOT, places);
    return [last?.sequence ?? null, notes.map(({ code }) => code)];
  };
  assert.deepEqual(await judge(`${line}{"schemaVersion":1,"id"`), [1, []]);
  assert.deepEqual(await judge(`{"schemaVersion":1,"id"\n${line}`), [1, []]);
  const forged = [
    'garbage',
    '{}',
    '[]',
    'null',
    '"x"',
    '{"__proto__":{}}',
    line.trim().replace('"sequence":1', '"sequence":1e99'),
    line.trim().replace(FAILED.id, '../x'),
  ];
  for (const other of [...forged, line.trim().replace('"final":false', '"final":"yes"')]) {
    assert.deepEqual(await judge(`${other}\n`), [null, ['state-invalid']], other);
    assert.deepEqual(await judge(`${line}${other}\n`), [1, ['state-invalid']], other);
  }
});

test('a file that is too long, a link and a folder of others are not read', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const codes = async (): Promise<string[]> => (await readLastVerdict(BOOT, places)).notes.map(({ code }) => code);
  mkdirSync(places.run, { mode: 0o700 });
  writeFileSync(join(places.run, 'verdict.json'), `${' '.repeat(2_000_000)}{}`);
  assert.deepEqual(await codes(), ['state-invalid']);
  symlinkSync(dirname(places.log), places.log);
  assert.deepEqual(await codes(), ['folder-symlink', 'folder-symlink', 'state-invalid']);
});

test('an instance that was Ready in an earlier boot is known, until it is another instance', async (t) => {
  const places = placesIn(tempFolder(t, {}));
  const [first, second, third] = ['1', '2', '3'].map((digit) => ({ instanceId: 'i-0a', bootId: digit.repeat(32) })) as [
    Mark,
    Mark,
    Mark,
  ];
  assert.equal(await wasReadyBefore(first, places), false);
  await markReady(first, places);
  assert.equal(await wasReadyBefore(first, places), false);
  assert.equal(await wasReadyBefore(second, places), true);
  await markReady(second, places);
  assert.equal(await wasReadyBefore(second, places), true);
  assert.equal(await wasReadyBefore(third, places), true);
  // An image was made of it.
  assert.equal(await wasReadyBefore({ ...second, instanceId: 'i-0b' }, places), false);
  writeFileSync(join(places.state, 'ready.json'), 'garbage');
  assert.equal(await wasReadyBefore(second, places), false);
});

type Mark = Parameters<typeof markReady>[0];

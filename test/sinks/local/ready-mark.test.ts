import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markReady, wasReadyBefore } from '../../../src/sinks/local/ready-mark.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { placesIn } from '../fakes.ts';

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

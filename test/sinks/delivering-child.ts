// A process that delivers verdicts to a recording server, to be run twice at once or killed at any moment. Takes one JSON
// request a line on standard input and says on standard output what it begins and ends.
import { createInterface } from 'node:readline';
import { createDelivery } from '../../src/sinks/delivery.ts';
import type { Shipper } from '../../src/sinks/shipper.ts';
import { FAILED, redacted } from '../render/verdicts.ts';
import { eventOf, fakeConsole, idOf, placesIn, shippersOf } from './fakes.ts';

/** Deliver these verdicts one after the other; with an empty list only what waits. */
export type Request = readonly number[];

const [folder, url] = process.argv.slice(2) as [string, string];
const LIMIT_MS = 10_000;
const NODE = { ...FAILED.node, instanceId: null };

/** One attempt a call. */
const shipper: Shipper = {
  async ship(events, signal) {
    try {
      const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(events), signal });
      return status === 200
        ? { kind: 'accepted' }
        : { kind: 'unreachable', reason: 'server-error', detail: String(status) };
    } catch {
      return { kind: 'unreachable', reason: 'connection-reset', detail: '' };
    }
  },
  close: () => {},
};

const delivery = createDelivery({
  host: fakeConsole(),
  words: {
    file: ({ id }) => id,
    line: ({ id }) => `${id}\n`,
    event: ({ sequence }) => eventOf(sequence),
    started: () => eventOf(0),
    console: () => '',
  },
  shippers: shippersOf(async () => shipper),
  places: placesIn(folder),
});

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const numbers = JSON.parse(line) as Request;
  for (const number of numbers) {
    process.stdout.write(`begin ${number}\n`);
    await delivery.deliver(
      redacted({ ...FAILED, node: NODE, id: idOf(number), sequence: number }),
      AbortSignal.timeout(LIMIT_MS),
    );
    process.stdout.write(`end ${number}\n`);
  }
  if (numbers.length === 0) await delivery.flush(NODE, AbortSignal.timeout(LIMIT_MS));
  process.stdout.write('done\n');
}

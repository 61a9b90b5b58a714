// Events, a shipper and a host for tests of delivery: plain objects that record what they are given.
import type { ShippedEvent, Shipper, ShipOutcome } from '../../src/sinks/shipper.ts';
import type { ShipperSource } from '../../src/sinks/spool/spooled-shipping.ts';
import type { Places } from '../../src/sinks/local/places.ts';
import type { ConsoleHost } from '../../src/sinks/local/console.ts';

export function idOf(number: number): string {
  return number.toString(16).padStart(32, '0');
}

export function eventOf(number: number, change: Partial<ShippedEvent> = {}): ShippedEvent {
  const id = idOf(number);
  return {
    id,
    atMs: 1_750_000_000_000 + number,
    final: false,
    instanceId: null,
    text: JSON.stringify({ id, number }),
    ...change,
  };
}

export function placesIn(folder: string): Places {
  return { run: `${folder}/run`, log: `${folder}/log`, state: `${folder}/state`, console: '/dev/null' };
}

export interface FakeShipper extends Shipper {
  /** Ids of each call, in order. */
  readonly calls: string[][];
  readonly accepted: string[];
  /** What was accepted. */
  readonly events: ShippedEvent[];
  closed: boolean;
}

export const UNREACHABLE: ShipOutcome = { kind: 'unreachable', reason: 'connect-timeout', detail: 'no route' };
export const REFUSED: ShipOutcome = { kind: 'refused', reason: 'access-denied', detail: 'logs:PutLogEvents' };

/** `answer` null: it tries until the signal is aborted. */
export function fakeShipper(
  answer: (events: readonly ShippedEvent[], call: number) => ShipOutcome | null = () => ({ kind: 'accepted' }),
): FakeShipper {
  const shipper: FakeShipper = {
    calls: [],
    accepted: [],
    events: [],
    closed: false,
    async ship(events, signal) {
      const ids = events.map(({ id }) => id);
      shipper.calls.push(ids);
      const outcome = answer(events, shipper.calls.length);
      if (outcome === null) await aborted(signal);
      if (outcome?.kind === 'accepted') {
        shipper.accepted.push(...ids);
        shipper.events.push(...events);
      }
      return outcome ?? UNREACHABLE;
    },
    close() {
      shipper.closed = true;
    },
  };
  return shipper;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export interface FakeConsole extends ConsoleHost {
  readonly lines: string[];
}

/** A console that takes every line, or fails with what `exitCode` says. */
export function fakeConsole(exitCode: number = 0, kind: 'device' | 'file' = 'device'): FakeConsole {
  const lines: string[] = [];
  return {
    lines,
    kindOf: async (path) => ({ path, kind, sizeBytes: 0, mtimeMs: 0 }),
    run({ args }) {
      lines.push(args[3]!);
      return {
        ended: Promise.resolve({ exitCode, endedBy: null, stderr: 'sh: 1: cannot create /dev/console' }),
        read: async () => 0,
        close: async () => {},
      };
    },
  };
}

/** All nodes of one name. */
export function shippersOf(open: () => Promise<Shipper>): ShipperSource {
  return { name: () => '', open };
}

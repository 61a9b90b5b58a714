// Takes a verdict down the ladder: files, the log service by way of the spool, and the console where that fails. Every rung
// may fail; what it could not do is handed back. Standard output is the caller's.
import type { NotChecked, RedactedVerdict } from '../types.ts';
import { type DeliveryCode, type DeliveryNote, deliveryErrorOf, DeliveryError } from './codes.ts';
import { type ConsoleHost, writeConsole } from './local/console.ts';
import { markReady } from './local/earlier-verdicts.ts';
import { type Places, PLACES } from './local/places.ts';
import type { Shipped } from './spool/ship-batches.ts';
import { createShipments, type ShipmentReport } from './spool/shipment.ts';
import type { ShippedEvent, Shipper } from './shipping.ts';
import { createSpool } from './spool/spool.ts';
import { appendVerdict, writeLastVerdict } from './local/verdict-files.ts';
import { within } from '../lib/within.ts';

export type Rung = 'verdict file' | 'verdict log' | 'CloudWatch Logs' | 'console';

export interface RungReport {
  readonly rung: Rung;
  /** skipped: not wanted, or not needed because a better rung held. */
  readonly outcome: 'delivered' | 'skipped' | 'failed';
  /** Null unless it failed. */
  readonly code: DeliveryCode | null;
  readonly detail: string;
}

export interface DeliveryReport {
  readonly rungs: readonly RungReport[];
  /** True if the log service took this verdict. */
  readonly accepted: boolean;
  /** What went wrong, for later verdicts and standard error. May hold words of the service: redact before it is shown. */
  readonly notes: readonly NotChecked[];
}

export interface FlushReport {
  /** How many waiting verdicts the log service took. */
  readonly accepted: number;
  /** How many still wait, those that another process delivers included; null if the spool cannot be read. */
  readonly waiting: number | null;
  readonly notes: readonly NotChecked[];
}

export interface Ladder {
  /**
   * Returns when the log service has taken the verdict or refused it, and at most 2 s after the abort. It tries until then, or
   * until a later call takes the verdict along; the files are written at once, and the console is told after 10 s. `onKept` is called
   * as soon as the verdict is written down and outlives the process, at the latest after 500 ms. Never rejects.
   */
  deliver(verdict: RedactedVerdict, signal: AbortSignal, onKept?: () => void): Promise<DeliveryReport>;
  /** Delivers what waits in the spool. Never rejects. */
  flush(signal: AbortSignal): Promise<FlushReport>;
  close(): void;
}

/** Renderers, since a sink has no words of its own. */
export interface LadderWords {
  /** `verdict.json`. */
  file(verdict: RedactedVerdict): string;
  /** One line of `verdicts.jsonl` with its newline. */
  line(verdict: RedactedVerdict): string;
  event(verdict: RedactedVerdict): ShippedEvent;
  /** Without a newline. */
  console(verdict: RedactedVerdict): string;
}

export interface LadderOptions {
  readonly host: ConsoleHost;
  readonly words: LadderWords;
  /** Called when there is something to ship; null: files alone. */
  readonly openShipper: (() => Promise<Shipper>) | null;
  /** Names where the shipper goes (group, stream, region), as far as is known by now: another name opens another shipper. */
  readonly destination?: () => string;
  /** Asked each time, since it may become known late. */
  readonly instanceId: () => string | null;
  readonly places?: Places;
}

const FILE_LIMIT_MS = 1_500;
const CONSOLE_AFTER_MS = 10_000;
const KEPT_LIMIT_MS = 500;

export function createLadder({ host, words, openShipper, destination = () => '', instanceId, places = PLACES }: LadderOptions): Ladder {
  const shipments = openShipper === null ? null : createShipments(createSpool(places.state, instanceId), openShipper, destination);
  const writeFile = inTurn(FILE_LIMIT_MS);
  const writeLine = inTurn(FILE_LIMIT_MS);
  const mark = inTurn(FILE_LIMIT_MS);
  let shown: string | null = null;

  const remember = async ({ status, bootId }: RedactedVerdict): Promise<void> => {
    const instance = instanceId();
    if (status !== 'ready' || instance === null || bootId === null) return;
    // If it cannot be written, the next boot counts as a bootstrap: the other rungs say that the disk takes nothing.
    await mark(() => markReady({ instanceId: instance, bootId }, places)).catch(() => undefined);
  };

  const writeFiles = async (verdict: RedactedVerdict): Promise<readonly RungReport[]> => {
    const files = Promise.all([
      rung('verdict file', () => writeFile(() => writeLastVerdict(places.run, words.file(verdict)))),
      rung('verdict log', () => writeLine(() => appendVerdict(places.log, words.line(verdict)))),
    ]);
    await remember(verdict);
    return files;
  };

  const showOnConsole = async (verdict: RedactedVerdict): Promise<RungReport> => {
    const answer = `${verdict.status} ${verdict.cause?.id ?? ''}`;
    if ((!verdict.final && verdict.cause === null) || shown === answer) return skipped('console');
    shown = answer;
    const report = await rung('console', () => writeConsole(host, places.console, words.console(verdict)));
    if (report.outcome === 'failed') shown = null;
    return report;
  };

  return {
    async deliver(verdict, signal, onKept = () => {}) {
      const kept = Promise.withResolvers<void>();
      const shipping = shipments?.ship(words.event(verdict), signal, kept.resolve) ?? null;
      if (shipping === null) kept.resolve();
      // Whoever is in the files is in the spool: a crash in between loses nothing that was written down.
      const files = kept.promise.then(() => writeFiles(verdict));
      void within(files, KEPT_LIMIT_MS).then(onKept);
      if (shipping === null) return reportOf([...(await files), skipped('CloudWatch Logs'), skipped('console')], null);
      const first = await within(shipping, CONSOLE_AFTER_MS);
      const console = first.late || needsConsole(first.value.end) ? await showOnConsole(verdict) : skipped('console');
      const shipment = await shipping;
      return reportOf([...(await files), rungOf(shipment.end), console], shipment);
    },
    async flush(signal) {
      if (shipments === null) return { accepted: 0, waiting: 0, notes: [] };
      const shipment = await shipments.ship(null, signal);
      return { accepted: shipment.accepted, waiting: await shipments.waiting(), notes: notesOf([rungOf(shipment.end)], shipment) };
    },
    close: () => shipments?.close(),
  };
}

function needsConsole(end: Shipped): boolean {
  return end.kind !== 'accepted' && end.kind !== 'superseded';
}

/** One piece of work at a time, so that a stuck disk holds one thread at most. What takes longer than the limit is left behind. */
function inTurn(limitMs: number): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    if ((await within(mine, limitMs)).late) throw new DeliveryError('write-slow', '');
  };
}

async function rung(name: Rung, work: () => Promise<void>): Promise<RungReport> {
  try {
    await work();
    return { rung: name, outcome: 'delivered', code: null, detail: '' };
  } catch (error) {
    const { code, detail } = deliveryErrorOf(error, name);
    return { rung: name, outcome: 'failed', code, detail };
  }
}

function skipped(name: Rung): RungReport {
  return { rung: name, outcome: 'skipped', code: null, detail: '' };
}

function rungOf(end: Shipped): RungReport {
  const name = 'CloudWatch Logs';
  switch (end.kind) {
    case 'accepted':
      return { rung: name, outcome: 'delivered', code: null, detail: '' };
    case 'nothing':
    case 'superseded':
      return skipped(name);
    case 'unreachable':
    case 'refused':
    case 'client-failed':
      return { rung: name, outcome: 'failed', code: end.kind, detail: end.detail === '' ? end.reason : end.detail };
  }
}

function reportOf(rungs: readonly RungReport[], shipment: ShipmentReport | null): DeliveryReport {
  return { rungs, accepted: shipment?.end.kind === 'accepted', notes: notesOf(rungs, shipment) };
}

function notesOf(rungs: readonly RungReport[], shipment: ShipmentReport | null): DeliveryNote[] {
  const failed = rungs.flatMap(({ rung, code, detail }) => (code === null ? [] : [{ what: rung, code, detail }]));
  return [...failed, ...(shipment?.notes ?? [])];
}

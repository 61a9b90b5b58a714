// Delivers a verdict to every sink: files, the log service by way of the spool, and the console where that fails. Each may
// fail; what it could not do is handed back. Standard output is the caller's.
import type { Counts, NodeFacts, NotChecked, RedactedVerdict, SaidInBoot } from '../types.ts';
import { type DeliveryCode, type DeliveryNote, deliveryErrorOf, DeliveryError } from './codes.ts';
import { type ConsoleHost, writeConsole } from './local/console.ts';
import { markReady } from './local/ready-mark.ts';
import { type Places, PLACES } from './local/places.ts';
import { CONSOLE_AFTER_MS, FILE_LIMIT_MS, KEPT_LIMIT_MS } from './limits.ts';
import type { ShippedEvent } from './shipper.ts';
import type { Shipped } from './spool/ship-waiting.ts';
import { createSpool } from './spool/spool.ts';
import { createSpooledShipping, type ShipmentReport, type ShipperSource } from './spool/spooled-shipping.ts';
import { appendVerdict, writeLastVerdict } from './local/verdict-files.ts';
import { writeSaid } from './local/verdict-turn.ts';
import { within } from '../lib/within.ts';

export type SinkName = 'verdict file' | 'verdict log' | 'CloudWatch Logs' | 'console';

export interface SinkReport {
  readonly sink: SinkName;
  /** skipped: not wanted, or not needed because a better sink held. */
  readonly outcome: 'delivered' | 'skipped' | 'failed';
  /** Null unless it failed. */
  readonly code: DeliveryCode | null;
  readonly detail: string;
}

export interface DeliveryReport {
  readonly sinks: readonly SinkReport[];
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

/** What a delivery is in its boot. */
export interface Occasion {
  /** What its event counts; null, the default: nothing. */
  readonly counts?: Counts | null;
  /** All that was said in the boot with it. */
  readonly said?: SaidInBoot | null;
  readonly onKept?: () => void;
}

export interface Delivery {
  /**
   * Returns when the log service has taken the verdict or refused it, and at most 2 s after the abort. It tries until then, or
   * until a later call takes the verdict along; the files are written at once, and the console is told after 10 s. `onKept` is called
   * as soon as the verdict is written down and outlives the process, at the latest after 500 ms. Never rejects.
   */
  deliver(verdict: RedactedVerdict, signal: AbortSignal, occasion?: Occasion): Promise<DeliveryReport>;
  /** The same for the event alone that the boot of this node has begun. */
  begin(verdict: RedactedVerdict, signal: AbortSignal, occasion?: Occasion): Promise<DeliveryReport>;
  /** Delivers what waits in the spool to where the verdicts of this node go. Never rejects. */
  flush(node: NodeFacts, signal: AbortSignal): Promise<FlushReport>;
  close(): void;
}

/** Renderers, since a sink has no words of its own. */
export interface DeliveryWords {
  /** `verdict.json`. */
  file(verdict: RedactedVerdict): string;
  /** One line of `verdicts.jsonl` with its newline. */
  line(verdict: RedactedVerdict): string;
  event(verdict: RedactedVerdict, counts: Counts | null): Omit<ShippedEvent, 'instanceId' | 'said'>;
  started(verdict: RedactedVerdict): Omit<ShippedEvent, 'instanceId' | 'said'>;
  /** Without a newline. */
  console(verdict: RedactedVerdict): string;
}

export interface DeliveryOptions {
  readonly host: ConsoleHost;
  readonly words: DeliveryWords;
  /** Asked when there is something to ship; null: files alone. */
  readonly shippers: ShipperSource | null;
  readonly places?: Places;
}

export function createDelivery({ host, words, shippers, places = PLACES }: DeliveryOptions): Delivery {
  const shipping = shippers === null ? null : createSpooledShipping(createSpool(places.state), shippers);
  const writeFile = inTurn(FILE_LIMIT_MS);
  const writeLine = inTurn(FILE_LIMIT_MS);
  const mark = inTurn(FILE_LIMIT_MS);
  let shown: string | null = null;

  const remember = async (said: SaidInBoot | null): Promise<void> => {
    // Where this cannot be written either, the next run may say something again.
    if (said !== null) await within(writeSaid(said, places), KEPT_LIMIT_MS).catch(() => undefined);
  };

  const rememberReady = async ({ status, bootId, node: { instanceId } }: RedactedVerdict): Promise<void> => {
    if (status !== 'ready' || instanceId === null || bootId === null) return;
    // If it cannot be written, the next boot counts as a bootstrap: the other sinks say that the disk takes nothing.
    await mark(() => markReady({ instanceId, bootId }, places)).catch(() => undefined);
  };

  const writeFiles = async (verdict: RedactedVerdict): Promise<readonly SinkReport[]> => {
    const files = Promise.all([
      tryTo('verdict file', () => writeFile(() => writeLastVerdict(places.run, words.file(verdict)))),
      tryTo('verdict log', () => writeLine(() => appendVerdict(places.log, words.line(verdict)))),
    ]);
    await rememberReady(verdict);
    return files;
  };

  const showOnConsole = async (verdict: RedactedVerdict): Promise<SinkReport> => {
    const answer = `${verdict.status} ${verdict.cause?.id ?? ''}`;
    if ((!verdict.final && verdict.cause === null) || shown === answer) return skipped('console');
    shown = answer;
    const report = await tryTo('console', () => writeConsole(host, places.console, words.console(verdict)));
    if (report.outcome === 'failed') shown = null;
    return report;
  };

  return {
    async deliver(verdict, signal, { counts = null, said = null, onKept = () => {} } = {}) {
      const { node } = verdict;
      const kept = Promise.withResolvers<boolean>();
      const event = shipping === null ? null : { ...words.event(verdict, counts), instanceId: node.instanceId, said };
      const shipment = shipping?.ship({ event, node, signal, onKept: kept.resolve }) ?? null;
      if (shipment === null) kept.resolve(true);
      // Whoever is in the files is in the spool: a crash in between loses nothing that was written down.
      const files = kept.promise.then(() => writeFiles(verdict));
      void within(files, KEPT_LIMIT_MS)
        .then(async () => ((await kept.promise) ? remember(said) : undefined))
        .then(onKept);
      if (shipment === null) return reportOf([...(await files), skipped('CloudWatch Logs'), skipped('console')], null);
      const first = await within(shipment, CONSOLE_AFTER_MS);
      const console = first.late || needsConsole(first.value.end) ? await showOnConsole(verdict) : skipped('console');
      const report = await shipment;
      // What was neither kept nor delivered has to be said again by the next run.
      if (report.end.kind === 'accepted' && !(await kept.promise)) await remember(said);
      return reportOf([...(await files), logServiceOf(report.end), console], report);
    },
    async begin(verdict, signal, { said = null, onKept = () => {} } = {}) {
      const { node } = verdict;
      const event = { ...words.started(verdict), instanceId: node.instanceId, said };
      if (shipping === null) return reportOf([skipped('CloudWatch Logs')], null);
      const report = await shipping.ship({ event, node, signal, onKept });
      if (report.end.kind === 'accepted') await remember(said);
      return reportOf([logServiceOf(report.end)], report);
    },
    async flush(node, signal) {
      if (shipping === null) return { accepted: 0, waiting: 0, notes: [] };
      const report = await shipping.ship({ event: null, node, signal });
      return {
        accepted: report.accepted,
        waiting: await shipping.waiting(),
        notes: notesOf([logServiceOf(report.end)], report),
      };
    },
    close: () => shipping?.close(),
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

async function tryTo(name: SinkName, work: () => Promise<void>): Promise<SinkReport> {
  try {
    await work();
    return { sink: name, outcome: 'delivered', code: null, detail: '' };
  } catch (error) {
    const { code, detail } = deliveryErrorOf(error, name);
    return { sink: name, outcome: 'failed', code, detail };
  }
}

function skipped(name: SinkName): SinkReport {
  return { sink: name, outcome: 'skipped', code: null, detail: '' };
}

function logServiceOf(end: Shipped): SinkReport {
  const name = 'CloudWatch Logs';
  switch (end.kind) {
    case 'accepted':
      return { sink: name, outcome: 'delivered', code: null, detail: '' };
    case 'nothing':
    case 'superseded':
      return skipped(name);
    case 'unreachable':
    case 'refused':
    case 'client-failed':
      return { sink: name, outcome: 'failed', code: end.kind, detail: end.detail === '' ? end.reason : end.detail };
  }
}

function reportOf(sinks: readonly SinkReport[], shipment: ShipmentReport | null): DeliveryReport {
  return { sinks, accepted: shipment?.end.kind === 'accepted', notes: notesOf(sinks, shipment) };
}

function notesOf(sinks: readonly SinkReport[], shipment: ShipmentReport | null): DeliveryNote[] {
  const failed = sinks.flatMap(({ sink, code, detail }) => (code === null ? [] : [{ what: sink, code, detail }]));
  return [...failed, ...(shipment?.notes ?? [])];
}

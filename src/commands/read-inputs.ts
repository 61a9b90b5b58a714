// Reads every input once through the matcher: reference time first, then the facts of small files, then all lines.
import { createMatcher } from '../matching/matcher.ts';
import { HostError } from '../host/host.ts';
import type { SmallEngine } from '../host/processes/engine-limits.ts';
import { feed } from '../sources/capture/feed.ts';
import type { Collected, InputSource } from '../sources/input.ts';
import { factFilesOf } from '../sources/stream-of-path.ts';
import type { MatchResult, NotChecked, Pack } from '../types.ts';
import { guardFor } from './guard-for.ts';
import type { Progress } from './progress.ts';
import { type Glimpse, type Moments, momentsOf, referenceMs } from './reference-time.ts';

export interface ReadRequest {
  readonly pack: Pack;
  readonly collected: Collected;
  /** Complaints from before the reading, to be shown with its own. */
  readonly notChecked: readonly NotChecked[];
  readonly nowMs: number;
  /** The boot in which the machine is that the inputs come from, null if only they can tell. */
  readonly bootId?: string | null;
  readonly signal: AbortSignal;
  /** Told how much there is to read. */
  readonly engine: SmallEngine;
  readonly progress: (totalBytes: number) => Progress;
}

export interface Reading {
  readonly result: MatchResult;
  /** Bytes of text that were read; 0: there is nothing to judge. */
  readonly bytes: number;
}

const FACT_FILE_MAX_BYTES = 64 * 1024;

/** An input, however small, costs about as much as so many bytes. */
const INPUT_COST_BYTES = 32 * 1024;

/** @throws the signal's reason if it is aborted. */
export async function readInputs({
  pack,
  collected,
  notChecked,
  nowMs,
  bootId = null,
  signal,
  engine,
  progress,
}: ReadRequest): Promise<Reading> {
  const { inputs } = collected;
  const announcedBytes = inputs.reduce((sum, source) => sum + (source.sizeBytes ?? 0), 0);
  engine.reached(Math.max(announcedBytes, inputs.length * INPUT_COST_BYTES));
  const moments: Moments[] = [];
  const facts: [string, string][] = [];
  for (const source of inputs) {
    signal.throwIfAborted();
    const glimpse = await glimpseOf(source);
    if (glimpse === null) continue;
    // Of thousands of inputs nothing is kept but two numbers each.
    moments.push(momentsOf(glimpse));
    facts.push(...factsOf(pack, source, glimpse.head));
  }

  const matcher = createMatcher(pack, {
    referenceMs: referenceMs(moments, nowMs),
    guard: await guardFor(pack),
    bootId,
    isLive: bootId !== null,
  });
  for (const entry of [...notChecked, ...collected.notChecked]) matcher.note(entry);
  for (const [fact, value] of facts) matcher.fact(fact, value);
  const shown = progress(announcedBytes);
  const onBytes = (all: number, name: string): void => {
    engine.reached(all);
    shown.at(all, name);
  };
  let bytes = 0;
  try {
    for (const source of inputs) {
      const reader = matcher.open(source);
      const report = await feed(source, reader, signal, (ofThis) => onBytes(bytes + ofThis, source.name));
      matcher.close(reader);
      bytes += report.bytes;
      for (const entry of report.notChecked) matcher.note(entry);
    }
  } finally {
    shown.end();
  }
  return { result: matcher.result(), bytes };
}

/** An input that cannot be opened is noted when it is read. */
async function glimpseOf(source: InputSource): Promise<Glimpse | null> {
  try {
    return { ...(await source.survey()), exported: source.exported, mtimeMs: source.mtimeMs };
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}

function factsOf(pack: Pack, source: InputSource, head: Buffer): [string, string][] {
  if ((source.sizeBytes ?? head.length) > FACT_FILE_MAX_BYTES) return [];
  return factFilesOf(pack.streamTable, source.path).flatMap(({ fact, regex }): [string, string][] => {
    const value = new RegExp(regex, 'm').exec(head.toString('utf8'))?.groups?.['value'];
    return value === undefined ? [] : [[fact, value]];
  });
}

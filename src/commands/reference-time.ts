// Finds a time near which stamps without a year are placed: the latest one with a year that the inputs show.
import { instantMs } from '../lib/instant.ts';
import { latestDatedMs } from '../matching/stamps.ts';

export interface Glimpse {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly exported: boolean;
  readonly mtimeMs: number | null;
}

const HEAD_LINES = 20;
const TAIL_LINES = 60;
/** Stamps of the record itself stand near its start; later ones may be quoted. */
const STAMP_REACH_CHARS = 160;
/** Times that a message speaks of, such as the end of a certificate. */
const SPOKEN_OF = /(?:expir|deadline|rotat|not ?after|not ?before|valid|until|renew)[^\n]{0,200}/gi;

/** A stamp is placed in the year that brings it nearest to the reference; half a year back from the latest moment possible, none falls behind that moment. */
const HALF_YEAR_LESS_A_DAY_MS = 182 * 86_400_000;

/** What of a glimpse tells the time. */
export interface Moments {
  readonly latestMs: number | null;
  readonly mtimeMs: number | null;
}

export function momentsOf(glimpse: Glimpse): Moments {
  return { latestMs: instantMs(latestOf(glimpse)), mtimeMs: instantMs(glimpse.mtimeMs) };
}

/** Unix time in ms. Without any dated stamp the logs are from the year before the youngest input's change, or before the fallback. */
export function referenceMs(moments: readonly Moments[], fallbackMs: number): number {
  const stamps = moments.flatMap(({ latestMs }) => latestMs ?? []);
  if (stamps.length > 0) return max(stamps);
  const changes = moments.flatMap(({ mtimeMs }) => mtimeMs ?? []);
  return (changes.length > 0 ? max(changes) : fallbackMs) - HALF_YEAR_LESS_A_DAY_MS;
}

function latestOf({ head, tail, exported }: Glimpse): number | null {
  if (exported) return latestDatedMs(`${head.toString('latin1')}\n${tail.toString('latin1')}`);
  const lines = [
    ...linesOf(head).slice(0, HEAD_LINES),
    ...linesOf(head).slice(-TAIL_LINES),
    ...linesOf(tail).slice(-TAIL_LINES),
  ];
  return latestDatedMs(lines.map(ofRecord).join('\n'));
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n');
}

/** A journal entry in JSON names its time anywhere. */
function ofRecord(line: string): string {
  return line.startsWith('{') ? line : line.slice(0, STAMP_REACH_CHARS).replace(SPOKEN_OF, '');
}

function max(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

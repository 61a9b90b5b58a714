// How an event stands in the spool: the name of its file, which says its order, and what is written in it.
import { createHash } from 'node:crypto';
import type { SaidInBoot } from '../../types.ts';
import { DeliveryError } from '../codes.ts';
import { saidIn } from '../local/said-file.ts';
import type { ShippedEvent } from '../shipper.ts';

/** The text of 64 KiB and a line about it. */
export const SPOOL_FILE_MAX_BYTES = 80 * 1024;
const ORDER_DIGITS = 12;
const NAME = /^(?<order>\d{12})-(?<id>[0-9a-f]{32})-(?<kind>final|interim)$/;

export interface Entry {
  readonly name: string;
  readonly order: number;
  readonly id: string;
  readonly final: boolean;
}

/** Null for a name that is not one of the spool's. */
export function entryOf(name: string): Entry | null {
  const groups = NAME.exec(name)?.groups;
  if (groups === undefined) return null;
  return { name, order: Number(groups['order']), id: groups['id']!, final: groups['kind'] === 'final' };
}

export function nameOf({ order, id, final }: Omit<Entry, 'name'>): string {
  return `${String(order).padStart(ORDER_DIGITS, '0')}-${id}-${final ? 'final' : 'interim'}`;
}

/** One line about the event, then its text. */
export function encode({ id, atMs, final, instanceId, text, said = null }: ShippedEvent): string {
  const whole = `${JSON.stringify({ id, atMs, final, instanceId, sha256: digestOf(text), said })}\n${text}`;
  if (Buffer.byteLength(whole) > SPOOL_FILE_MAX_BYTES)
    throw new DeliveryError('write-failed', `an event of more than ${SPOOL_FILE_MAX_BYTES} bytes`);
  return whole;
}

/** Null if the file is not what was written. */
export function decode(
  read: { readonly text: string; readonly whole: boolean } | null,
  entry: Entry,
): ShippedEvent | null {
  if (read === null || !read.whole) return null;
  const end = read.text.indexOf('\n');
  const text = read.text.slice(end + 1);
  try {
    const { id, atMs, final, instanceId, sha256 } = JSON.parse(read.text.slice(0, end)) as Record<string, unknown>;
    if (id !== entry.id || final !== entry.final || sha256 !== digestOf(text)) return null;
    // A verdict without a time has none here either: the log service's clock gives it one.
    return {
      id: entry.id,
      atMs: typeof atMs === 'number' ? atMs : NaN,
      final: entry.final,
      instanceId: typeof instanceId === 'string' ? instanceId : null,
      text,
    };
  } catch {
    return null;
  }
}

/** What was said in its boot with the event of a file; null if that does not stand there. */
export function saidWith(text: string): SaidInBoot | null {
  try {
    return saidIn((JSON.parse(text.slice(0, text.indexOf('\n'))) as Record<string, unknown>)['said']);
  } catch {
    return null;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

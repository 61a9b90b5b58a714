// Names under which a stream's lines stand in journals and syslogs, taken from streams.yaml.
import { newLineState } from '../../src/matching/line-state.ts';
import { streamFinderOf } from '../../src/matching/stream-finder.ts';
import type { StreamTable } from '../../src/types.ts';
import { exampleOf } from './example-of.ts';

export interface Identity {
  readonly identifier: string;
  /** journald's trusted unit; null where the stream is known by its identifier only. */
  readonly unit: string | null;
  /** The kernel has none. */
  readonly pid: string | null;
}

const known = new WeakMap<StreamTable, Map<string, Identity | null>>();

/** Null for a stream that is known by its file only. */
export function identityOf(table: StreamTable, stream: string): Identity | null {
  const ofTable = known.get(table) ?? new Map<string, Identity | null>();
  known.set(table, ofTable);
  if (!ofTable.has(stream)) ofTable.set(stream, findIdentity(table, stream));
  return ofTable.get(stream)!;
}

function findIdentity(table: StreamTable, stream: string): Identity | null {
  const rule = table.streams.find(({ name }) => name === stream);
  if (rule === undefined) return null;
  const find = streamFinderOf(table);
  const identifier = rule.identifiers
    .map(exampleOf)
    .find((name) => name !== null && find.find({ ...newLineState(''), identifier: name }, '', null).stream === stream);
  if (identifier === undefined || identifier === null) return null;
  const unit = rule.units
    .map(exampleOf)
    .find((name) => name !== null && find.find({ ...newLineState(''), trustedUnit: name }, '', null).stream === stream);
  return { identifier, unit: unit ?? null, pid: stream === 'kernel' ? null : '3214' };
}

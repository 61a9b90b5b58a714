// Turns the conditions of a file into the pack's shape: what must be there besides, and which nodes it is about.
import type { Requirement } from '../types.ts';
import { optionalMs } from './duration.ts';
import type { RequirementFile } from './schema.ts';

export function compileRequirement(causeId: string, file: RequirementFile): Requirement {
  const kind = file.signature !== undefined ? 'signature' : file.milestone !== undefined ? 'milestone' : 'probe';
  const named = (file.signature ?? file.milestone ?? file.probe)!;
  return {
    kind,
    target: kind === 'signature' && !named.includes('/') ? `${causeId}/${named}` : named,
    codes: file.code === undefined ? null : listOf(file.code),
    order: file.order ?? null,
    withinMs: optionalMs(file.within),
    sameStream: file.sameStream,
    sameProcess: file.sameProcess,
    absent: file.absent,
  };
}

export function listsOf(
  table: Readonly<Record<string, string | readonly string[]>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(table).map(([fact, values]) => [fact, listOf(values)]));
}

export function listOf(values: string | readonly string[]): readonly string[] {
  return typeof values === 'string' ? [values] : values;
}

// Finds the stream of a line from streams.yaml: trusted unit, what a carrier proved, identifier, the input's own stream,
// content.
import type { StreamTable } from '../types.ts';
import type { LineState } from './line-state.ts';

export const UNKNOWN_STREAM = 'unknown';

export interface StreamFinder {
  /** `text` is the line without its outer carriers; `sourceStream` the one that the input's name gave, null if mixed. */
  find(line: LineState, text: string, sourceStream: string | null): { readonly stream: string; readonly forgeable: boolean; readonly guessed: boolean };
}

interface Rule {
  readonly stream: string;
  readonly expressions: readonly RegExp[];
}

export function createStreamFinder(table: StreamTable): StreamFinder {
  const units = rules(table, (stream) => stream.units.map((unit) => `^(?:${unit})$`));
  const identifiers = rules(table, (stream) => stream.identifiers.map((identifier) => `^(?:${identifier})$`));
  const contents = rules(table, (stream) => stream.content);
  const byUnit = remembered(units);
  const byIdentifier = remembered(identifiers);

  return {
    find(line, text, sourceStream) {
      const ofUnit = line.trustedUnit === null ? null : byUnit(line.trustedUnit);
      if (ofUnit !== null) return { stream: ofUnit, forgeable: false, guessed: false };
      if (line.stream !== null) return { stream: line.stream, forgeable: line.fromJournal, guessed: false };
      const ofIdentifier = line.identifier === null ? null : byIdentifier(line.identifier);
      if (ofIdentifier !== null) return { stream: ofIdentifier, forgeable: line.fromJournal, guessed: false };
      if (sourceStream !== null) return { stream: sourceStream, forgeable: false, guessed: false };
      const ofContent = contents.find((rule) => rule.expressions.some((expression) => expression.test(text)));
      return { stream: ofContent?.stream ?? UNKNOWN_STREAM, forgeable: line.fromJournal || line.identifier !== null, guessed: true };
    },
  };
}

function rules(table: StreamTable, pick: (stream: StreamTable['streams'][number]) => readonly string[]): Rule[] {
  return table.streams
    .map((stream) => ({ stream: stream.name, expressions: pick(stream).map((source) => new RegExp(source)) }))
    .filter((rule) => rule.expressions.length > 0);
}

const REMEMBERED_MAX = 4096;

function remembered(of: readonly Rule[]): (name: string) => string | null {
  const known = new Map<string, string | null>();
  return (name) => {
    let stream = known.get(name);
    if (stream === undefined) {
      stream = of.find((rule) => rule.expressions.some((expression) => expression.test(name)))?.stream ?? null;
      if (known.size < REMEMBERED_MAX) known.set(name, stream);
    }
    return stream;
  };
}

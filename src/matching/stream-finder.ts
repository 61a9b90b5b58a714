// Finds the stream of a line, and whose words it holds, by the rules of streams.yaml.
import type { StreamTable } from '../types.ts';
import type { LineState } from './line-state.ts';
import { type Place, placeOf, type StreamNames } from './provenance.ts';

export { UNKNOWN_STREAM } from './provenance.ts';

export interface StreamFinder {
  /** `text` is the line without its outer log formats; `sourceStream` the one that the input's name gave, null if mixed. */
  find(line: LineState, text: string, sourceStream: string | null): Place;
  /** Does a line that names nobody begin like the output of a workstation's tool? */
  isToolOutput(text: string): boolean;
}

interface Rule {
  readonly stream: string;
  readonly expressions: readonly RegExp[];
}

/** Some 200 expressions, and what they said of names: made once a table. */
const finders = new WeakMap<StreamTable, StreamFinder>();

export function streamFinderOf(table: StreamTable): StreamFinder {
  const finder = finders.get(table) ?? createStreamFinder(table);
  finders.set(table, finder);
  return finder;
}

function createStreamFinder(table: StreamTable): StreamFinder {
  const contents = rules(table, (stream) => stream.content);
  const tools = table.foreign.content.map((source) => new RegExp(source));
  const open = new Set(table.streams.filter((stream) => stream.open).map(({ name }) => name));
  const dumps = new Set(
    table.streams.filter(({ units, liveFiles }) => units.length > 0 && liveFiles.length === 0).map(({ name }) => name),
  );
  const names: StreamNames = {
    ofUnit: remembered(rules(table, (stream) => stream.units.map((unit) => `^(?:${unit})$`))),
    ofIdentifier: remembered(rules(table, (stream) => stream.identifiers.map((identifier) => `^(?:${identifier})$`))),
    ofContent: (text) => streamOf(contents, text),
    isOpen: (stream) => open.has(stream),
    isDump: (stream) => dumps.has(stream),
  };
  return {
    find: (line, text, sourceStream) => placeOf(line, text, sourceStream, names),
    isToolOutput: (text) => tools.some((expression) => expression.test(text)),
  };
}

function rules(table: StreamTable, pick: (stream: StreamTable['streams'][number]) => readonly string[]): Rule[] {
  return table.streams
    .map((stream) => ({ stream: stream.name, expressions: pick(stream).map((source) => new RegExp(source)) }))
    .filter((rule) => rule.expressions.length > 0);
}

function streamOf(of: readonly Rule[], text: string): string | null {
  return of.find((rule) => rule.expressions.some((expression) => expression.test(text)))?.stream ?? null;
}

const REMEMBERED_MAX = 4096;

function remembered(of: readonly Rule[]): (name: string) => string | null {
  const known = new Map<string, string | null>();
  return (name) => {
    let stream = known.get(name);
    if (stream === undefined) {
      stream = streamOf(of, name);
      if (known.size < REMEMBERED_MAX) known.set(name, stream);
    }
    return stream;
  };
}

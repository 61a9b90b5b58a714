// Says from a path alone which stream its lines belong to, by the globs of streams.yaml.
import { globExpression } from '../host/files/glob.ts';
import { FOREIGN_STREAM } from '../lib/foreign-stream.ts';
import type { FactFile, StreamTable } from '../types.ts';
import { rotationOf } from './rotation.ts';

export interface PathVerdict {
  /** Null: the lines name their own streams, or the path says nothing. */
  readonly stream: string | null;
  readonly known: boolean;
  readonly ignored: boolean;
}

interface Rules {
  readonly streams: readonly { readonly name: string; readonly paths: readonly RegExp[] }[];
  readonly mixed: readonly RegExp[];
  readonly foreign: { readonly paths: readonly RegExp[]; readonly except: readonly RegExp[] };
  readonly ignored: readonly RegExp[];
  readonly facts: readonly { readonly file: FactFile; readonly path: RegExp }[];
}

/** `path` is written with `/`. Rotation and compression suffixes do not count. */
export function streamOfPath(table: StreamTable, path: string): PathVerdict {
  const rules = rulesOf(table);
  const { stem } = rotationOf(path);
  const fits = (expressions: readonly RegExp[]): boolean =>
    expressions.some((expression) => expression.test(path) || expression.test(stem));
  if (fits(rules.ignored)) return { stream: null, known: true, ignored: true };
  if (fits(rules.foreign.paths) && !fits(rules.foreign.except))
    return { stream: FOREIGN_STREAM, known: true, ignored: false };
  const stream = rules.streams.find((rule) => fits(rule.paths));
  if (stream !== undefined) return { stream: stream.name, known: true, ignored: false };
  return { stream: null, known: fits(rules.mixed) || factFilesOf(table, path).length > 0, ignored: false };
}

/** The node facts that a file of this path holds. */
export function factFilesOf(table: StreamTable, path: string): readonly FactFile[] {
  return rulesOf(table)
    .facts.filter((fact) => fact.path.test(path))
    .map((fact) => fact.file);
}

const compiled = new WeakMap<StreamTable, Rules>();

function rulesOf(table: StreamTable): Rules {
  let rules = compiled.get(table);
  if (rules === undefined) {
    rules = {
      streams: table.streams.map((stream) => ({
        name: stream.name,
        paths: [...stream.paths, ...stream.liveFiles].map(globExpression),
      })),
      mixed: table.mixedPaths.map(globExpression),
      foreign: { paths: table.foreign.paths.map(globExpression), except: table.foreign.except.map(globExpression) },
      ignored: table.ignoredPaths.map(globExpression),
      facts: table.factFiles.map((file) => ({ file, path: globExpression(file.path) })),
    };
    compiled.set(table, rules);
  }
  return rules;
}

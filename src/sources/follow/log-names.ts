// Tells by their names alone which files are logs that are being written, and which had such a name before they were rotated.
import { globExpression } from '../../host/files/glob.ts';
import type { GlobSurvey } from '../../host/host.ts';
import type { StreamTable } from '../../types.ts';
import { COMPRESSED, rotationOf } from '../rotation.ts';
import { streamOfPath } from '../stream-of-path.ts';

export interface RotatedName {
  readonly path: string;
  /** The path that it had before. */
  readonly stem: string;
  /** Larger is younger. */
  readonly age: number;
}

export interface LogNames {
  readonly live: readonly string[];
  /** Oldest first. */
  readonly rotated: readonly RotatedName[];
}

export class NameSorter {
  readonly #table: StreamTable;
  readonly #globs: ReadonlySet<string>;
  readonly #expressions: readonly RegExp[];

  constructor(table: StreamTable, globs: readonly string[]) {
    this.#table = table;
    this.#globs = new Set(globs);
    this.#expressions = globs.map(globExpression);
  }

  /** A path that is itself one of the globs is taken as it is, even if it looks rotated. */
  sort({ listings }: GlobSurvey): LogNames {
    const live: string[] = [];
    const rotated: RotatedName[] = [];
    for (const path of pathsOf(listings)) {
      if (COMPRESSED.test(path)) continue;
      const { stem, age } = rotationOf(path);
      const isLive = stem === path || this.#globs.has(path);
      if (!this.#isNamed(isLive ? path : stem)) continue;
      if (isLive) live.push(path);
      else rotated.push({ path, stem, age });
    }
    return { live: live.sort(), rotated: rotated.sort((a, b) => a.age - b.age) };
  }

  #isNamed(path: string): boolean {
    return this.#expressions.some((expression) => expression.test(path)) && !streamOfPath(this.#table, path).ignored;
  }
}

function* pathsOf(listings: GlobSurvey['listings']): Generator<string> {
  for (const [folder, names] of listings)
    for (const name of names) yield folder === '/' ? `/${name}` : `${folder}/${name}`;
}

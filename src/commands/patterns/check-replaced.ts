// Finds what an author has left of the template of `patterns new`.
import type { CauseSource } from '../../signatures/compile.ts';

/** `file:line: complaint` for each value that still says REPLACE. */
export function checkReplaced(sources: readonly CauseSource[]): string[] {
  return sources.flatMap(({ source }) =>
    textsIn(source.data, []).flatMap(({ text, path }) =>
      text.includes('REPLACE') ? [`${source.file}:${source.lineOf(path)}: still says REPLACE`] : [],
    ),
  );
}

type Path = readonly (string | number)[];

function textsIn(value: unknown, path: Path): { readonly text: string; readonly path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

// Globs of `*` (within a name) and `**` (any depth, none included) as anchored expressions. Knows no braces, classes or `?`.

/** Expression for a whole path. `**` followed by `/` also matches nothing. */
export function globExpression(glob: string): RegExp {
  const source = glob
    .split(/(?<star>\*\*\/|\*\*|\*)/)
    .map((part) => {
      if (part === '**/') return '(?:[^/]+/)*';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
  // A pattern that begins with `**/` is meant for absolute paths too.
  return new RegExp(glob.startsWith('**/') ? `^/?${source}$` : `^${source}$`, 's');
}

export function isGlob(path: string): boolean {
  return path.includes('*');
}

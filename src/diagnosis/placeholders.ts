// Fills `{placeholders}`. In prose any captured value may stand; in a command only a value that fits the declared type of
// its name, quoted for the shell. Everything else becomes a word in upper case, which no shell takes for a redirection.
import { hasForm } from '../lib/fact-forms.ts';
import { shellQuoted } from '../lib/shell-quoted.ts';

const SHELL_SAFE = /^[\w@%+=:,./-]+$/;
const PLACEHOLDER = /(?<!\{)\{(?<name>[a-z][a-z0-9_]*)\}(?!\})/g;
const PARENTHESIS = / \([^()]*\{[a-z][a-z0-9_]*\}[^()]*\)/g;
const PROSE_VALUE_MAX = 200;

/** What is not known is for the reader to fill in: `{cluster}` becomes CLUSTER_NAME. */
function gap(name: string): string {
  return name === 'cluster' ? 'CLUSTER_NAME' : name.toUpperCase();
}

export type Values = ReadonlyMap<string, string>;

/** A parenthesis of which nothing is known is left out. */
export function fillProse(template: string, values: Values): string {
  const said = template.replace(PARENTHESIS, (part) =>
    [...part.matchAll(PLACEHOLDER)].some((match) => values.has(match.groups!['name']!)) ? part : '',
  );
  return said.replace(PLACEHOLDER, (_all, name: string) => {
    const value = values.get(name);
    if (value === undefined) return gap(name);
    return value.length > PROSE_VALUE_MAX ? `${value.slice(0, PROSE_VALUE_MAX)}…` : value;
  });
}

export function fillCommand(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_all, name: string) => {
    const value = values.get(name);
    if (value === undefined || !hasForm(name, value)) return gap(name);
    return SHELL_SAFE.test(value) ? value : shellQuoted(value);
  });
}

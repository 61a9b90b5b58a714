// Puts facts into a sentence of a probe's table. The facts have been redacted before, so they can break no line.
import { clip } from './wording.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;

const PLACEHOLDER = /\{(?<name>[a-z][a-z0-9_]*)\}/g;
const PARENTHESIS = / \([^()]*\{[a-z][a-z0-9_]*\}[^()]*\)/g;
const FACT_MAX_CHARS = 200;

/** A parenthesis of which nothing is known is left out; any other unknown fact is left as its name in upper case. */
export function fillSentence(sentence: string, facts: Facts): string {
  const isKnown = (name: string): boolean => facts[name] !== undefined && facts[name] !== '';
  const said = sentence.replace(PARENTHESIS, (part) =>
    [...part.matchAll(PLACEHOLDER)].some((match) => isKnown(match.groups!['name']!)) ? part : '',
  );
  return said.replace(PLACEHOLDER, (_all, name: string) =>
    isKnown(name) ? clip(String(facts[name]), FACT_MAX_CHARS) : name.toUpperCase(),
  );
}

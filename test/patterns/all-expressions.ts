// Every expression that untrusted text meets: of the pack's patterns and of streams.yaml, with the longest text for each.
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import type { Pack, Pattern } from '../../src/types.ts';
import { type Subject, subjectsOf } from './subjects.ts';

export interface Expression {
  readonly regex: string;
  readonly flags: string;
  /** Longest text that it is run on. */
  readonly maxChars: number;
  /** Texts that it matches, which a hostile writer would begin with. */
  readonly examples: readonly string[];
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: Expression;
}

/** A message is cut here before any expression sees it. */
const MESSAGE_MAX_CHARS = 16 * 1024;
/** Identifiers and units are cut by the carriers; a line's own text may be as long as the reach round a hit. */
const NAME_MAX_CHARS = 256;
const LINE_MAX_CHARS = 128 * 1024;

export function allExpressions(): NamedExpression[] {
  const sources = loadFolder(join(ROOT, 'patterns'));
  const pack = compilePack(sources);
  const subjects = new Map(subjectsOf(sources, pack).map((subject) => [subject.pattern, subject]));
  return [
    ...patternsOf(pack).flatMap((pattern) => expressionsOf(pattern, subjects.get(pattern)).map((expression) => ({ name: pattern.key, expression }))),
    ...streamExpressions(pack),
  ];
}

export function expressionsOf(pattern: Pattern, subject: Subject | undefined): Expression[] {
  const flags = pattern.ignoreCase ? 'si' : 's';
  const examples = subject?.samples.match.map(({ line }) => line) ?? [];
  const unit = pattern.unit === null ? [] : [{ regex: pattern.unit, flags: '', maxChars: NAME_MAX_CHARS, examples: [] }];
  return [...[pattern.regex, ...pattern.not].map((regex) => ({ regex, flags, maxChars: MESSAGE_MAX_CHARS, examples })), ...unit];
}

function streamExpressions({ streamTable }: Pack): NamedExpression[] {
  return streamTable.streams.flatMap(({ name, units, identifiers, content }) => [
    ...[...units, ...identifiers].map((regex) => ({
      name: `streams.yaml ${name}`,
      expression: { regex: `^(?:${regex})$`, flags: '', maxChars: NAME_MAX_CHARS, examples: [] },
    })),
    ...content.map((regex) => ({ name: `streams.yaml ${name}`, expression: { regex, flags: '', maxChars: LINE_MAX_CHARS, examples: [] } })),
  ]);
}

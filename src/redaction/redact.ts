// Verdict in, verdict out: without secrets, and without characters that are not what they look like. The only way to
// render.
import type { Evidence, RedactedVerdict, Verdict } from '../types.ts';
import { decoded } from './decoded.ts';
import { createIdentifierMask } from './identifiers.ts';
import type { SecretRule } from './secret-rule.ts';
import { LABELLED, SHAPES } from './secrets.ts';
import { visible, visibleLines } from './visible.ts';

const EVERY_RULE = [...SHAPES, ...LABELLED];
/** Groups of the expressions that hold what stood in quotes. */
const QUOTED: ReadonlySet<string> = new Set(['nested', 'double', 'single', 'quoted']);
/** Such a line beside evidence may be the end of a key whose head is out of sight. */
const BARE_BASE64 = /^\s*[A-Za-z0-9+/]{12,}={0,2}$/;

export interface RedactionOptions {
  /** True: account ids and addresses go too. They stay by default: they are what an operator needs. */
  readonly identifiers: boolean;
}

export function redactVerdict(
  verdict: Verdict,
  { identifiers }: RedactionOptions = { identifiers: false },
): RedactedVerdict {
  const mask = identifiers ? createIdentifierMask() : (text: string): string => text;
  // Names of keys, streams and times stand in a verdict many times.
  const known = new Map<string, string>();
  const clean = (text: string): string => {
    let cleaned = known.get(text);
    if (cleaned === undefined) known.set(text, (cleaned = mask(redactText(text))));
    return cleaned;
  };
  const cleaned = eachString(verdict, clean) as Verdict;
  const cleanStep = <T extends { readonly text: string; readonly command: string | null }>(step: T): T => ({
    ...step,
    text: clean(step.text),
    command: step.command === null ? null : mask(redactCommand(step.command)),
  });
  const cleanLines = (lines: readonly string[]): string[] =>
    mask(redactLines(lines.join('\n')))
      .split('\n')
      .map((line) => line.replace(BARE_BASE64, '[redacted:base64]'))
      .filter((line) => line !== '');
  const evidence = verdict.evidence.map(({ context }, index): Evidence => {
    const one = cleaned.evidence[index]!;
    return context === undefined
      ? one
      : { ...one, context: { before: cleanLines(context.before), after: cleanLines(context.after) } };
  });
  const { cause: given } = verdict;
  const cause =
    given === null
      ? null
      : { ...cleaned.cause!, check: given.check.map(cleanStep), remedy: given.remedy.map(cleanStep) };
  const clear: Verdict = { ...cleaned, cause, evidence };
  return clear as RedactedVerdict;
}

/** One line of free text. Secrets go first, since they may span lines that are escaped afterwards. */
export function redactText(text: string): string {
  return visible(withoutSecrets(text, EVERY_RULE));
}

/** A log entry of several lines, which it keeps. */
export function redactLines(text: string): string {
  return visibleLines(withoutSecrets(text, EVERY_RULE));
}

/** A command comes from the pack and must stay ready to paste: names such as `TOKEN=$(…)` are no secrets in it. */
function redactCommand(command: string): string {
  return visibleLines(withoutSecrets(command, SHAPES));
}

function withoutSecrets(text: string, rules: readonly SecretRule[]): string {
  return rules.reduce(replaceAll, withoutHidden(text, rules));
}

/** What only shows as a secret once encodings are undone: found in a decoded copy, taken out of the original. */
function withoutHidden(original: string, rules: readonly SecretRule[]): string {
  const copy = decoded(original);
  if (copy === null) return original;
  const found = rules.flatMap((rule) => spansOf(copy.text, rule));
  return withMarks(
    original,
    found
      .map(({ start, end, kind }) => ({ start: copy.places[start]!, end: copy.places[end]!, kind }))
      .sort((a, b) => a.start - b.start || b.end - a.end),
  );
}

function replaceAll(text: string, rule: SecretRule): string {
  return withMarks(text, spansOf(text, rule));
}

/** Spans by their start; one that begins in another only makes it longer. */
function withMarks(text: string, spans: readonly Span[]): string {
  let done = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    if (start >= from) done += `${text.slice(from, start)}[redacted:${kind}]`;
    from = Math.max(from, end);
  }
  return done + text.slice(from);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

function spansOf(text: string, rule: SecretRule): Span[] {
  // Most texts hold nothing, and `matchAll` makes a new expression before it looks.
  if (text.search(rule.regex) < 0) return [];
  return Array.from(text.matchAll(rule.regex)).flatMap((match) => {
    const [name, [start, end]] = Object.entries(match.indices!.groups ?? {}).find(
      (group) => group[1] !== undefined,
    ) ?? ['bare', match.indices![0]!];
    return rule.isSecret?.(text.slice(start, end), QUOTED.has(name)) === false ? [] : [{ start, end, kind: rule.kind }];
  });
}

function eachString(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => eachString(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), eachString(item, change)]));
}

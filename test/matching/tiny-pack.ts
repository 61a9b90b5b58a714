// A pack of a few expressions with the real stream table, and a reader that feeds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { createMatcher, type Matcher } from '../../src/matching/matcher.ts';
import { deriveLiterals } from '../../src/signatures/literals.ts';
import { readYaml } from '../../src/signatures/read-yaml.ts';
import { parseRegex } from '../../src/signatures/regex-syntax.ts';
import { streamsFileSchema } from '../../src/signatures/schema.ts';
import type { MatchResult, Pack, Pattern, StreamTable } from '../../src/types.ts';

const STREAMS = 'streams.yaml';
export const streamTable: StreamTable = readYaml(
  STREAMS,
  readFileSync(join(ROOT, 'patterns', STREAMS), 'utf8'),
  streamsFileSchema,
).data;

/** Where stamps without a year are placed. */
export const CLOCK = { referenceMs: Date.UTC(2025, 5, 1) };

export function pattern(key: string, regex: string, more: Partial<Pattern> = {}): Pattern {
  return {
    key,
    streams: null,
    regex,
    ignoreCase: false,
    literals: deriveLiterals(parseRegex(regex)) ?? [],
    not: [],
    levels: null,
    unit: null,
    keepTimes: 0,
    guarded: false,
    startsBoot: false,
    ...more,
  };
}

export function packOf(...patterns: readonly Pattern[]): Pack {
  const milestones = patterns.map((own) => ({
    id: own.key,
    kind: 'fact' as const,
    phase: null,
    title: own.key,
    pattern: own,
    facts: {},
  }));
  return {
    digest: '0'.repeat(64),
    streamTable,
    phases: [],
    milestones,
    causes: [],
    replaced: [],
    added: [],
    disabled: [],
  };
}

export interface Given {
  readonly name?: string;
  readonly stream?: string | null;
  readonly exported?: boolean;
  readonly text: string | Uint8Array;
  /** Lengths of the pieces in which the bytes arrive, repeated; default: all at once. */
  readonly pieces?: () => number;
}

export function feed(matcher: Matcher, { name = 'input', stream = null, exported = false, text, pieces }: Given): void {
  const bytes = Buffer.from(text);
  const reader = matcher.open({ name, stream, exported });
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, pieces === undefined ? bytes.length : at + pieces());
    reader.push(piece);
    at += piece.length;
  }
  matcher.close(reader);
}

export function read(pack: Pack, ...inputs: readonly Given[]): MatchResult {
  const matcher = createMatcher(pack, CLOCK);
  for (const input of inputs) feed(matcher, input);
  return matcher.result();
}

/** Reads one text and returns the message of the first match, null if there is none. */
export function messageOf(own: Pattern, given: Given): string | null {
  return read(packOf(own), given).matches.get(own.key)?.first.message ?? null;
}

// Reads many small inputs at once through the shipped reader and its scan for all literals of the pack, and says which
// records it handed on for each. Inputs of one kind are laid one behind the other, far enough apart not to be joined.
import { patternsOf } from '../../src/matching/matcher.ts';
import { createLiteralScan, type Literal } from '../../src/matching/literal-scan.ts';
import {
  BYTE_ARRAY,
  BYTE_ARRAY_TIGHT,
  OWN_OUTPUT,
  type ReaderTools,
  SourceReader,
  WINDOW_BYTES,
} from '../../src/matching/source-reader.ts';
import { streamFinderOf } from '../../src/matching/stream-finder.ts';
import type { LogRecord, Pack } from '../../src/types.ts';
import { CLOCK, type Input } from './read-lines.ts';

/** A record that the reader handed on, with the literals that led to it. */
export interface Candidate {
  readonly record: LogRecord;
  readonly literals: ReadonlySet<string>;
}

/** More lines than the reader looks past for the rest of an entry. */
const APART = Buffer.from('~\n'.repeat(12));

export function readCandidates<T extends Input>(pack: Pack, inputs: readonly T[]): Map<T, Candidate[]> {
  const found = new Map<T, Candidate[]>(inputs.map((input) => [input, []]));
  const kinds = Map.groupBy(inputs, ({ stream, exported }) => `${String(stream)} ${String(exported)}`);
  const { tools, texts } = toolsOf(pack);
  for (const together of kinds.values()) {
    const { stream, exported } = together[0]!;
    const starts: number[] = [];
    const sink = {
      kept: () => [],
      candidate(record: LogRecord, _line: unknown, literals: readonly number[]) {
        const input = together[starts.findLastIndex((start) => start <= record.origin.offset!)]!;
        found.get(input)!.push({ record, literals: new Set(literals.map((literal) => texts[literal]!)) });
        return 0;
      },
    };
    const reader = new SourceReader({ name: 'samples', stream, exported }, tools, sink);
    let length = 0;
    for (const { bytes } of together) {
      starts.push(length);
      const parts = exported ? [bytes] : [bytes, APART];
      for (const part of parts) {
        reader.push(part);
        length += part.length;
      }
    }
    reader.end();
  }
  return found;
}

const known = new WeakMap<Pack, { readonly tools: ReaderTools; readonly texts: readonly string[] }>();

function toolsOf(pack: Pack): { readonly tools: ReaderTools; readonly texts: readonly string[] } {
  let made = known.get(pack);
  if (made === undefined) {
    const literals = patternsOf(pack).flatMap(({ literals, ignoreCase }) =>
      literals.map((text): Literal => ({ text, ignoreCase })),
    );
    const own = [OWN_OUTPUT, BYTE_ARRAY, BYTE_ARRAY_TIGHT].map((text): Literal => ({ text, ignoreCase: false }));
    const scan = createLiteralScan([...literals, ...own]);
    const tools = {
      scan,
      ownLiteralsFrom: literals.length,
      streams: streamFinderOf(pack.streamTable),
      clock: CLOCK,
      window: Buffer.allocUnsafeSlow(WINDOW_BYTES),
      ownExecutable: null,
    };
    made = { tools, texts: literals.map(({ text }) => text) };
    known.set(pack, made);
  }
  return made;
}

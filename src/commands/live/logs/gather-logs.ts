// Reads the logs of this boot once more, for those that are to be shipped: of each keeps its end and what stands next to the
// evidence, within fixed bounds of time and memory. Redacts nothing: what it returns must not leave the node.
import type { Host } from '../../../host/host.ts';
import { readExportFields } from '../../../matching/formats/journal-export.ts';
import { OWN_UNIT } from '../../../options.ts';
import { collectLiveInputs } from '../../../sources/collect-live-inputs.ts';
import { feed } from '../../../sources/capture/feed.ts';
import type { InputSource } from '../../../sources/input.ts';
import { JournalFramer } from '../../../sources/journal/journal-framer.ts';
import { GATHER_LOGS_MS } from '../../../sinks/limits.ts';
import type { Evidence, StreamTable } from '../../../types.ts';
import { Kept, type RawLine } from './kept-lines.ts';

export interface GatheredLog {
  /** As in streams.yaml, null for the journal. */
  readonly stream: string | null;
  readonly path: string;
  /** In their order. */
  readonly lines: readonly RawLine[];
  /** How many were read. */
  readonly total: number;
}

export interface GatheredLogs {
  readonly logs: readonly GatheredLog[];
  /** False where the time was over before all was read, or there were more files than are taken. */
  readonly isWhole: boolean;
}

const LOGS_MAX = 24;
const JOURNAL_TIME_MS = 4_000;
const READ_BYTES = 64 * 1024;
const LINE_MAX_BYTES = 64 * 1024;
const NEWLINE = 10;
/** A shorter piece of a line would be found anywhere. */
const PIECE_MIN_CHARS = 16;
const PIECE_MAX_CHARS = 200;

/** Returns what it has when the time is over. @throws the signal's reason if it is aborted */
export async function gatherLogs(
  host: Host,
  table: StreamTable,
  { evidence, bootId, signal }: { evidence: readonly Evidence[]; bootId: string; signal: AbortSignal },
): Promise<GatheredLogs> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(GATHER_LOGS_MS)]);
  const pieces = evidence.map(({ line }) => pieceOf(line)).filter((piece) => piece.length >= PIECE_MIN_CHARS);
  const logs: GatheredLog[] = [];
  let isWhole = true;
  const collected = await collectLiveInputs(host, table, { signal, limits: { journalTimeMs: JOURNAL_TIME_MS } });
  try {
    const ofThisBoot = collected.inputs.filter(({ name }) => !name.startsWith('journal of '));
    isWhole = ofThisBoot.length <= LOGS_MAX;
    for (const source of ofThisBoot.slice(0, LOGS_MAX)) {
      const kept = new Kept(pieces);
      const sink = source.exported ? journalSink(kept, bootId) : fileSink(kept);
      await feed(source, sink, limited).catch(() => (isWhole = false));
      signal.throwIfAborted();
      sink.end();
      logs.push({ stream: source.exported ? null : source.stream, path: pathOf(source), ...kept.all() });
    }
  } finally {
    await collected.cleanup();
  }
  return { logs, isWhole };
}

function pathOf({ exported, path }: InputSource): string {
  return exported ? '/journal.json' : path;
}

/** The longest part of a redacted line that stands in the raw one too. */
function pieceOf(line: string): string {
  const parts = line.split(/\[[a-z-]+(?::[\w-]+)?\]|\\.|…/);
  return parts.reduce((a, b) => (b.length > a.length ? b : a), '').slice(0, PIECE_MAX_CHARS);
}

interface Sink {
  space(): Buffer;
  advance(bytes: number): void;
  end(): void;
}

function journalSink(kept: Kept, bootId: string): Sink {
  const room = Buffer.alloc(READ_BYTES);
  const framer = new JournalFramer();
  return {
    space: () => room,
    advance(bytes) {
      const { bytes: whole, starts } = framer.push(room.subarray(0, bytes));
      starts.forEach((start, i) => {
        const fields = readExportFields(whole.toString('latin1', start, starts[i + 1] ?? whole.length));
        const unit = fields.get('_SYSTEMD_UNIT');
        if (fields.get('_BOOT_ID') !== bootId || unit === OWN_UNIT) return;
        const name = unit ?? fields.get('SYSLOG_IDENTIFIER') ?? '';
        kept.add({ text: fields.get('MESSAGE') ?? '', fields, log: name, writer: `${name} ${fields.get('_PID')}` });
      });
    },
    end: () => {},
  };
}

function fileSink(kept: Kept): Sink {
  const room = Buffer.alloc(READ_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  const add = (line: Buffer): void =>
    kept.add({ text: line.toString('utf8', 0, LINE_MAX_BYTES).replace(/\r$/, ''), fields: null, log: '', writer: '' });
  return {
    space: () => room,
    advance(bytes) {
      let from = 0;
      const all = Buffer.concat([rest, room.subarray(0, bytes)]);
      for (let at = all.indexOf(NEWLINE); at >= 0; at = all.indexOf(NEWLINE, from)) {
        add(all.subarray(from, at));
        from = at + 1;
      }
      // Of a longer line only the beginning counts, and enough behind it that no second one begins there.
      rest = all.subarray(from, from + 2 * LINE_MAX_BYTES);
    },
    end: () => (rest.length > 0 ? add(rest) : undefined),
  };
}

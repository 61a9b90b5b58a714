// Reads the logs of this boot once more, for those that are to be shipped: of each keeps its end and what stands next to the
// evidence, within fixed bounds of time and memory. Redacts nothing: what it returns must not leave the node.
import type { Host } from '../../../host/host.ts';
import { readExportFields } from '../../../matching/formats/journal-export.ts';
import { OWN_UNIT } from '../../../options.ts';
import { type ByteSink, feed } from '../../../sources/capture/feed.ts';
import { collectLiveInputs } from '../../../sources/collect-live-inputs.ts';
import { JournalFramer } from '../../../sources/journal/journal-framer.ts';
import { GATHER_LOGS_MS } from '../../../sinks/limits.ts';
import type { Evidence, StreamTable } from '../../../types.ts';
import { KeptLines, type RawLine } from './kept-lines.ts';

export interface GatheredLog {
  /** In their order. */
  readonly lines: readonly RawLine[];
  /** How many were read. */
  readonly total: number;
}

const LOGS_MAX = 16;
const JOURNAL_MAX_CHARS = 768 * 1024;
const FILE_MAX_CHARS = 192 * 1024;
const JOURNAL_TIME_MS = 4_000;
const READ_BYTES = 64 * 1024;
const LINE_MAX_BYTES = 64 * 1024;
const NEWLINE = 10;
/** A shorter piece of a line would be found anywhere. */
const PIECE_MIN_CHARS = 16;
const PIECE_MAX_CHARS = 200;

/** Returns what it has when its time is over; then, or with more files than it takes, it is not whole. @throws the signal's reason */
export async function gatherLogs(
  host: Host,
  table: StreamTable,
  { evidence, bootId, signal }: { evidence: readonly Evidence[]; bootId: string; signal: AbortSignal },
): Promise<{ readonly logs: readonly GatheredLog[]; readonly isWhole: boolean }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(GATHER_LOGS_MS)]);
  const pieces = evidence.map(({ line }) => pieceOf(line)).filter((piece) => piece.length >= PIECE_MIN_CHARS);
  const logs: GatheredLog[] = [];
  const collected = await collectLiveInputs(host, table, { signal, limits: { journalTimeMs: JOURNAL_TIME_MS } });
  const ofThisBoot = collected.inputs.filter(({ name }) => !name.startsWith('journal of '));
  let isWhole = ofThisBoot.length <= LOGS_MAX;
  try {
    for (const source of ofThisBoot.slice(0, LOGS_MAX)) {
      const kept = new KeptLines(pieces, source.exported ? JOURNAL_MAX_CHARS : FILE_MAX_CHARS);
      const sink = source.exported ? journalSink(kept, bootId) : fileSink(kept, source.stream);
      await feed(source, sink, limited).catch(() => (isWhole = false));
      signal.throwIfAborted();
      logs.push(kept.all());
    }
  } finally {
    await collected.cleanup();
  }
  return { logs, isWhole };
}

/** The longest part of a redacted line that stands in the raw one too. */
function pieceOf(line: string): string {
  const parts = line.split(/\[[a-z-]+(?::[\w-]+)?\]|\\.|…/);
  return parts.reduce((a, b) => (b.length > a.length ? b : a), '').slice(0, PIECE_MAX_CHARS);
}

function journalSink(kept: KeptLines, bootId: string): ByteSink {
  const room = Buffer.alloc(READ_BYTES);
  const framer = new JournalFramer();
  return {
    space: () => room,
    advance(bytes) {
      const { bytes: whole, starts } = framer.push(room.subarray(0, bytes));
      starts.forEach((start, i) => {
        const fields = readExportFields(whole.toString('latin1', start, starts[i + 1] ?? whole.length));
        // Only of a file it is ours.
        fields.delete('LOG');
        const log = fields.get('_SYSTEMD_UNIT') ?? fields.get('SYSLOG_IDENTIFIER') ?? '';
        if (fields.get('_BOOT_ID') === bootId && log !== OWN_UNIT)
          kept.add(fields, log, `${log} ${fields.get('_PID')}`);
      });
    },
  };
}

/** A last line without its end is still being written. */
function fileSink(kept: KeptLines, stream: string | null): ByteSink {
  const room = Buffer.alloc(READ_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  return {
    space: () => room,
    advance(bytes) {
      let from = 0;
      const all = Buffer.concat([rest, room.subarray(0, bytes)]);
      for (let at = all.indexOf(NEWLINE); at >= 0; at = all.indexOf(NEWLINE, from)) {
        const text = all.toString('utf8', from, Math.min(at, from + LINE_MAX_BYTES)).replace(/\r$/, '');
        kept.add(new Map([...(stream === null ? [] : [['LOG', stream] as const]), ['MESSAGE', text]]), '', '');
        from = at + 1;
      }
      // Of a longer line only the beginning counts, and enough behind it that no second one begins there.
      rest = all.subarray(from, from + 2 * LINE_MAX_BYTES);
    },
  };
}

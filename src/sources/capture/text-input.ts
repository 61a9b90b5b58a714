// Turns a candidate that holds text, plain or compressed, into an input.
import type { ByteSource } from '../../host/host.ts';
import type { StreamTable } from '../../types.ts';
import type { SourceNote } from '../codes.ts';
import type { Budget } from './budget.ts';
import type { Candidate, RawSource } from './candidate.ts';
import { type Compression, type Decompressed, decompress } from './decompress.ts';
import { decodeText } from './decode-text.ts';
import { type Input, type InputSource, SURVEY_BYTES } from '../input.ts';
import { readUpTo } from './peek.ts';
import { endsOnly, isHollow } from './sparse.ts';
import { streamOfPath } from '../stream-of-path.ts';
import { wideEncoding } from './wide-encoding.ts';
import { unwrapped } from './wrapping/unwrapped-source.ts';

export interface TextContent {
  readonly compression: Compression | null;
  readonly exported: boolean;
}

export function textInput(candidate: Candidate, content: TextContent, table: StreamTable, budget: Budget): InputSource {
  const { name, path, mtimeMs } = candidate;
  const sizeBytes = content.compression === null ? candidate.sizeBytes : null;
  const described = { name, path, exported: content.exported, sizeBytes };
  const { stream } = streamOfPath(table, path);
  // Lists of one moment have tables of their own, and a journal's export is as journalctl wrote it.
  const isLog = !content.exported && !table.streams.some(({ name: of, snapshot }) => of === stream && snapshot);
  return {
    ...described,
    mtimeMs,
    stream,
    open: async () => {
      if (content.compression !== null) budget.addPacked(candidate.sizeBytes, candidate.depth);
      return { ...described, ...(await opened(candidate, await candidate.open(), { ...content, isLog }, budget)) };
    },
    async survey() {
      const source = await opened(candidate, await candidate.glance(), { ...content, isLog }, budget.unspent());
      try {
        return { head: await readUpTo(source, SURVEY_BYTES), tail: await source.tail() };
      } finally {
        await source.close();
      }
    },
  };
}

interface Opened extends Pick<Input, 'read' | 'close' | 'notChecked' | 'isRewritten'> {
  tail(): Promise<Buffer>;
}

async function opened(
  candidate: Candidate,
  raw: RawSource,
  { compression, isLog }: Pick<TextContent, 'compression'> & { readonly isLog: boolean },
  budget: Budget,
): Promise<Opened> {
  const notChecked: SourceNote[] = [];
  const hollow = compression === null && isHollow(raw);
  if (hollow)
    notChecked.push({
      what: candidate.name,
      code: 'sparse',
      detail: `${raw.sizeBytes} bytes, ${raw.allocatedBytes} on disk`,
    });
  const unpacked = compression === null ? null : decompress(raw, compression, budget);
  let text: ByteSource;
  try {
    const decoded = await decodeText(unpacked ?? (hollow ? endsOnly(raw) : raw));
    text = isLog ? await unwrapped(decoded) : decoded;
  } catch (error) {
    await raw.close();
    throw error;
  }
  return {
    notChecked,
    isRewritten: hollow || text.isRewritten === true,
    read: (into) => text.read(into),
    tail: () => (compression === null ? tailOf(raw) : Promise.resolve(Buffer.alloc(0))),
    async close() {
      noteProblem(unpacked);
      await text.close();
    },
  };

  function noteProblem(source: Decompressed | null): void {
    const problem = source?.problem() ?? null;
    if (problem !== null && notChecked.length === 0)
      notChecked.push({ what: candidate.name, code: problem, detail: '' });
  }
}

const START_BYTES = 4096;

async function tailOf(raw: RawSource): Promise<Buffer> {
  const { sizeBytes, readAt } = raw;
  if (sizeBytes === undefined || readAt === undefined || sizeBytes <= SURVEY_BYTES) return Buffer.alloc(0);
  const start = Buffer.alloc(START_BYTES);
  await readAt(start, 0);
  const into = Buffer.alloc(SURVEY_BYTES);
  // An even place, so that UTF-16 is not cut in two.
  const bytes = into.subarray(0, await readAt(into, Math.floor((sizeBytes - SURVEY_BYTES) / 2) * 2));
  const encoding = wideEncoding(start);
  return encoding === null ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes), 'utf8');
}

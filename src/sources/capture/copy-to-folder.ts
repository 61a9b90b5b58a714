// Copies what is no plain file (a compressed journal, a journal on standard input) into the private folder, for programs that
// want a file.
import type { Candidate } from './candidate.ts';
import { type Compression, decompress } from './decompress.ts';
import type { Run } from './collection.ts';

const PIECE_BYTES = 1024 * 1024;

/** @throws HostError `temporary-folder`, or what the candidate fails with */
export async function spooled(run: Run, candidate: Candidate, compression: Compression | null): Promise<Candidate> {
  run.budget.addPacked(candidate.sizeBytes, candidate.depth);
  const raw = await candidate.open();
  const unpacked = compression === null ? null : decompress(raw, compression, run.budget);
  const source = unpacked ?? run.budget.metered(raw);
  const file = await run.folder().createFile();
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let sizeBytes = 0;
  try {
    for (let bytes = await source.read(piece); bytes > 0; bytes = await source.read(piece)) {
      await file.write(piece.subarray(0, bytes));
      sizeBytes += bytes;
    }
  } finally {
    await file.close();
    await source.close();
  }
  const problem = unpacked?.problem() ?? null;
  if (problem !== null) run.notes.add(candidate.owner, { what: candidate.name, code: problem, detail: '' });
  const open = (): ReturnType<Candidate['open']> => run.host.openFile(file.path);
  return { ...candidate, file: file.path, sizeBytes, open, glance: open };
}

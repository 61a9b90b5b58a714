// Reads one input to its end into a reader's window. A failure on the way is a note, never an exception: what came before it
// counts.
import { HostError } from '../../host/host.ts';
import type { SourceNote } from '../codes.ts';
import type { Input, InputSource } from '../input.ts';

/** What a reader of bytes offers: room that is never empty, and a call that says how much of it was filled. */
export interface ByteSink {
  space(): Buffer;
  advance(bytes: number): void;
  /** What comes has no lines of the file. */
  forgetLines?(): void;
}

export interface FeedReport {
  readonly bytes: number;
  readonly notChecked: readonly SourceNote[];
}

/** `onProgress` gets the bytes read so far. @throws the signal's reason if it is aborted; the input is closed then too. */
export async function feed(
  source: InputSource,
  sink: ByteSink,
  signal?: AbortSignal,
  onProgress?: (bytes: number) => void,
): Promise<FeedReport> {
  signal?.throwIfAborted();
  const failed = (error: unknown): SourceNote => {
    if (!(error instanceof HostError)) throw error;
    return { what: source.name, code: error.code, detail: error.detail };
  };
  let input: Input;
  try {
    input = await source.open();
  } catch (error) {
    return { bytes: 0, notChecked: [failed(error)] };
  }
  if (input.isRewritten === true) sink.forgetLines?.();
  let bytes = 0;
  let failure: SourceNote[] = [];
  try {
    for (;;) {
      const got = await input.read(sink.space());
      signal?.throwIfAborted();
      if (got === 0) break;
      sink.advance(got);
      bytes += got;
      onProgress?.(bytes);
    }
  } catch (error) {
    signal?.throwIfAborted();
    failure = [failed(error)];
  } finally {
    await input.close();
  }
  return { bytes, notChecked: [...input.notChecked, ...failure] };
}

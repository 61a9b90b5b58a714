// The shapes of what is followed live: a source that opens, its sink, and the handle of the following itself. Holds no behaviour.
import type { SourceNote } from './codes.ts';

/** What is followed: one per file generation (path + inode) or per journal. */
export interface LiveSource {
  /** Shown as origin: for a file its path. */
  readonly name: string;
  /** For the path globs of streams.yaml; begins with `/`. */
  readonly path: string;
  /** Stream of the lines that name none themselves, from the path; null if every line names its own or the name says nothing. */
  readonly stream: string | null;
  /** True for a journal in export form, false for text. */
  readonly exported: boolean;
}

/** Gets whole lines only (text), or whole entries only (journal export). A chunk is the sink's to keep. */
export interface LiveSink {
  push(chunk: Uint8Array): void;
  /** Nothing more will come for this source. */
  close(): void;
}

export interface LiveEvents {
  open(source: LiveSource): LiveSink;
  note(note: SourceNote): void;
}

export interface Following {
  /** Resolves once all that existed when following began has been pushed. */
  readonly caughtUp: Promise<void>;
  /** Resolves after the signal was aborted and everything (descriptors, children, watchers) is closed; never rejects. */
  readonly ended: Promise<void>;
  /**
   * For the last word: resolves once all that was written by now has been pushed, a last line without an end too, or it was noted what
   * is not known of it; at the latest when the signal is aborted. Never rejects.
   */
  upToDate(signal: AbortSignal): Promise<void>;
}

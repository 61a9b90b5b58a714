// Joins what is followed with the matcher: opens an input for each, looks at what came once the writer pauses, and tells when
// something new was matched.
import type { Matcher } from '../../matching/matcher.ts';
import type { SourceReader } from '../../matching/source-reader.ts';
import { type ByteSink, feed } from '../../sources/capture/feed.ts';
import type { InputSource } from '../../sources/input.ts';
import type { LiveEvents, LiveSink, LiveSource } from '../../sources/live.ts';

/** How long a writer must pause before its last entry counts as whole. */
const PAUSE_MS = 40;
const PIECE_BYTES = 64 * 1024;

export interface LiveMatcher extends LiveEvents {
  /** Puts a list of one moment in the place of an older one of the same name, which counts until the new one is whole. */
  replace(source: InputSource, signal: AbortSignal): Promise<void>;
  /** Looks at everything that has come, pause or not. */
  settle(): void;
}

/** `onBytes`: so many came; default: nobody counts them. */
export function createLiveMatcher(
  matcher: Matcher,
  onMatch: () => void,
  onBytes: (bytes: number) => void = () => {},
): LiveMatcher {
  const sinks = new Set<Sink>();
  return {
    open(source: LiveSource): LiveSink {
      const sink = new Sink(matcher, source, onMatch, () => sinks.delete(sink));
      sinks.add(sink);
      return {
        push(chunk) {
          sink.push(chunk);
          onBytes(chunk.length);
        },
        close: () => sink.close(),
      };
    },
    note: (note) => matcher.note(note),
    async replace(source, signal) {
      const list = new Gathered();
      const { notChecked } = await feed(source, list, signal);
      matcher.forget(source.name);
      for (const note of notChecked) matcher.note(note);
      if (list.pieces.length === 0) return;
      const reader = matcher.openLive(source);
      for (const piece of list.pieces) reader.push(piece);
      matcher.close(reader);
    },
    settle() {
      for (const sink of sinks) sink.settle(true);
    },
  };
}

/** Keeps a short list until it is whole. */
class Gathered implements ByteSink {
  readonly pieces: Uint8Array[] = [];
  readonly #room = Buffer.alloc(PIECE_BYTES);

  space(): Buffer {
    return this.#room;
  }

  advance(bytes: number): void {
    this.pieces.push(new Uint8Array(this.#room.subarray(0, bytes)));
  }
}

class Sink implements LiveSink {
  readonly #matcher: Matcher;
  readonly #reader: SourceReader;
  readonly #onMatch: () => void;
  readonly #onClose: () => void;
  #timer: NodeJS.Timeout | null = null;
  #hasNews = false;

  constructor(matcher: Matcher, source: LiveSource, onMatch: () => void, onClose: () => void) {
    this.#matcher = matcher;
    this.#reader = matcher.openLive(source);
    this.#onMatch = onMatch;
    this.#onClose = onClose;
  }

  push(chunk: Uint8Array): void {
    this.#look(() => this.#reader.push(chunk));
    this.#hasNews = this.#timer !== null;
    this.#timer ??= setTimeout(() => this.#pause(), PAUSE_MS);
  }

  settle(isQuiet: boolean): void {
    this.#look(() => this.#reader.settle(isQuiet));
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#look(() => this.#matcher.close(this.#reader));
    this.#onClose();
  }

  #pause(): void {
    const isQuiet = !this.#hasNews;
    this.#hasNews = false;
    this.settle(isQuiet);
    this.#timer = isQuiet ? null : setTimeout(() => this.#pause(), PAUSE_MS);
  }

  #look(work: () => void): void {
    const before = this.#reader.matches;
    work();
    if (this.#reader.matches > before) this.#onMatch();
  }
}

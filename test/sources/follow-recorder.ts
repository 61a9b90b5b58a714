// Follows files below a test's folder and keeps what comes, so that a test can wait for it.
import type { TestContext } from 'node:test';
import { createHost } from '../../src/host/create-host.ts';
import type { Host } from '../../src/host/host.ts';
import type { SourceNote } from '../../src/sources/codes.ts';
import { followFiles } from '../../src/sources/follow/follow-files.ts';
import type { Following, LiveSource } from '../../src/sources/live.ts';
import { TABLE } from './support.ts';

export interface RecordedSource extends LiveSource {
  readonly lines: string[];
  pushes: number;
  isClosed: boolean;
}

export interface Recorder {
  readonly following: Following;
  /** In the order in which they were opened. */
  readonly sources: RecordedSource[];
  readonly notes: SourceNote[];
  /** All lines of all sources, in the order in which they came. */
  readonly lines: string[];
  /** Resolves as soon as it is true. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves when all these lines, and nothing else, have come. */
  untilLines(...lines: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export function follow(
  t: TestContext,
  root: string,
  globs: readonly string[],
  change: (host: Host) => Host = (host) => host,
): Recorder {
  const end = new AbortController();
  const sources: RecordedSource[] = [];
  const notes: SourceNote[] = [];
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const news = (): void => waiting.forEach((look) => look());
  const events = {
    open(source: LiveSource) {
      const recorded: RecordedSource = { ...source, lines: [], pushes: 0, isClosed: false };
      sources.push(recorded);
      return {
        push(chunk: Uint8Array) {
          const text = Buffer.from(chunk).toString('latin1');
          if (recorded.isClosed || !text.endsWith('\n'))
            throw new Error(`pushed after the close, or half a line: ${text.slice(-80)}`);
          recorded.pushes++;
          const whole = text.slice(0, -1).split('\n');
          // One by one: there may be more than a call takes arguments.
          for (const line of whole) recorded.lines.push(line);
          for (const line of whole) lines.push(line);
          news();
        },
        close() {
          recorded.isClosed = true;
          news();
        },
      };
    },
    note(note: SourceNote) {
      notes.push(note);
      news();
    },
  };
  const following = followFiles(change(createHost({ root })), TABLE, globs, events, { signal: end.signal });
  t.after(() => end.abort());
  const until = async (isTrue: () => boolean): Promise<void> => {
    if (isTrue()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isTrue()) resolve();
    };
    waiting.add(look);
    await promise;
    waiting.delete(look);
  };
  return {
    following,
    sources,
    notes,
    lines,
    until,
    untilLines: (...expected) =>
      until(() => lines.length >= expected.length && expected.every((line, at) => lines[at] === line)),
    async stop() {
      end.abort();
      await following.ended;
    },
  };
}

// Types of the package `tail` 2.2.6, as far as it is used; the package has none. What its documentation leaves out is marked.
declare module 'tail' {
  import type { EventEmitter } from 'node:events';
  import type { FSWatcher } from 'node:fs';

  export interface TailOptions {
    readonly follow?: boolean;
    readonly useWatchFile?: boolean;
    readonly fromBeginning?: boolean;
    readonly separator?: string;
    readonly encoding?: BufferEncoding;
  }

  export class Tail extends EventEmitter<{ line: [line: string]; error: [reason: unknown] }> {
    constructor(path: string, options?: TailOptions);
    unwatch(): void;
    /** Undocumented. Size of the file. */
    latestPosition(): number;
    /** Undocumented. What its watcher calls: queues what was added since the last time. */
    change(): void;
    /** Undocumented. End of what is queued. */
    currentCursorPos: number;
    /** Undocumented. The first one is being read. */
    queue: readonly { readonly start: number; readonly end: number }[];
    /** Undocumented. What came of a line that has no end yet. */
    buffer: string;
    /** Undocumented. */
    watcher?: FSWatcher;
  }
}

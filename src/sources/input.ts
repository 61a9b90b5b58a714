// The shapes that the sources hand out: what may be read, what is being read, and what came of collecting them.
import type { ByteSource, Host } from '../host/host.ts';
import type { StreamTable } from '../types.ts';
import type { SourceNote } from './codes.ts';

/** An input that is open. Text arrives as UTF-8 without a byte order mark; `exported` bytes are a journal in export form. */
export interface Input extends ByteSource {
  /** Shown as origin: the path relative to what the user gave; members of archives as `bundle.tar.gz!system/ps.txt`. */
  readonly name: string;
  /** For the path globs of streams.yaml; begins with `/`. */
  readonly path: string;
  readonly exported: boolean;
  /** Null where it cannot be known before the end (a pipe, a compressed file). */
  readonly sizeBytes: number | null;
  /** What turned out while reading (a cut archive, a journal that journalctl refused); complete after `close`. */
  readonly notChecked: readonly SourceNote[];
}

/** An input that can be opened, once for standard input, else as often as needed. */
export interface InputSource {
  readonly name: string;
  readonly path: string;
  /** Stream of the lines that name none themselves, from the path; null if every line names its own or the name says nothing. */
  readonly stream: string | null;
  readonly exported: boolean;
  readonly sizeBytes: number | null;
  readonly mtimeMs: number | null;
  open(): Promise<Input>;
  /** Up to 64 KiB from the start and from the end as they will be read; `tail` is empty where the end is not cheap to reach. */
  survey(): Promise<Survey>;
}

export interface Survey {
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface Collected {
  /** In the order in which they should be read. */
  readonly inputs: readonly InputSource[];
  readonly notChecked: readonly SourceNote[];
  /** Removes what was unpacked; the inputs cannot be read after it. Also happens by itself when the process ends. */
  readonly cleanup: () => Promise<void>;
}

export interface CollectOptions {
  readonly host: Host;
  readonly table: StreamTable;
  readonly limits?: Partial<CollectLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes have been unpacked in all. */
  readonly onUnpacked?: ((bytes: number) => void) | undefined;
}

export interface CollectLimits {
  /** All that comes out of archives and compressed files of one run. */
  readonly unpackedBytes: number;
  readonly members: number;
  /** How long one journalctl may take, its reader's time included; on a node, until the last journal is read. */
  readonly journalTimeMs: number;
}

export const DEFAULT_LIMITS: CollectLimits = {
  unpackedBytes: 4 * 1024 ** 3,
  members: 10_000,
  journalTimeMs: 300_000,
};

export const SURVEY_BYTES = 64 * 1024;

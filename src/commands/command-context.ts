// What a command gets: the process that it runs in, its settings, and the signal that stops it. Holds no behaviour.
import type { Settings } from '../parse-arguments.ts';
import type { OutputStream } from '../sinks/local/stream.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The part of `process` that the tool uses; a test passes its own. */
export interface RunProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The user that it runs as, 0 for root; absent where there are none. */
  geteuid?(): number;
  on(event: StopSignal, listener: () => void): unknown;
  off(event: StopSignal, listener: () => void): unknown;
}

/** What a command gets: who started it, and the signal that stops it. */
export interface CommandContext {
  readonly process: RunProcess;
  readonly settings: Settings;
  readonly operands: readonly string[];
  readonly signal: AbortSignal;
  /** Asks for this long to finish by itself after the signal; then its exit code counts. */
  finishWithin(limitMs: number): void;
}

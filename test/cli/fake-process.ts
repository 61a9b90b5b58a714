// A process as `run` wants it, that keeps what is written and lets a test send signals.
import { EventEmitter } from 'node:events';
import type { RunProcess } from '../../src/commands/command-context.ts';
import type { OutputStream } from '../../src/sinks/local/stream.ts';

export interface FakeProcess extends RunProcess {
  readonly out: () => string;
  readonly err: () => string;
  readonly send: (signal: 'SIGINT' | 'SIGTERM') => void;
  readonly listeners: () => number;
}

export interface FakeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** What every write to standard output fails with. */
  readonly failure?: NodeJS.ErrnoException;
}

export function fakeProcess(
  args: readonly string[],
  { env = {}, isTTY = false, failure }: FakeOptions = {},
): FakeProcess {
  const signals = new EventEmitter();
  const stdout = fakeStream(isTTY, failure);
  const stderr = fakeStream(isTTY);
  return {
    argv: ['node', 'cli.ts', ...args],
    env,
    stdout,
    stderr,
    on: (event, listener) => signals.on(event, listener),
    off: (event, listener) => signals.off(event, listener),
    out: stdout.text,
    err: stderr.text,
    send: (signal) => signals.emit(signal),
    listeners: () => signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM'),
  };
}

/** Like a real stream it tells of a failed write twice: to the callback, then as an event. */
export function fakeStream(
  isTTY: boolean,
  failure?: NodeJS.ErrnoException,
): OutputStream & { readonly text: () => string } {
  const events = new EventEmitter();
  let text = '';
  return {
    isTTY,
    write(chunk, done) {
      if (failure === undefined) text += chunk;
      queueMicrotask(() => {
        done(failure);
        if (failure !== undefined) events.emit('error', failure);
      });
    },
    on: (event, listener) => events.on(event, listener),
    off: (event, listener) => events.off(event, listener),
    text: () => text,
  };
}

export function errorWithCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

// A program that runs in a node, or beside it in its network: its output as lines with the time at which they came, and its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface OutputLine {
  readonly text: string;
  /** Wall clock, Unix ms with fractions, when the line was read. */
  readonly atMs: number;
}

export interface NodeProcess {
  /** Grow while it runs. */
  readonly stdout: readonly OutputLine[];
  readonly stderr: readonly OutputLine[];
  /** Its exit code; 128 + signal number if a signal ended it. */
  readonly ended: Promise<number>;
  /** The first line of standard output for which `wanted` holds, of those that came and those to come. @throws after `limitMs`, or at its end. */
  line(wanted: (text: string) => boolean, limitMs: number): Promise<OutputLine>;
  /** Sends the signal to the program itself and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** `command` is nsenter or setpriv with its arguments; `depth` says how many children below it the program itself is. */
export function startProcess([file = '', ...args]: readonly string[], depth: number): NodeProcess {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: OutputLine[] = [];
  const stderr: OutputLine[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const wake = (): void => waiting.forEach((look) => look());
  collect(child.stdout, stdout, wake);
  collect(child.stderr, stderr, wake);
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    isOver = true;
    wake();
    return typeof code === 'number' ? code : 128 + SIGNAL_NUMBERS[String(signal) as 'SIGKILL'];
  });

  return {
    stdout,
    stderr,
    ended,
    line: (wanted, limitMs) =>
      new Promise((resolve, reject) => {
        let seen = 0;
        const fail = (why: string): void => {
          settle();
          reject(
            new Error(
              `${args.at(-1)}: the line ${why}; it said:\n${[...stdout, ...stderr].map(({ text }) => text).join('\n')}`,
            ),
          );
        };
        const limit = setTimeout(() => fail(`did not come within ${limitMs / 1000} s`), limitMs);
        const settle = (): void => {
          clearTimeout(limit);
          waiting.delete(look);
        };
        const look = (): void => {
          for (; seen < stdout.length; seen++)
            if (wanted(stdout[seen]!.text)) {
              settle();
              resolve(stdout[seen]!);
              return;
            }
          if (isOver) fail('did not come before its end');
        };
        waiting.add(look);
        look();
      }),
    stop(signal = 'SIGTERM') {
      const pid = descendant(child.pid!, depth);
      if (!isOver && pid !== null) process.kill(pid, signal);
      return ended;
    },
  };
}

const SIGNAL_NUMBERS = { SIGINT: 2, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15 } as const;

function collect(stream: Readable, into: OutputLine[], wake: () => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', (text) => {
    into.push({ text, atMs: performance.timeOrigin + performance.now() });
    wake();
  });
}

/** Process ids of the children, oldest first; none if the process is gone. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function descendant(pid: number, depth: number): number | null {
  if (depth === 0) return pid;
  const [child] = childrenOf(pid);
  return child === undefined ? null : descendant(child, depth - 1);
}

export function joined(lines: readonly OutputLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

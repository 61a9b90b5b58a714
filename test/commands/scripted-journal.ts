// The journal of a scripted node: a journalctl that gives the entries which the test has written so far, and follows.
import type { Child, ChildRequest } from '../../src/host/host.ts';
import { entry } from '../sources/export-entries.ts';

export interface ScriptedJournal {
  /** One entry of the kubelet's unit now. */
  write(message: string): void;
  run(request: ChildRequest): Child;
}

export function scriptedJournal(bootId: string, monotonicMs: () => number, bootWallMs: number): ScriptedJournal {
  const written: Buffer[] = [];
  let arrived = Promise.withResolvers<void>();
  const journal = (from: number, follows: boolean, signal: AbortSignal | undefined): Child => {
    let next = from;
    let rest: Buffer = Buffer.alloc(0);
    const closed = Promise.withResolvers<void>();
    let isClosed = false;
    const close = async (): Promise<void> => {
      isClosed = true;
      closed.resolve();
    };
    signal?.addEventListener('abort', () => void close(), { once: true });
    return {
      async read(into) {
        while (rest.length === 0) {
          if (next < written.length) rest = written[next++]!;
          else if (!follows || isClosed) return 0;
          else await Promise.race([arrived.promise, closed.promise]);
        }
        const length = Math.min(into.length, rest.length);
        rest.copy(into, 0, 0, length);
        rest = rest.subarray(length);
        return length;
      },
      ended: (follows ? closed.promise : Promise.resolve()).then(() => ({ exitCode: 0, endedBy: null, stderr: '' })),
      close,
    };
  };
  return {
    write(message) {
      const monotonicUs = Math.round(monotonicMs() * 1_000);
      const fields = {
        MESSAGE: message,
        PRIORITY: '6',
        SYSLOG_IDENTIFIER: 'kubelet',
        _PID: '3055',
        _SYSTEMD_UNIT: 'kubelet.service',
        _TRANSPORT: 'stdout',
      };
      written.push(entry({ number: written.length + 1, bootId, monotonicUs, bootUs: bootWallMs * 1_000 }, fields));
      arrived.resolve();
      arrived = Promise.withResolvers();
    },
    run({ command, args, signal }) {
      if (command !== 'journalctl') throw new Error(`the scripted node has no ${command}`);
      if (args.includes('--version')) return textChild('systemd 252 (252.4)\n');
      if (args.includes('--follow')) return journal(0, true, signal);
      const isOfThisBoot = args[args.indexOf('-b') + 1] === '0';
      const first = args.includes('-n') ? Math.max(0, written.length - 1) : 0;
      return journal(isOfThisBoot ? first : written.length, false, signal);
    },
  };
}

function textChild(text: string): Child {
  let rest = Buffer.from(text);
  return {
    async read(into) {
      const length = rest.copy(into);
      rest = rest.subarray(length);
      return length;
    },
    ended: Promise.resolve({ exitCode: 0, endedBy: null, stderr: '' }),
    close: async () => undefined,
  };
}

// Says something to a Unix socket and waits for the first byte of an answer, which is not looked at.
import { connect } from 'node:net';
import { refusalOf } from '../files/refusal.ts';
import type { SocketAnswer } from '../system.ts';

/** Gone, or the other side took the file away between the look and the call. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);
/** Nobody listens, or nobody did by the time we spoke. */
const UNANSWERED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK']);
/** The queue of a listener that does not accept is full: the same as silence. */
const QUEUE_FULL = 'EAGAIN';

/** Waits until the signal is aborted. The path must have been looked at. @throws HostError, the signal's reason */
export function askSocket(path: string, hello: Uint8Array, signal: AbortSignal): Promise<SocketAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const socket = connect({ path });
    const leave = (): void => end(() => reject(signal.reason as Error));
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', leave);
      socket.destroy();
      settle();
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.on('connect', () => socket.write(hello));
    socket.on('data', () => end(() => resolve('answered')));
    socket.on('end', () => end(() => resolve('refused')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      if (code === QUEUE_FULL) return;
      if (ABSENT.has(code)) end(() => resolve('missing'));
      else if (UNANSWERED.has(code)) end(() => resolve('refused'));
      else end(() => reject(refusalOf(error, path)));
    });
  });
}

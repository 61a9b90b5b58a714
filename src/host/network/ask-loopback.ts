// Asks a server on this machine's own loopback address over plain HTTP. Follows no redirect and uses no proxy.
import { get } from 'node:http';
import type { LoopbackAnswer } from '../system.ts';

const BODY_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;

/** Waits until the signal is aborted. @throws the signal's reason */
export function askLoopback(port: number, path: string, signal: AbortSignal): Promise<LoopbackAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ kind: error.code === 'ECONNREFUSED' ? 'refused' : 'failed' });
    };
    const request = get(
      { host: '127.0.0.1', port, path, agent: false, maxHeaderSize: HEADERS_MAX_BYTES, signal },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const done = (): void => {
          resolve({
            kind: 'answered',
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8', 0, BODY_MAX_BYTES),
          });
          request.destroy();
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes >= BODY_MAX_BYTES) done();
        });
        response.on('end', done);
        response.on('error', fail);
      },
    );
    request.on('error', fail);
  });
}

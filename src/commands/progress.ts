// Shows on standard error how far the reading is, for inputs that take a while.
import { TOOL_NAME } from '../options.ts';
import { type OutputStream, writeStream } from '../sinks/local/stream.ts';

const SHOWN_FROM_BYTES = 50e6;
const REDRAW_MS = 100;
const LINE_EACH_BYTES = 200e6;

export interface Progress {
  /** All bytes read so far. */
  at(bytes: number): void;
  end(): void;
}

/** `totalBytes` is what the inputs announce; compressed ones announce nothing. */
export function createProgress(stream: OutputStream, totalBytes: number, quiet: boolean): Progress {
  if (quiet) return { at: () => undefined, end: () => undefined };
  return stream.isTTY === true ? rewrittenLine(stream, totalBytes) : plainLines(stream, totalBytes);
}

function rewrittenLine(stream: OutputStream, totalBytes: number): Progress {
  let drawnMs = -Infinity;
  return {
    at(bytes) {
      if (Math.max(totalBytes, bytes) < SHOWN_FROM_BYTES || performance.now() - drawnMs < REDRAW_MS) return;
      drawnMs = performance.now();
      say(stream, `\r\u001b[K${words(bytes, totalBytes)}`);
    },
    end() {
      if (drawnMs > 0) say(stream, '\r\u001b[K');
    },
  };
}

function plainLines(stream: OutputStream, totalBytes: number): Progress {
  let next = LINE_EACH_BYTES;
  return {
    at(bytes) {
      if (bytes < next) return;
      next = bytes - (bytes % LINE_EACH_BYTES) + LINE_EACH_BYTES;
      say(stream, `${words(bytes, totalBytes)}\n`);
    },
    end: () => undefined,
  };
}

function words(bytes: number, totalBytes: number): string {
  const megabytes = (amount: number): string => `${Math.round(amount / 1e6)} MB`;
  return `${TOOL_NAME}: read ${megabytes(bytes)}${bytes <= totalBytes ? ` of ${megabytes(totalBytes)}` : ''}`;
}

/** Progress that cannot be shown is no reason to stop. */
function say(stream: OutputStream, text: string): void {
  void writeStream(stream, text).catch(() => undefined);
}

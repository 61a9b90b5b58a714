// Shows on standard error how far the reading is, for inputs that take a while.
import { TOOL_NAME } from '../options.ts';
import { redactText } from '../redaction/redact.ts';
import { clip } from '../render/wording.ts';
import { type OutputStream, writeStream } from '../sinks/local/stream.ts';

const WIDTH_MIN = 80;
const SHOWN_FROM_BYTES = 50e6;
const REDRAW_MS = 100;
const LINE_EACH_BYTES = 200e6;

export interface Progress {
  /** All bytes read so far, and the input that they end in. */
  at(bytes: number, name: string): void;
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
    at(bytes, name) {
      if (Math.max(totalBytes, bytes) < SHOWN_FROM_BYTES || performance.now() - drawnMs < REDRAW_MS) return;
      drawnMs = performance.now();
      say(stream, `\r\u001b[K${clip(words(bytes, totalBytes, name), (stream.columns ?? WIDTH_MIN) - 1)}`);
    },
    end() {
      if (drawnMs > 0) say(stream, '\r\u001b[K');
    },
  };
}

function plainLines(stream: OutputStream, totalBytes: number): Progress {
  let next = LINE_EACH_BYTES;
  return {
    at(bytes, name) {
      if (bytes < next) return;
      next = bytes - (bytes % LINE_EACH_BYTES) + LINE_EACH_BYTES;
      say(stream, `${words(bytes, totalBytes, name)}\n`);
    },
    end: () => undefined,
  };
}

function words(bytes: number, totalBytes: number, name: string): string {
  const megabytes = (amount: number): string => `${Math.round(amount / 1e6)} MB`;
  const whole = bytes <= totalBytes ? ` of ${megabytes(totalBytes)}` : '';
  // A file's name is as hostile as its content.
  return `${TOOL_NAME}: read ${megabytes(bytes)}${whole}, now ${redactText(name)}`;
}

/** Progress that cannot be shown is no reason to stop. */
function say(stream: OutputStream, text: string): void {
  void writeStream(stream, text).catch(() => undefined);
}

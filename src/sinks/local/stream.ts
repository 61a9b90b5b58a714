// Delivers text to standard output or standard error. A reader that went away (EPIPE) is no error: it has seen enough.

export interface OutputStream {
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** Resolves when the bytes are handed to the system. @throws the stream's error, except EPIPE. */
export async function writeStream(stream: OutputStream, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error | null): void => {
      // The stream reports a failed write twice, to the callback and as an event; the listener stays for the second one.
      if (error === undefined || error === null) {
        stream.off('error', settle);
        resolve();
      } else if ('code' in error && error.code === 'EPIPE') resolve();
      else reject(error);
    };
    stream.on('error', settle);
    stream.write(text, settle);
  });
}

// Runs a program of the node to its end, or to its time limit, and keeps what it said. Interprets nothing.
import { refuseStuckMount } from '../files/mount-guard.ts';
import { findCommand, PROGRAM_FOLDERS, runChild } from './run-child.ts';
import { fill } from '../../lib/fill.ts';
import type { ToolOutput } from '../system.ts';
import { untilAborted } from '../../lib/until-aborted.ts';

export interface ToolRequest {
  readonly name: string;
  readonly args: readonly string[];
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
  readonly outputMaxBytes?: number;
}

const OUTPUT_MAX_BYTES = 256 * 1024;

/** Null if it is not installed. `exitCode` null: it did not end in time; it is killed then, and not waited for. @throws the signal's reason */
export async function toolOutput({
  name,
  args,
  timeLimitMs,
  signal,
  outputMaxBytes = OUTPUT_MAX_BYTES,
}: ToolRequest): Promise<ToolOutput | null> {
  signal.throwIfAborted();
  const command = findCommand(name, await answeringFolders());
  if (command === null) return null;
  const child = runChild({ command, args, timeLimitMs, signal });
  const into = Buffer.alloc(outputMaxBytes);
  /** Counted as they come: an answer that is late says what came until then. */
  let bytes = 0;
  const read = async (): Promise<ToolOutput> => {
    await fill(into, async (rest) => {
      const got = await child.read(rest);
      bytes += got;
      return got;
    });
    if (bytes === into.length) await child.close();
    const { exitCode, stderr } = await child.ended;
    return { exitCode, stdout: into.toString('utf8', 0, bytes), stderr };
  };
  const late = Promise.withResolvers<ToolOutput>();
  const timer = setTimeout(
    () => late.resolve({ exitCode: null, stdout: into.toString('utf8', 0, bytes), stderr: '' }),
    timeLimitMs,
  );
  try {
    return await untilAborted(Promise.race([read(), late.promise]), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Looking for a program touches each folder up to the one that has it. */
async function answeringFolders(): Promise<readonly string[]> {
  const answers = await Promise.allSettled(PROGRAM_FOLDERS.map(refuseStuckMount));
  return PROGRAM_FOLDERS.filter((_folder, at) => answers[at]?.status === 'fulfilled');
}

// Runs a tool of the build and gives its standard output; its errors go to ours.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Throws with the tool's own words when it exits with anything but 0; the error's `code` is `ENOENT` if the tool is not there. */
export async function run(file: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { cwd, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}

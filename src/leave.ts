// Ends the process with an exit code, whatever its threads still do. `process.exit` waits for all of them: for a system call that
// never returns (a file on a dead mount), and for a compiler thread that waits for a collection of garbage which the main thread
// will not begin any more (nodejs/node#54918: the verdict is out, and the process stays for ever). Becoming another program ends
// them all without a wait, so the process becomes a shell that has nothing to do but to exit.
import { accessSync, constants } from 'node:fs';

const SHELL = '/bin/sh';
/** Of what was written and not awaited, e.g. progress; what matters is out by now. */
const DRAIN_LIMIT_MS = 250;

export async function leave(code: number): Promise<never> {
  await Promise.race([
    Promise.all([process.stdout, process.stderr].map(drained)),
    new Promise((resolve) => setTimeout(resolve, DRAIN_LIMIT_MS)),
  ]);
  if (process.execve === undefined || !isThere(SHELL)) process.exit(code);
  // What is to be done at the end, such as the removal of private folders, hangs on this.
  process.emit('exit', code);
  return process.execve(SHELL, ['sh', '-c', `exit ${code}`], {});
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve();
    else
      stream
        .once('drain', resolve)
        .once('error', () => resolve())
        .once('close', resolve);
  });
}

/** Where it fails, the call ends the process by an abort. */
function isThere(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

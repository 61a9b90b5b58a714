// What this process runs: an executable of its own, one that was handed to a loader (`ld-linux… PROGRAM`), or a script of Node.
import { readFileSync } from 'node:fs';
import { isSea } from 'node:sea';

/** The program stands at fixed addresses, below all others: its path ends the first line, whoever started it. */
const LOWEST_MAPPED = /^(?:\S+ +){5}(?<path>[^\n]+)/;

/** Null where other programs may run by the same file: of an interpreter or a loader. */
export function ownExecutable(): string | null {
  if (!isSea()) return null;
  const program = LOWEST_MAPPED.exec(readFileSync('/proc/self/maps', 'utf8'))?.groups?.['path'];
  return program === process.execPath ? program : null;
}

/** What starts this program once more; arguments go behind. */
export function ownCommand(): [string, ...string[]] {
  const own = ownExecutable();
  return own === null ? [process.execPath, process.argv[1]!] : [own];
}

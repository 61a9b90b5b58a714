// How the tool names itself before a line that lands in a log: by its name and a colon, or not at all where the journal does it.
import { fstatSync } from 'node:fs';
import { TOOL_NAME } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Set by the units that have `SyslogIdentifier=`: journald names the tool before each line, so that it need not. */
const LOGGED_AS = 'LOGGED_AS';

export function ownName(env: Environment, descriptor: number): string {
  return env[LOGGED_AS] === TOOL_NAME && isJournal(env, descriptor) ? '' : `${TOOL_NAME}: `;
}

/** systemd names the journal's socket as `device:inode`. */
export function isJournal(env: Environment, descriptor: number): boolean {
  const stream = env['JOURNAL_STREAM'];
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

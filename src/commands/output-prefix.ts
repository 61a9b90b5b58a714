// Decides whether text lines must name the tool: they must where the output ends up in a log that is read again.
import { fstatSync, readFileSync } from 'node:fs';
import { TOOL_NAME } from '../options.ts';
import type { CommandContext } from './command-context.ts';

export interface Ancestor {
  readonly pid: number;
  /** The kernel's name of the process, at most 15 characters. */
  readonly name: string;
}

export interface Surroundings {
  readonly isTerminal: boolean;
  /** Standard output is the journal itself. */
  readonly isJournal: boolean;
  /** Some parent was started by systemd as a service. */
  readonly inService: boolean;
  /** Nearest first. */
  readonly ancestors: readonly Ancestor[];
}

/** A person or an agent who reads the output: a login, SSM, a user's own systemd. */
const READER = /^(?:sshd|ssm-|login$|systemd$)/;
const ANCESTORS_MAX = 16;
const STDOUT = 1;

/** What to put before every line of text; empty for nothing. */
export function outputPrefix({ settings, process }: CommandContext): string {
  const wanted =
    settings.prefix === 'always' ||
    (settings.prefix === 'auto' &&
      settings.output === null &&
      settings.format === 'text' &&
      isReadAgain({
        isTerminal: process.stdout.isTTY === true,
        isJournal: isJournal(process.env['JOURNAL_STREAM']),
        inService: process.env['INVOCATION_ID'] !== undefined || process.env['JOURNAL_STREAM'] !== undefined,
        ancestors: ancestors(),
      }));
  return wanted ? `${TOOL_NAME}: ` : '';
}

/** cloud-init and services write to logs; the SSM agent is a service too, but gives the output to whoever asked. */
export function isReadAgain({ isTerminal, isJournal, inService, ancestors }: Surroundings): boolean {
  if (isTerminal) return false;
  if (isJournal || ancestors.some(({ name }) => name === 'cloud-init')) return true;
  return inService && !ancestors.some(({ pid, name }) => pid !== 1 && READER.test(name));
}

/** systemd names the journal's socket as `device:inode`. */
function isJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(STDOUT);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** Empty where there is no /proc. */
function ancestors(): Ancestor[] {
  const found: Ancestor[] = [];
  let pid = 'self';
  while (found.length < ANCESTORS_MAX) {
    const stat = /^(?<own>\d+) \((?<name>[^]*)\) \S (?<parent>\d+) /.exec(readStat(pid))?.groups;
    if (stat === undefined) break;
    found.push({ pid: Number(stat['own']), name: stat['name']! });
    pid = stat['parent']!;
    if (pid === '0') break;
  }
  return found.slice(1);
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

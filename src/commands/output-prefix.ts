// Decides whether text lines must name the tool: they must where the output ends up in a log that is read again.
import { readFileSync } from 'node:fs';
import { isJournal, ownName } from '../own-name.ts';
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
const ALWAYS = ownName({}, STDOUT);

export interface OutputForm {
  /** What to put before every line of text; empty for nothing. */
  readonly prefix: string;
  /** Of a log every line is an entry of its own, so that an empty one is none. */
  readonly isLog: boolean;
}

export function outputForm({ settings, process }: CommandContext): OutputForm {
  const wanted =
    settings.prefix === 'always' ||
    (settings.prefix === 'auto' &&
      settings.output === null &&
      settings.format === 'text' &&
      isReadAgain({
        isTerminal: process.stdout.isTTY === true,
        isJournal: isJournal(process.env, STDOUT),
        inService: process.env['INVOCATION_ID'] !== undefined || process.env['JOURNAL_STREAM'] !== undefined,
        ancestors: ancestors(),
      }));
  const name = settings.prefix === 'always' ? ALWAYS : ownName(process.env, STDOUT);
  return { prefix: wanted ? name : '', isLog: wanted };
}

/** cloud-init and services write to logs; the SSM agent is a service too, but gives the output to whoever asked. */
export function isReadAgain({ isTerminal, isJournal, inService, ancestors }: Surroundings): boolean {
  if (isTerminal) return false;
  if (isJournal || ancestors.some(({ name }) => name === 'cloud-init')) return true;
  return inService && !ancestors.some(({ pid, name }) => pid !== 1 && READER.test(name));
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

// What may stand at each place of a command line, from the tables in options.ts; the shells' scripts are made of it.
import { COMMANDS, type CommandRule, optionFor, type OptionRule, OPTIONS, SHELLS } from '../options.ts';

/** Names that only a run knows. */
export interface Names {
  readonly probes: readonly string[];
  readonly causes: readonly string[];
}

/** Words to choose from, or what the shell itself finds. */
export type Choices = readonly string[] | 'files' | 'folders' | 'anything';

/** The first words of all commands; each with those that may follow it. */
export function firstWords(): ReadonlyMap<string, readonly CommandRule[]> {
  return Map.groupBy(COMMANDS as readonly CommandRule[], ({ name }) => name.split(' ')[0]!);
}

export function optionsOf(command: CommandRule): readonly OptionRule[] {
  const own = OPTIONS.filter(({ commands }) => commands === null || commands.includes(command.name));
  return own.map((option) => optionFor(command.name, option));
}

export function valuesOf({ name, argument, values }: OptionRule, names: Names): Choices {
  if (values !== null) return values;
  if (name === 'probe') return ['auto', 'all', 'none', ...names.probes];
  return argument === 'FILE' ? 'files' : argument === 'DIR' ? 'folders' : 'anything';
}

export function operandsOf({ name, operands }: CommandRule, names: Names): Choices {
  if (operands === 'PATH…') return 'files';
  if (operands === '[DIR]') return 'folders';
  if (operands === 'SHELL') return SHELLS;
  return name === 'patterns show' ? names.causes : 'anything';
}

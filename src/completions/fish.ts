// The completion script for fish.
import { COMMANDS, type CommandRule, type OptionRule, OPTIONS, TOOL_NAME } from '../options.ts';
import { type Choices, firstWords, type Names, operandsOf, optionsOf, valuesOf } from './choices.ts';

const SEEN = '__fish_seen_subcommand_from';

export function renderFish(names: Names): string {
  const lines = [
    `# fish completion for ${TOOL_NAME}; made by "${TOOL_NAME} completions fish"`,
    `complete -c ${TOOL_NAME} -f`,
    ...[...firstWords()].flatMap(([first, members]) => wordsOf(first, members)),
    complete('__fish_use_subcommand', "-a 'help' -d 'Show what a command does'"),
    complete(`${SEEN} help`, `-a '${[...firstWords().keys()].join(' ')}'`),
    ...COMMANDS.flatMap((command) => {
      const operands = flags(operandsOf(command, names));
      return operands === '' ? [] : [complete(seen(command), operands)];
    }),
    ...OPTIONS.filter(({ commands }) => commands === null).map(
      (option) => `complete -c ${TOOL_NAME} ${taking(option)}`,
    ),
    ...COMMANDS.flatMap((command) => {
      const own = optionsOf(command).filter(({ commands }) => commands !== null);
      return own.map((option) => complete(seen(command), taking(option)));
    }),
  ];
  return `${lines.join('\n')}\n`;

  function taking(option: OptionRule): string {
    const shown = `-l ${option.name} -d ${quote(option.help)}`;
    return option.argument === null ? shown : `${shown} ${wanted(valuesOf(option, names))}`;
  }
}

function wordsOf(first: string, members: readonly CommandRule[]): string[] {
  if (members[0]!.name === first)
    return [complete('__fish_use_subcommand', `-a ${first} -d ${quote(members[0]!.help)}`)];
  const seconds = members.map(({ name, help }) => [name.split(' ')[1]!, help] as const);
  const open = `${SEEN} ${first}; and not ${SEEN} ${seconds.map(([second]) => second).join(' ')}`;
  return [
    complete('__fish_use_subcommand', `-a ${first}`),
    ...seconds.map(([second, help]) => complete(open, `-a ${second} -d ${quote(help)}`)),
  ];
}

function seen({ name }: CommandRule): string {
  return name
    .split(' ')
    .map((word) => `${SEEN} ${word}`)
    .join('; and ');
}

function complete(condition: string, rest: string): string {
  return `complete -c ${TOOL_NAME} -n ${quote(condition)} ${rest}`;
}

/** A value must follow: a file, or nothing but what is offered. */
function wanted(choices: Choices): string {
  return choices === 'files' ? '-r -F' : `-x ${flags(choices)}`.trimEnd();
}

function flags(choices: Choices): string {
  if (choices === 'files') return '-F';
  if (choices === 'folders') return "-a '(__fish_complete_directories)'";
  return choices === 'anything' ? '' : `-a '${choices.join(' ')}'`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

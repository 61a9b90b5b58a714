// Words the help texts from the tables in options.ts and exit-codes.ts.
import { EXIT_CODES } from './exit-codes.ts';
import {
  COMMANDS,
  type CommandRule,
  generalHelp,
  optionFor,
  type OptionRule,
  OPTIONS,
  signature,
  TOOL_NAME,
} from './options.ts';

const WIDTH = 100;

/** Help of the whole tool (none named), of one command, or of those that begin with one word. Ends with a newline. */
export function renderHelp(about: readonly CommandRule[]): string {
  const [only, ...more] = about;
  if (only === undefined) return toolHelp();
  return more.length === 0 ? commandHelp(only) : groupHelp(about);
}

function toolHelp(): string {
  return [
    'Says in one verdict why an EC2 instance did not become a Ready EKS node.',
    '',
    'Usage:',
    ...table([...COMMANDS.map(usageRow), ['help COMMAND', 'Show what a command does, its options and examples.']]),
    '',
    'Options:',
    ...table(OPTIONS.map((option) => optionRow({ ...option, help: generalHelp(option) }))),
    ...examplesOf(COMMANDS),
    '',
    'Exit codes:',
    ...table(EXIT_CODES.map(({ code, meaning }) => [String(code).padStart(3), meaning])),
    '',
  ].join('\n');
}

function groupHelp(commands: readonly CommandRule[]): string {
  return ['Usage:', ...table(commands.map(usageRow)), ...examplesOf(commands), ''].join('\n');
}

function commandHelp(command: CommandRule): string {
  const options = OPTIONS.filter((option) => option.commands === null || option.commands.includes(command.name));
  return [
    `Usage: ${TOOL_NAME} ${usage(command)} [options]`,
    '',
    ...wrap(command.help, WIDTH),
    '',
    'Options:',
    ...table(options.map((option) => optionRow(optionFor(command.name, option)))),
    ...examplesOf([command]),
    '',
  ].join('\n');
}

/** To be copied as they stand, so they are not wrapped. */
function examplesOf(commands: readonly CommandRule[]): string[] {
  const examples = commands.flatMap((command) => command.examples);
  if (examples.length === 0) return [];
  return [
    '',
    'Examples:',
    ...examples.flatMap(([line, purpose]) => [...(purpose === '' ? [] : [`  # ${purpose}`]), `  ${wholeLine(line)}`]),
  ];
}

/** An example that does not name the tool begins with it. */
export function wholeLine(line: string): string {
  return line.includes(TOOL_NAME) ? line : `${TOOL_NAME} ${line}`;
}

function usageRow(command: CommandRule): [string, string] {
  return [usage(command), command.help];
}

export function usage(command: CommandRule): string {
  return command.operands === null ? command.name : `${command.name} ${command.operands}`;
}

function optionRow(option: OptionRule): [string, string] {
  const notes = [
    option.values && `${option.values.join(' | ')}.`,
    option.default && `Default: ${option.default}.`,
  ].filter(Boolean);
  return [signature(option), [option.help, ...notes].join(' ')];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - indent).map(
      (line, index) => (index === 0 ? `  ${left}`.padEnd(indent) : ' '.repeat(indent)) + line,
    ),
  );
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

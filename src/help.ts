// Words the help texts from the tables in options.ts and exit-codes.ts.
import { EXIT_CODES } from './exit-codes.ts';
import {
  COMMANDS,
  type CommandName,
  type CommandRule,
  type OptionRule,
  OPTIONS,
  signature,
  TOOL_NAME,
} from './options.ts';

const WIDTH = 100;

/** Help of the whole tool, or of one command. Ends with a newline. */
export function renderHelp(about: CommandName | null): string {
  return about === null ? toolHelp() : commandHelp(about);
}

function toolHelp(): string {
  return [
    'Says in one verdict why an EC2 instance did not become a Ready EKS node.',
    '',
    'Usage:',
    ...table(COMMANDS.map((command) => [usage(command), command.help])),
    '',
    'Options:',
    ...table(OPTIONS.map(optionRow)),
    '',
    'Exit codes:',
    ...table(EXIT_CODES.map(({ code, meaning }) => [String(code).padStart(2), meaning])),
    '',
  ].join('\n');
}

function commandHelp(name: CommandName): string {
  const command = COMMANDS.find((rule) => rule.name === name)!;
  const options = OPTIONS.filter((option) => option.commands === null || option.commands.includes(name));
  return [
    `Usage: ${TOOL_NAME} ${usage(command)} [options]`,
    '',
    ...wrap(command.help, WIDTH),
    '',
    'Options:',
    ...table(options.map(optionRow)),
    '',
  ].join('\n');
}

function usage(command: CommandRule): string {
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

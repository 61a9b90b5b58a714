// The man page as roff, from the tables that help and parsing are made of. Holds no date, so that it changes only with them.
import { EXIT_CODES } from '../src/exit-codes.ts';
import { usage, wholeLine } from '../src/help.ts';
import { ENVIRONMENT_FILE, VARIABLE_PREFIX } from '../src/kept-options.ts';
import {
  type CommandRule,
  COMMANDS as RULES,
  generalHelp,
  type OptionRule,
  OPTIONS,
  signature,
  TOOL_NAME,
} from '../src/options.ts';
import { OPERATOR_FOLDER } from '../src/signatures/operator-folder.ts';
import { PLACES } from '../src/sinks/local/places.ts';

const COMMANDS: readonly CommandRule[] = RULES;
export const MAN_PAGE = `docs/${TOOL_NAME}.1`;

export function renderManPage(): string {
  return `${[
    `.\\" Made by npm run generate from src/options.ts.`,
    `.TH ${TOOL_NAME.toUpperCase()} 1 "" "${TOOL_NAME}" "User Commands"`,
    '.SH NAME',
    `${TOOL_NAME} \\- why an EC2 instance did not become a Ready EKS node`,
    '.SH SYNOPSIS',
    ...COMMANDS.flatMap((command, index) => [
      ...(index === 0 ? [] : ['.br']),
      `.B ${TOOL_NAME} ${text(usage(command))}`,
      '[options]',
    ]),
    '.SH DESCRIPTION',
    ...prose(
      'It reads what the boot of an EC2 instance left behind, asks the node a few bounded questions, and says in one verdict why the instance did not become a Ready node of its EKS cluster: the cause, the lines that prove it, how far the boot came, and the commands that fix it. It changes nothing and needs no access to the cluster.',
    ),
    '.SH COMMANDS',
    ...COMMANDS.flatMap((command) => item(usage(command), command.help)),
    '.SH OPTIONS',
    ...OPTIONS.flatMap((option) => item(signature(option), wordOption(option))),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, meaning }) => item(String(code), `${meaning}.`)),
    '.SH FILES',
    ...Object.entries({
      [ENVIRONMENT_FILE]: 'Options of watch and diagnose, one NAME=value a line, as under ENVIRONMENT.',
      [OPERATOR_FOLDER]: 'Pattern files of your own.',
      [`${PLACES.run}/verdict.json`]: 'The last verdict of this boot.',
      [`${PLACES.log}/verdicts.jsonl`]: 'The verdicts of all boots.',
    }).flatMap(([file, what]) => item(file, what)),
    '.SH ENVIRONMENT',
    ...item(
      `${VARIABLE_PREFIX}NAME`,
      'The option --name of watch and diagnose, in capitals, with _ for - (LOG_GROUP, DEADLINE); a switch is true or false. An argument counts before a variable, a variable before the file.',
    ),
    ...item('NO_COLOR', 'No colour on a terminal if it is set.'),
    ...item('TMPDIR', 'Where archives are unpacked that have to be; /tmp without it.'),
    '.SH EXAMPLES',
    ...COMMANDS.flatMap(({ examples }) => examples).flatMap(([line, purpose], index) => [
      ...(index === 0 ? [] : ['.PP']),
      ...(purpose === '' ? [] : [...prose(`${purpose}:`)]),
      '.EX',
      ...wholeLine(line).split('\n').map(text),
      '.EE',
    ]),
    '.SH SEE ALSO',
    '.BR journalctl (1),',
    '.BR systemctl (1)',
  ].join('\n')}\n`;
}

function item(tag: string, what: string): string[] {
  return ['.TP', `.B ${text(tag)}`, ...prose(what)];
}

function wordOption(option: OptionRule): string {
  const { values, default: usual, commands } = option;
  return [
    generalHelp(option),
    ...(values === null ? [] : [`One of ${values.join(', ')}.`]),
    ...(usual === null ? [] : [`Default: ${usual}.`]),
    ...(commands === null ? [] : [`For ${commands.join(', ')}.`]),
  ].join(' ');
}

const LINE_MAX_CHARS = 80;

/** Filled text, so that its lines may be broken anywhere. */
function prose(words: string): string[] {
  const lines = [''];
  for (const word of words.split(' ').map(text)) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= LINE_MAX_CHARS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A hyphen of an option is no dash, and a line that begins with a dot or a quote is no request. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&');
}

// Turns the arguments into one invocation, or into one sentence that says what is wrong with them.
import { parseArgs } from 'node:util';
import { EXIT_BAD_USAGE } from './exit-codes.ts';
import type { KeptOption } from './kept-options.ts';
import { nearest } from './nearest.ts';
import { OperatorError } from './operator-error.ts';
import {
  COMMANDS,
  type CommandName,
  type CommandRule,
  optionFor,
  type OptionRule,
  OPTIONS,
  type Shell,
  SHELLS,
  TOOL_NAME,
} from './options.ts';

export interface Settings {
  readonly format: 'text' | 'json' | 'markdown' | 'html' | 'aws-checks';
  readonly prefix: 'auto' | 'always' | 'never';
  readonly output: string | null;
  /** Every operand is a capture of its own. */
  readonly each: boolean;
  readonly jobs: number;
  readonly root: string | null;
  readonly folder: string | null;
  readonly deadlineMs: number;
  /** Names of probes, all or none of them, or those that bear on what the logs suggest. */
  readonly probe: 'auto' | 'all' | 'none' | readonly string[];
  /** Null: as the command does by default. */
  readonly deliver: 'all' | 'local' | 'none' | null;
  readonly logGroup: string | null;
  readonly createLogGroup: boolean;
  readonly retentionDays: number;
  readonly shipLogs: 'on-failure' | 'never';
  readonly instanceTypes: readonly string[];
  readonly redactIdentifiers: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
}

export type Invocation =
  /** One command, all that begin with one word, or none: the whole tool. */
  | { readonly kind: 'help'; readonly about: readonly CommandRule[] }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'command';
      readonly command: CommandName;
      readonly operands: readonly string[];
      readonly settings: Settings;
    };

const PARSER_OPTIONS = Object.fromEntries(
  OPTIONS.map((option) => [
    option.name,
    { type: option.argument === null ? ('boolean' as const) : ('string' as const) },
  ]),
);

const SHORT: Readonly<Record<string, string>> = { '-h': '--help', '-v': '--version' };

/** What is `kept` counts where no argument says otherwise. @throws OperatorError (exit code 2) for anything that the tables in options.ts do not allow. */
export function parseArguments(args: readonly string[], kept: readonly KeptOption[] = []): Invocation {
  const { tokens } = parseArgs({
    args: args.map((arg) => SHORT[arg] ?? arg),
    options: PARSER_OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind === 'option') given.set(...checkedOption(token.rawName, token.value));
  }
  if (given.has('version')) return { kind: 'version' };
  if (words[0] === 'help') return { kind: 'help', about: aboutOf(words.slice(1)) };
  if (given.has('help') || words.length === 0) return { kind: 'help', about: aboutOf(words) };

  const command = commandOf(words) ?? fail(unknownCommand(words));
  const operands = words.slice(command.name.split(' ').length);
  checkOperands(command, operands);
  for (const name of given.keys()) {
    const option = OPTIONS.find((rule) => rule.name === name)!;
    if (option.commands?.includes(command.name) === false)
      fail(`--${name} does not belong to "${command.name}".`, command.name);
  }
  const settings = withKept(given, kept, command.name);
  const { format, deliver, createLogGroup } = settings;
  for (const option of OPTIONS.filter(({ name }) => name === 'format')) {
    const own = optionFor(command.name, option);
    if (own.values?.includes(format) === false)
      fail(`--format ${format} does not belong to "${command.name}": it is ${expected(own)}.`, command.name);
  }
  if (settings.each && format === 'aws-checks')
    fail('--format aws-checks is of one node, and does not go with --each.', command.name);
  if (settings.each && format === 'html' && settings.output === null)
    fail(
      '--each --format html needs --output FOLDER, for a page of each capture and one that links them.',
      command.name,
    );
  if (given.has('retention-days') && !createLogGroup)
    fail(
      '--retention-days needs --create-log-group: the retention of a group that is there is not changed.',
      command.name,
    );
  if (command.name === 'diagnose' && deliver !== 'all' && (given.has('log-group') || given.has('create-log-group')))
    fail('--log-group and --create-log-group need --deliver all.', command.name);
  if (given.get('ship-logs') === 'on-failure' && (deliver ?? (command.name === 'watch' ? 'all' : 'none')) !== 'all')
    fail('--ship-logs needs --deliver all.', command.name);
  return { kind: 'command', command: command.name, operands, settings };
}

/** Complaints about what is kept name its place. */
function withKept(given: ReadonlyMap<string, string>, kept: readonly KeptOption[], command: CommandName): Settings {
  const merged = new Map(given);
  const used = kept.filter(({ option, value }) => {
    if (given.has(option.name) || value === null || option.commands?.includes(command) !== true) return false;
    merged.set(option.name, value);
    return true;
  });
  const subjectOf = (option: OptionRule): string | undefined => used.find((each) => each.option === option)?.subject;
  for (const { option, value, subject } of used)
    if (option.values?.includes(value!) === false)
      fail(`${subject} cannot be "${value!}": it is ${expected(option)}.`, command);
  try {
    return settingsOf(merged, command);
  } catch (error) {
    const option = OPTIONS.find(({ name }) => (error as Error).message.startsWith(`--${name} `));
    const subject = option === undefined ? undefined : subjectOf(option);
    if (!(error instanceof OperatorError) || subject === undefined) throw error;
    throw new OperatorError(
      error.message.replace(`--${option!.name}`, () => subject),
      error.exitCode,
    );
  }
}

function checkedOption(rawName: string, value: string | undefined): [string, string] {
  const option = OPTIONS.find((rule) => `--${rule.name}` === rawName);
  if (option === undefined) {
    fail(
      `There is no option ${rawName}.${suggestion(
        rawName,
        OPTIONS.map((rule) => `--${rule.name}`),
      )}`,
    );
  }
  if (option.argument === null) {
    if (value !== undefined) fail(`--${option.name} takes no value.`);
    return [option.name, ''];
  }
  if (value === undefined || value === '' || /^-[^\d]/.test(value))
    fail(`--${option.name} needs a value: ${expected(option)}.`);
  if (option.values?.includes(value) === false)
    fail(`--${option.name} cannot be "${value}": it is ${expected(option)}.`);
  return [option.name, value];
}

function expected(option: OptionRule): string {
  return option.values === null ? option.argument! : option.values.join(' or ');
}

function commandOf(words: readonly string[]): CommandRule | undefined {
  return COMMANDS.find((command) => command.name === words.slice(0, command.name.split(' ').length).join(' '));
}

function aboutOf(words: readonly string[]): readonly CommandRule[] {
  const [first] = words;
  if (first === undefined) return [];
  const members = words.length > 1 ? [] : COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  return members.length > 0 ? members : [commandOf(words) ?? fail(unknownCommand(words))];
}

function unknownCommand(words: readonly string[]): string {
  const [first = '', second] = words;
  const members = COMMANDS.map((command) => command.name.split(' ')).filter(
    (parts) => parts.length > 1 && parts[0] === first,
  );
  const choices =
    members.length > 0
      ? members.map((parts) => parts[1]!)
      : [...new Set(COMMANDS.map((command) => command.name.split(' ')[0]!))];
  if (members.length === 0)
    return `There is no command "${first}".${suggestion(first, choices)} Commands: ${choices.join(', ')}.`;
  if (second === undefined) return `"${first}" needs one of: ${choices.join(', ')}.`;
  return `There is no command "${first} ${second}".${suggestion(second, choices)} It is one of: ${choices.join(', ')}.`;
}

function checkOperands(command: CommandRule, operands: readonly string[]): void {
  const { name, operands: wanted } = command;
  if (wanted === null && operands.length > 0) fail(`"${name}" takes no argument, but got "${operands[0]}".`, name);
  if (wanted === 'PATH…' && operands.length === 0)
    fail(`"${name}" needs at least one PATH (a log file, folder or bundle; - for standard input).`, name);
  if (wanted === 'ID' && operands.length !== 1)
    fail(`"${name}" needs exactly one ID ("${TOOL_NAME} patterns list" shows them).`, name);
  if (wanted === 'GROUP/ID' && operands.length !== 1)
    fail(`"${name}" needs exactly one GROUP/ID, such as runtime/registry-mirror-down.`, name);
  if (wanted === 'SHELL' && (operands.length !== 1 || !SHELLS.includes(operands[0] as Shell)))
    fail(`"${name}" needs one of: ${SHELLS.join(', ')}.`, name);
  if (wanted === '[DIR]' && operands.length > 1) fail(`"${name}" takes at most one DIR.`, name);
  if (operands.includes('')) fail(`"${name}" got an empty argument.`, name);
}

function settingsOf(given: ReadonlyMap<string, string>, command: CommandName): Settings {
  const value = (name: string): string | null =>
    given.get(name) ?? OPTIONS.find((option) => option.name === name)!.default;
  return {
    format: value('format') as Settings['format'],
    prefix: value('prefix') as Settings['prefix'],
    output: value('output'),
    each: given.has('each'),
    jobs: jobsOf(value('jobs')!, given),
    root: value('root'),
    folder: value('folder'),
    deadlineMs: deadlineOf(value('deadline')!),
    probe: probesOf(value('probe')!),
    deliver: value('deliver') as Settings['deliver'],
    logGroup: logGroupOf(value('log-group')),
    createLogGroup: command === 'watch' || given.has('create-log-group'),
    retentionDays: retentionOf(value('retention-days')!),
    shipLogs: value('ship-logs') as Settings['shipLogs'],
    instanceTypes: instanceTypesOf(value('instance-types')),
    redactIdentifiers: given.has('redact-identifiers'),
    color: !given.has('no-color'),
    quiet: given.has('quiet'),
  };
}

const JOBS_MAX = 64;

function jobsOf(text: string, given: ReadonlyMap<string, string>): number {
  if (given.has('jobs') && !given.has('each')) fail('--jobs needs --each.');
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > JOBS_MAX) fail(`--jobs cannot be "${text}": it is a number from 1 to ${JOBS_MAX}.`);
  return jobs;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const DEADLINE_MAX_MS = 24 * 60 * 60_000;

function deadlineOf(text: string): number {
  const { amount = '0', unit = 's' } = /^(?<amount>\d{1,6})(?<unit>[smh])$/.exec(text)?.groups ?? {};
  const ms = Number(amount) * UNIT_MS[unit]!;
  if (ms === 0 || ms > DEADLINE_MAX_MS)
    fail(`--deadline cannot be "${text}": it is a duration up to 24h, such as 90s or 12m.`);
  return ms;
}

function probesOf(text: string): Settings['probe'] {
  return text === 'auto' || text === 'all' || text === 'none' ? text : text.split(',').filter((name) => name !== '');
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html */
const LOG_GROUP = /^[.\-_/#A-Za-z0-9]{1,512}$/;

function logGroupOf(name: string | null): string | null {
  if (name !== null && !LOG_GROUP.test(name))
    fail(`--log-group cannot be "${name}": it is up to 512 of a-z, A-Z, 0-9, "_", "-", "/", "." and "#".`);
  return name;
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

function retentionOf(text: string): number {
  if (!RETENTION_DAYS.includes(Number(text)))
    fail(`--retention-days cannot be "${text}": CloudWatch takes ${RETENTION_DAYS.join(', ')}.`);
  return Number(text);
}

const INSTANCE_TYPE = /^[a-z][a-z0-9-]{0,30}\.[a-z0-9-]{1,20}$/;

function instanceTypesOf(text: string | null): readonly string[] {
  const types = text === null ? [] : text.split(',');
  const wrong = types.find((type) => !INSTANCE_TYPE.test(type));
  if (wrong !== undefined)
    fail(`--instance-types cannot hold "${wrong}": it is types such as m6i.large, separated by commas.`);
  return types;
}

function suggestion(word: string, choices: readonly string[]): string {
  const close = nearest(word, choices);
  return close === null ? '' : ` Did you mean ${close}?`;
}

function fail(sentence: string, about?: CommandName): never {
  throw new OperatorError(
    `${sentence} See "${TOOL_NAME} ${about === undefined ? '' : `${about} `}--help".`,
    EXIT_BAD_USAGE,
  );
}

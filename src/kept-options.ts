// Options that are kept on the node for every run of `watch` and `diagnose`, however it is started: variables of the environment or
// lines of one file in the form of systemd's EnvironmentFile. Reads nothing itself; says of a fault in which line it stands.
import { EXIT_BAD_USAGE } from './exit-codes.ts';
import { nearest } from './nearest.ts';
import { OperatorError } from './operator-error.ts';
import { type OptionRule, OPTIONS } from './options.ts';

export const ENVIRONMENT_FILE = '/etc/eks-bootstrap-analyzer/environment';
export const VARIABLE_PREFIX = 'EKS_BOOTSTRAP_ANALYZER_';

export interface KeptOption {
  readonly option: OptionRule;
  /** `''` for a switch that is on, null for one that is off. */
  readonly value: string | null;
  /** Where it stands, with the variable's name: the subject of a complaint. */
  readonly subject: string;
}

interface Setting {
  readonly variable: string;
  readonly value: string;
  readonly place: string;
}

const LINE = /^(?<variable>[A-Za-z_][A-Za-z0-9_]*)=(?<value>.*)$/;
const QUOTED = /^(?<quote>["'])(?<text>[^"'\\]*)\k<quote>$/;
const SWITCH: Readonly<Record<string, string | null>> = {
  true: '',
  yes: '',
  '1': '',
  false: null,
  no: null,
  '0': null,
};

/** `LOG_GROUP` with the prefix for `log-group`. */
export function variableOf({ name }: OptionRule): string {
  return VARIABLE_PREFIX + name.toUpperCase().replaceAll('-', '_');
}

export function canBeKept({ commands }: OptionRule): boolean {
  return commands?.includes('watch') === true;
}

/** `text` null: there is no file. A variable of the environment counts before a line. @throws OperatorError */
export function keptOptions(
  env: Readonly<Record<string, string | undefined>>,
  text: string | null,
): readonly KeptOption[] {
  const lines = settingsIn(text ?? '');
  const variables = Object.entries(env).flatMap(([variable, value = '']): Setting[] => {
    // systemd has handed on what the file says: the complaint names the line.
    const line = lines.find((setting) => setting.variable === variable && setting.value === value);
    return variable.startsWith(VARIABLE_PREFIX) ? [line ?? { variable, value, place: 'environment' }] : [];
  });
  const all = [...lines.filter(({ variable }) => env[variable] === undefined), ...variables];
  return all.filter(({ variable }) => variable.startsWith(VARIABLE_PREFIX)).map(toOption);
}

function settingsIn(text: string): readonly Setting[] {
  const settings = new Map<string, Setting>();
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    const place = `${ENVIRONMENT_FILE}:${index + 1}`;
    if (line === '' || /^[#;]/.test(line)) return;
    const { variable, value } = LINE.exec(line)?.groups ?? {};
    if (variable === undefined) fail(`${place}: this is no line NAME=value.`);
    const isOurs = variable.startsWith(VARIABLE_PREFIX);
    const plain = QUOTED.exec(value!.trim())?.groups!['text'] ?? value!.trim();
    if (isOurs && /["'\\]/.test(plain)) fail(`${place}: ${variable} has a quote or a backslash where none can be.`);
    settings.set(variable, { variable, value: plain, place });
  });
  return [...settings.values()];
}

function toOption({ variable, value, place }: Setting): KeptOption {
  const subject = `${place}: ${variable}`;
  const rules = OPTIONS.filter(canBeKept);
  const option = rules.find((rule) => variableOf(rule) === variable);
  if (option === undefined) {
    const word = variable.slice(VARIABLE_PREFIX.length).replaceAll('_', '-');
    const close = nearest(
      word,
      rules.map(({ name }) => name),
    );
    const advice = close === null ? '' : ` Did you mean ${variableOf(rules.find(({ name }) => name === close)!)}?`;
    fail(`${subject} is no option that can be kept.${advice}`);
  }
  if (option.argument !== null) return { option, value: value === '' ? null : value, subject };
  const state = value === '' ? null : SWITCH[value.toLowerCase()];
  if (state === undefined) fail(`${subject} cannot be "${value}": it is true or false.`);
  return { option, value: state, subject };
}

function fail(sentence: string): never {
  throw new OperatorError(`${sentence} See "Options" in the README.`, EXIT_BAD_USAGE);
}

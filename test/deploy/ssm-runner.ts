// Runs a Command document of schema 2.2 as SSM and its agent do: the parameters are judged by their patterns, put into the text of the
// steps, and the lines of a step become one script. What is kept of the output has the agent's limits.
import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';

export interface SsmDocument {
  readonly schemaVersion: string;
  readonly parameters: Readonly<Record<string, SsmParameter>>;
  readonly mainSteps: readonly {
    readonly action: string;
    readonly inputs: { readonly runCommand: readonly string[]; readonly timeoutSeconds: string };
  }[];
}

interface SsmParameter {
  readonly type: string;
  readonly default?: string;
  readonly allowedPattern?: string;
  readonly allowedValues?: readonly string[];
}

export interface Invocation {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const OUTPUT_MAX_CHARS = 24_000;
const ERROR_MAX_CHARS = 8_000;

export function readDocument(text: string): SsmDocument {
  return parse(text) as SsmDocument;
}

/** @throws Error as `InvalidParameters` of SendCommand */
export function judged({ parameters }: SsmDocument, given: Readonly<Record<string, string>>): Map<string, string> {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(parameters, name)) throw new Error(`there is no parameter ${name}`);
  return new Map(
    Object.entries(parameters).map(([name, rule]) => {
      const value = given[name] ?? rule.default;
      if (value === undefined) throw new Error(`the parameter ${name} is missing`);
      const fits = rule.allowedPattern === undefined || new RegExp(rule.allowedPattern).test(value);
      if (!fits || rule.allowedValues?.includes(value) === false)
        throw new Error(`the parameter ${name} is not allowed`);
      return [name, value];
    }),
  );
}

/** The script of each step. */
export function scriptsOf({ mainSteps }: SsmDocument, values: ReadonlyMap<string, string>): string[] {
  return mainSteps.map(({ inputs }) =>
    inputs.runCommand.join('\n').replaceAll(/\{\{ *(?<name>\w+) *\}\}/g, (_all, name: string) => values.get(name)!),
  );
}

export function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
  [shell, ...args]: readonly [string, ...string[]] = ['sh', '-s'],
): Invocation {
  const { status, stdout, stderr } = spawnSync(shell, args, { input: script, env, encoding: 'utf8', timeout: 60_000 });
  return { code: status, out: stdout.slice(0, OUTPUT_MAX_CHARS), err: stderr.slice(0, ERROR_MAX_CHARS) };
}

// The AWS CLI, loaded once and asked by a socket: a test of some hundred calls would else wait for as many starts of Python.
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { DIST } from '../../../build/project.ts';

const PYTHON = join(DIST, 'moto', 'bin', 'python');
const START_LIMIT_MS = 60_000;
export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'admin',
  AWS_SECRET_ACCESS_KEY: 'admin',
  AWS_DEFAULT_REGION: 'us-west-2',
  HOME: '/nonexistent',
};

export interface AwsCli {
  readonly port: number;
  /** What a command prints. @throws Error with its complaint */
  readonly call: (...words: string[]) => Promise<string>;
  /** The same as JSON. */
  readonly json: <T>(...words: string[]) => Promise<T>;
}

/** Talks to `url` until the test ends. */
export async function startAwsCli(t: Pick<TestContext, 'after'>, url: string): Promise<AwsCli> {
  const env = { ...CREDENTIALS, PATH: '/usr/bin:/bin' };
  const server = spawn(PYTHON, [join(import.meta.dirname, 'cli-server.py'), url], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => server.kill('SIGKILL'));
  const [port] = await firstLine(server.stdout);
  const call = async (...words: string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write([...words, '', ''].join('\0'));
    let answer = '';
    for await (const piece of socket) answer += piece as string;
    const [out = '', complaint, code] = answer.split('\0');
    if (code !== '0') throw new Error(`aws ${words.join(' ')}: ${complaint}`);
    return out;
  };
  return {
    port,
    call,
    json: async <T>(...words: string[]) => JSON.parse(await call('--output', 'json', ...words)) as T,
  };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<[number]> {
  for await (const line of createInterface({ input: stream, signal: AbortSignal.timeout(START_LIMIT_MS) }))
    return [Number(line)];
  throw new Error('the AWS CLI did not say where it listens');
}

/** Notes its words in `$CALLS` and has them answered. */
const AWS = `#!/bin/bash
printf '%s\\n' "$*" >>"$CALLS"
exec 3<>"/dev/tcp/127.0.0.1/$CLI_PORT"
printf '%s\\0' "$@" '' >&3
{ IFS= read -r -d '' out; IFS= read -r -d '' complaint; read -r -d '' code; } <&3
printf '%s' "$out"
printf '%s' "$complaint" >&2
exit "$code"
`;

/** An `aws` for scripts, in a folder for PATH. */
export function writeAws(folder: string): void {
  const file = join(folder, 'aws');
  writeFileSync(file, AWS);
  chmodSync(file, 0o755);
}

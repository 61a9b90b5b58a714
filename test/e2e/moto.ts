// A CloudWatch Logs that is not ours: moto's server in a Python environment of its own, read back with the AWS CLI of the
// system. Makes the environment when it is missing and says why where it cannot.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { DIST } from '../../build/project.ts';
import type { Certificate } from '../host/certificates.ts';

const FOLDER = join(DIST, 'moto');
const PYTHON = join(FOLDER, 'bin', 'python');
const REQUIREMENTS = join(import.meta.dirname, 'moto-requirements.txt');
/** Written last: what is there is whole. */
const INSTALLED = join(FOLDER, 'requirements.txt');
/** Debian's, whatever else the PATH has. */
const AWS_CLI = '/usr/bin/aws';
const INSTALL_LIMIT_MS = 600_000;
const CALL_LIMIT_MS = 30_000;
const START_LIMIT_MS = 60_000;
const REGION = 'us-west-2';

const run = promisify(execFile);

export interface Moto {
  readonly url: string;
  /** A command of the AWS CLI, and what it prints as JSON. */
  cli(...args: string[]): Promise<unknown>;
  /** How many events of a stream hold this text; by one quick request, for measuring when something can be read. */
  count(group: string, stream: string, text: string): Promise<number>;
  /** The messages of a stream, parsed, by the AWS CLI. */
  readBack(group: string, stream: string): Promise<Record<string, unknown>[]>;
}

/** Installs what is not there yet. Null if it can be started, else the reason why not. */
export async function prepareMoto(): Promise<string | null> {
  if (!existsSync(AWS_CLI)) return `${AWS_CLI} is not installed`;
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(REQUIREMENTS, 'utf8')) return null;
  rmSync(FOLDER, { recursive: true, force: true });
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-cache-dir', '--only-binary', ':all:'];
  try {
    await run('python3', ['-m', 'venv', FOLDER], { timeout: INSTALL_LIMIT_MS });
    await run(PYTHON, ['-m', 'pip', 'install', ...quiet, '--requirement', REQUIREMENTS], { timeout: INSTALL_LIMIT_MS });
  } catch (error) {
    return `the Python environment cannot be made: ${(error as Error).message}`;
  }
  copyFileSync(REQUIREMENTS, INSTALLED);
  return null;
}

/** Listens on the loopback address until the test ends. */
export async function startMoto(t: Pick<TestContext, 'after'>): Promise<Moto> {
  const child = spawn(join(FOLDER, 'bin', 'moto_server'), ['--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const url = await addressOf(child);
  const cli = async (...args: string[]): Promise<unknown> => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: FOLDER,
      AWS_ACCESS_KEY_ID: 'reader',
      AWS_SECRET_ACCESS_KEY: 'reader',
      AWS_DEFAULT_REGION: REGION,
      AWS_PAGER: '',
    };
    const { stdout } = await run(AWS_CLI, ['--endpoint-url', url, '--output', 'json', ...args], {
      env,
      timeout: CALL_LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim() === '' ? null : JSON.parse(stdout);
  };
  return {
    url,
    cli,
    count: async (group, stream, text) => {
      const authorization = `AWS4-HMAC-SHA256 Credential=reader/20250101/${REGION}/logs/aws4_request, SignedHeaders=host, Signature=none`;
      const headers = {
        authorization,
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Logs_20140328.GetLogEvents',
      };
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ logGroupName: group, logStreamName: stream, startFromHead: true }),
      });
      if (!answer.ok) return 0;
      const { events } = (await answer.json()) as { events: { message: string }[] };
      return events.filter(({ message }) => message.includes(text)).length;
    },
    readBack: async (group, stream) => {
      const answer = await cli(
        'logs',
        'get-log-events',
        '--log-group-name',
        group,
        '--log-stream-name',
        stream,
        '--start-from-head',
      );
      return (answer as { events: { message: string }[] }).events.map(
        ({ message }) => JSON.parse(message) as Record<string, unknown>,
      );
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(START_LIMIT_MS);
  for await (const line of createInterface({ input: child.stderr!, signal })) {
    const address = /Running on (?<address>http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.groups?.['address'];
    if (address === undefined) continue;
    child.stderr!.resume();
    return address;
  }
  throw new Error('moto did not say where it listens');
}

/** Before moto, which speaks no TLS of ours: an HTTPS server that hands everything on. */
export async function tlsFront(
  t: Pick<TestContext, 'after'>,
  moto: Moto,
  certificate: Certificate,
): Promise<{ readonly port: number }> {
  const server = createHttpsServer(certificate, (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? '/', moto.url), { method: method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}

// The instance metadata service of a node under test, run as a program in the node's network namespace: the rules of IMDSv2,
// answers from a JSON file that is read again for every request. Argument: that file. Each request is a line on standard output.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImdsAnswer, ImdsData } from './imds.ts';

const ADDRESS = '169.254.169.254';
const TOKEN_PATH = 'api/token';
const TTL_HEADER = 'x-aws-ec2-metadata-token-ttl-seconds';
const TTL_MAX_SECONDS = 21_600;

const [file = ''] = process.argv.slice(2);
const expiryMs = new Map<string, number>();

createServer((request, response) => void answer(request, response)).listen(80, ADDRESS);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const data = JSON.parse(readFileSync(file, 'utf8')) as ImdsData;
  // The first part is `latest` or a date.
  const path = (request.url ?? '/').split('?', 1)[0]!.split('/').slice(2).filter(Boolean).join('/');
  const { status, value, delayMs } = path === TOKEN_PATH ? tokenFor(request, data) : metadataFor(request, path, data);
  console.log(`${request.method} ${request.url} ${status}`);
  await sleep(delayMs);
  response.writeHead(status, { 'content-type': 'text/plain', server: 'EC2ws' });
  response.end(value);
}

type Answer = Required<Exclude<ImdsAnswer, string>>;

function tokenFor({ method, headers }: IncomingMessage, data: ImdsData): Answer {
  const given = full(data[TOKEN_PATH] ?? '');
  if (given.status !== 200) return given;
  if (method !== 'PUT') return { ...given, status: 405 };
  if (headers['x-forwarded-for'] !== undefined) return { ...given, status: 403 };
  const ttlSeconds = Number(headers[TTL_HEADER]);
  if (!(ttlSeconds >= 1 && ttlSeconds <= TTL_MAX_SECONDS)) return { ...given, status: 400 };
  const token = randomBytes(40).toString('base64url');
  expiryMs.set(token, Date.now() + ttlSeconds * 1000);
  return { ...given, value: token };
}

function metadataFor({ method, headers }: IncomingMessage, path: string, data: ImdsData): Answer {
  if (method !== 'GET') return full({ status: 405 });
  const isKnown = (expiryMs.get(String(headers['x-aws-ec2-metadata-token'])) ?? 0) > Date.now();
  if (!isKnown && data['token-optional'] !== 'true') return full({ status: 401 });
  const given = data[path];
  return given === undefined ? listing(path, data) : full(given);
}

/** A path that is only the beginning of others lists them, as the service does; a name with more below it ends with a slash. */
function listing(path: string, data: ImdsData): Answer {
  const start = path === '' ? '' : `${path}/`;
  const below = Object.keys(data).filter((key) => key.startsWith(start));
  const names = new Set(below.map((key) => /^[^/]+\/?/.exec(key.slice(start.length))![0]));
  return names.size === 0 ? full({ status: 404 }) : full([...names].toSorted().join('\n'));
}

function full(answer: ImdsAnswer): Answer {
  return { status: 200, value: '', delayMs: 0, ...(typeof answer === 'string' ? { value: answer } : answer) };
}

// Asks the instance metadata service by its second version (a token first). Never goes through a proxy; keeps and interprets nothing.
import { isIP } from 'node:net';
import { type HttpAnswer, type Network, NetworkError } from '../host/network/network.ts';

export type MetadataCode = 'token-refused' | 'unauthorized' | 'not-found' | 'unreachable' | 'server-error';

export class MetadataError extends Error {
  readonly code: MetadataCode;
  /** A status, or at which step the connection failed. */
  readonly reason: string;
  readonly attempts: number;

  constructor(code: MetadataCode, reason: string, attempts: number) {
    super(`${code}: ${reason}`);
    this.name = 'MetadataError';
    this.code = code;
    this.reason = reason;
    this.attempts = attempts;
  }
}

export interface Metadata {
  /** How often the token was asked for until it came. */
  readonly attempts: number;
  /** Path below /latest/, e.g. `meta-data/instance-id`; null if there is no such item (404). @throws MetadataError, NetworkError `aborted` */
  get(path: string): Promise<string | null>;
  /** Like `get`, but null also where the service fails. @throws NetworkError `aborted` */
  find(path: string, encoding?: 'utf8' | 'latin1'): Promise<string | null>;
  /** Does it refuse a request without a token? Null if it cannot be told. @throws NetworkError `aborted` */
  isTokenRequired(): Promise<boolean | null>;
}

const IPV4 = '169.254.169.254';
const IPV6 = 'fd00:ec2::254';
const HTTP = 80;
const ANSWER_LIMIT_MS = 1_000;
const ATTEMPTS = 2;
const TOKEN_PATH = '/latest/api/token';
const TOKEN_SECONDS = '60';
/** What may stand in a header. */
const TOKEN = /^[\x21-\x7e]{1,1024}$/;
const CODES: Readonly<Record<number, MetadataCode>> = { 401: 'unauthorized', 403: 'token-refused', 404: 'not-found' };

/** Takes 2 s at most: the token is asked for twice. @throws MetadataError, NetworkError `aborted` */
export async function openMetadata(network: Network, signal: AbortSignal): Promise<Metadata> {
  const asked = {
    ...metadataEndpoint(network.environment),
    trust: null,
    proxy: null,
    timeLimitMs: ANSWER_LIMIT_MS,
    signal,
  } as const;
  const get = (
    path: string,
    headers: Readonly<Record<string, string>>,
    bodyEncoding: 'utf8' | 'latin1' = 'utf8',
  ): Promise<HttpAnswer> =>
    network.request({ ...asked, method: 'GET', path: `/latest/${path}`, headers, bodyEncoding });
  const { token, attempts } = await fetchToken(() =>
    network.request({
      ...asked,
      method: 'PUT',
      path: TOKEN_PATH,
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS },
    }),
  );
  const withToken = { 'x-aws-ec2-metadata-token': token };
  const item = async (path: string, encoding?: 'utf8' | 'latin1'): Promise<string | null> => {
    const answer = await answered(() => get(path, withToken, encoding), attempts);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw refusal(answer.status, attempts);
    return answer.body;
  };
  return {
    attempts,
    get: (path) => item(path),
    find: (path, encoding) => item(path, encoding).catch(nullIfMetadata),
    async isTokenRequired() {
      const answer = await answered(() => get('meta-data/instance-id', {}), attempts).catch(nullIfMetadata);
      return answer?.status === 401 ? true : answer?.status === 200 ? false : null;
    },
  };
}

async function fetchToken(
  put: () => Promise<HttpAnswer>,
): Promise<{ readonly token: string; readonly attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    try {
      const { status, body } = await answered(put, attempts);
      if (status !== 200) throw refusal(status, attempts);
      if (!TOKEN.test(body)) throw new MetadataError('server-error', 'no token', attempts);
      return { token: body, attempts };
    } catch (error) {
      // A refusal is a decision; silence and faults may pass.
      const mayPass = error instanceof MetadataError && (error.code === 'unreachable' || error.code === 'server-error');
      if (!mayPass || attempts === ATTEMPTS) throw error;
    }
  }
}

async function answered(ask: () => Promise<HttpAnswer>, attempts: number): Promise<HttpAnswer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NetworkError) || error.code === 'aborted') throw error;
    throw new MetadataError(
      error.code === 'answer-malformed' || error.code === 'answer-too-large' ? 'server-error' : 'unreachable',
      error.code,
      attempts,
    );
  }
}

function refusal(status: number, attempts: number): MetadataError {
  return new MetadataError(CODES[status] ?? 'server-error', String(status), attempts);
}

function nullIfMetadata(error: unknown): null {
  if (error instanceof MetadataError) return null;
  throw error;
}

/**
 * The SDKs' own variables may name another place, as long as it lies on this machine or its link: a token and credentials are
 * asked for there.
 */
export function metadataEndpoint(environment: Readonly<Record<string, string>>): {
  readonly host: string;
  readonly port: number;
} {
  const url = URL.parse(environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? '');
  const host = url?.hostname.replace(/^\[(?<address>.*)\]$/, '$<address>') ?? '';
  if (url?.protocol === 'http:' && isNear(host)) return { host, port: url.port === '' ? HTTP : Number(url.port) };
  return {
    host: environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6' ? IPV6 : IPV4,
    port: HTTP,
  };
}

function isNear(host: string): boolean {
  if (isIP(host) === 4) return /^(?:127|169\.254)\./.test(host);
  return host === '::1' || host === IPV6 || (isIP(host) === 6 && host.startsWith('fe80:'));
}

// A network as a plain object: what each host answers is said by the test; everything else does not exist.
import {
  type Connected,
  type ConnectRequest,
  type HttpAnswer,
  type HttpRequest,
  type Network,
  type NetworkCode,
  NetworkError,
} from '../../src/host/network/network.ts';
import type { Case } from './fakes.ts';

export const METADATA_HOST = '169.254.169.254';
export const TOKEN = 'AQAEAtoken==';

/** Body of a 200, a status, a whole answer, or how it fails. */
export type Answer = string | number | Partial<HttpAnswer> | NetworkError;

export interface FakeNetwork {
  readonly environment?: Readonly<Record<string, string>>;
  readonly connect?: (asked: ConnectRequest) => string | NetworkError;
  readonly request?: (asked: HttpRequest) => Answer;
  /** Requests in order, for the test to look at. */
  readonly asked?: HttpRequest[];
}

export function networkFailure(code: NetworkCode, detail = 'test', address: string | null = null): NetworkError {
  return new NetworkError(code, detail, { address });
}

export function fakeNetwork({ environment = {}, connect, request, asked = [] }: FakeNetwork): Network {
  const missing = networkFailure('dns-not-found', 'ENOTFOUND');
  return {
    environment,
    lookup: () => {},
    resolve: async () => {
      throw missing;
    },
    connect: async (target): Promise<Connected> => {
      const given = connect?.(target) ?? missing;
      if (given instanceof NetworkError) throw given;
      return { address: given, elapsedMs: 1 };
    },
    request: async (target): Promise<HttpAnswer> => {
      asked.push(target);
      const given = request?.(target) ?? missing;
      if (given instanceof NetworkError) throw given;
      const answer =
        typeof given === 'string' ? { body: given } : typeof given === 'number' ? { status: given } : given;
      return { status: 200, headers: {}, body: '', dateMs: null, address: '10.0.0.7', elapsedMs: 1, ...answer };
    },
  };
}

const FAILURES: readonly NetworkCode[] = [
  'dns-not-found',
  'dns-failed',
  'no-resolver',
  'connect-refused',
  'no-route',
  'connection-reset',
  'tls-unknown-ca',
  'tls-name-mismatch',
  'tls-expired',
  'tls-not-yet-valid',
  'tls-failed',
  'proxy-unreachable',
  'proxy-refused',
  'proxy-auth-required',
];
const TIME_OUTS: readonly NetworkCode[] = ['dns-timeout', 'connect-timeout', 'tls-timeout', 'proxy-timeout'];

/** A case for each way in which no connection comes about. */
export function connectionCases(failed: (code: NetworkCode, outcome: 'fail' | 'timeout') => Case): readonly Case[] {
  return [...FAILURES.map((code) => failed(code, 'fail')), ...TIME_OUTS.map((code) => failed(code, 'timeout'))];
}

/** Items below /latest/; what is not named is not found. With `token` the answer to the request for one. */
export function metadataAnswers(
  items: Readonly<Record<string, Answer>>,
  token: Answer = TOKEN,
): (asked: HttpRequest) => Answer {
  return ({ method, path, headers }) => {
    if (method === 'PUT') return path === '/latest/api/token' ? token : 404;
    if (headers['x-aws-ec2-metadata-token'] !== TOKEN) return 401;
    return items[path.replace('/latest/', '')] ?? 404;
  };
}

export const ROLE_ITEMS: Readonly<Record<string, string>> = {
  'meta-data/iam/info': JSON.stringify({
    Code: 'Success',
    InstanceProfileArn: 'arn:aws:iam::111122223333:instance-profile/nodes',
  }),
  'meta-data/iam/security-credentials/': 'node-role',
  'meta-data/iam/security-credentials/node-role': JSON.stringify({
    Code: 'Success',
    AccessKeyId: 'ASIATESTKEY',
    SecretAccessKey: 'secret-access-key',
    Token: 'session-token',
    Expiration: '2030-01-01T00:00:00Z',
  }),
};

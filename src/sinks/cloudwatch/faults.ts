// What an error of a delivery means: one of a closed list of reasons, and what must change before it is tried again. Tries
// nothing itself; of the error it keeps codes and names only, since its text may hold parts of what was sent or received.
import { networkError } from '../../host/network/network-codes.ts';
import { type NetworkCode, NetworkError } from '../../host/network/network.ts';

/** Tried again until the run's own limit. */
export type Unreachable =
  | Exclude<NetworkCode, 'aborted'>
  | 'region-unknown'
  | 'no-credentials'
  | 'credentials-expired'
  | 'credentials-refused'
  | 'clock-skew'
  | 'throttled'
  | 'server-error'
  | 'stopped';

/** Trying again would change nothing. */
export type Refusal =
  | 'access-denied'
  | 'group-missing'
  | 'group-limit'
  | 'event-rejected'
  | 'event-too-large'
  | 'request-invalid';

/** `credentials`: fetched anew. `trust`: the authorities of this machine count too. `connection`: everything is opened anew. */
export type Renewal = 'credentials' | 'trust' | 'connection' | null;

export type Fault =
  | { readonly kind: 'unreachable'; readonly reason: Unreachable; readonly detail: string; readonly renew: Renewal }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly detail: string };

/** Ends the delivery: thrown by the steps that know what is missing. */
export class Refused extends Error {
  readonly reason: Refusal;
  readonly detail: string;

  constructor(reason: Refusal, detail: string) {
    super(`${reason}: ${detail}`);
    this.name = 'Refused';
    this.reason = reason;
    this.detail = detail;
  }
}

export class RegionUnknown extends Error {
  readonly detail: string;

  constructor(detail: string) {
    super(detail);
    this.name = 'RegionUnknown';
    this.detail = detail;
  }
}

export function isDenied(error: unknown): boolean {
  return DENIED.has((error as Error).name);
}

/** Error names of the service that need no look at the status. */
const BY_NAME: Readonly<Record<string, { readonly reason: Unreachable; readonly renew: Renewal }>> = {
  ThrottlingException: { reason: 'throttled', renew: null },
  Throttling: { reason: 'throttled', renew: null },
  TooManyRequestsException: { reason: 'throttled', renew: null },
  RequestLimitExceeded: { reason: 'throttled', renew: null },
  // The stream or its group was there a moment ago: the next try begins with creating it.
  ResourceNotFoundException: { reason: 'server-error', renew: null },
  OperationAbortedException: { reason: 'server-error', renew: null },
  ExpiredToken: { reason: 'credentials-expired', renew: 'credentials' },
  ExpiredTokenException: { reason: 'credentials-expired', renew: 'credentials' },
  UnrecognizedClientException: { reason: 'credentials-refused', renew: 'credentials' },
  InvalidClientTokenId: { reason: 'credentials-refused', renew: 'credentials' },
  InvalidClientTokenIdException: { reason: 'credentials-refused', renew: 'credentials' },
  MissingAuthenticationTokenException: { reason: 'credentials-refused', renew: 'credentials' },
  IncompleteSignatureException: { reason: 'credentials-refused', renew: 'credentials' },
  CredentialsProviderError: { reason: 'no-credentials', renew: 'connection' },
  ProviderError: { reason: 'no-credentials', renew: 'connection' },
};

const SIGNATURE = new Set([
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'RequestExpired',
  'RequestExpiredException',
  'RequestTimeTooSkewed',
  'RequestInTheFuture',
]);
const DENIED = new Set([
  'AccessDeniedException',
  'AccessDenied',
  'UnauthorizedOperation',
  'NotAuthorizedException',
  'OptInRequired',
]);
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO$)/;
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const NAME = /^[A-Za-z][A-Za-z0-9]{2,63}$/;

export interface Circumstances {
  /** The request went to a proxy. */
  readonly proxied: boolean;
  /** The node's clock is more than five minutes off. */
  readonly clockOff: boolean;
}

interface Described {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

export function faultOf(thrown: unknown, { proxied, clockOff }: Circumstances): Fault {
  if (thrown instanceof Refused) return { kind: 'refused', reason: thrown.reason, detail: thrown.detail };
  if (thrown instanceof RegionUnknown) return unreachable('region-unknown', thrown.detail, null);
  const error = (thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown) as Described;
  if (error instanceof NetworkError)
    return unreachable(error.code === 'aborted' ? 'stopped' : error.code, error.detail, renewalOf(error.code));
  const name = typeof error.name === 'string' && NAME.test(error.name) ? error.name : 'unknown error';
  const known = BY_NAME[name];
  if (known !== undefined) return unreachable(known.reason, name, known.renew);
  if (SIGNATURE.has(name))
    return unreachable(clockOff ? 'clock-skew' : 'credentials-refused', name, clockOff ? null : 'credentials');
  if (DENIED.has(name)) return { kind: 'refused', reason: 'access-denied', detail: name };
  const status = error.$metadata?.httpStatusCode;
  return status === undefined
    ? ofSystem(error, name, proxied)
    : ofStatus(status, error.$metadata?.requestId !== undefined, name);
}

/** An answer without a request id does not come from the service but from something on the way. */
function ofStatus(status: number, isOfService: boolean, name: string): Fault {
  if (status === 429) return unreachable('throttled', name, null);
  if (status >= 500) return unreachable('server-error', `${status} ${name}`, null);
  if (status >= 400 && isOfService && name !== 'SyntaxError')
    return { kind: 'refused', reason: 'request-invalid', detail: name };
  return unreachable('answer-malformed', `${status} ${name}`, 'connection');
}

function ofSystem(error: Described, name: string, proxied: boolean): Fault {
  const code = typeof error.code === 'string' && CODE.test(error.code) ? error.code : '';
  if (code === 'ERR_PROXY_TUNNEL') {
    const status = typeof error.statusCode === 'number' ? String(error.statusCode) : code;
    return unreachable(error.statusCode === 407 ? 'proxy-auth-required' : 'proxy-refused', status, 'connection');
  }
  if (error.syscall === 'getaddrinfo')
    return way(error.cause instanceof NetworkError ? error.cause.code : networkError('dns', error).code, code, proxied);
  if (error.syscall === 'connect') return way(networkError('connect', error).code, code, proxied);
  // The SDK's own limit on connecting has no code.
  if (name === 'TimeoutError' && code === '') return way('connect-timeout', 'time limit', proxied);
  const tls = networkError('tls', error).code;
  if (tls !== 'tls-failed' || TLS_CODE.test(code)) return unreachable(tls as Unreachable, code, renewalOf(tls));
  return unreachable('answer-malformed', code || name, 'connection');
}

/** Whatever is wrong with the way to the proxy is the proxy's. */
function way(code: NetworkCode, detail: string, proxied: boolean): Fault {
  return unreachable(
    proxied ? 'proxy-unreachable' : code === 'aborted' ? 'stopped' : code,
    proxied ? code : detail,
    'connection',
  );
}

function renewalOf(code: NetworkCode): Renewal {
  return code === 'tls-unknown-ca' ? 'trust' : 'connection';
}

function unreachable(reason: Unreachable, detail: string, renew: Renewal): Fault {
  return { kind: 'unreachable', reason, detail, renew };
}

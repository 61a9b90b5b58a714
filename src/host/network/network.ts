// The shapes of the one door to the network: names, connections and single requests, each under a time limit. Holds no
// behaviour, so that a test can pass a plain object.
import type { LookupFunction } from 'node:net';

/** At which step a connection or request failed, and how. */
export type NetworkCode =
  | 'dns-timeout'
  | 'dns-not-found'
  | 'dns-failed'
  | 'no-resolver'
  | 'connect-timeout'
  | 'connect-refused'
  | 'no-route'
  | 'connection-reset'
  | 'tls-timeout'
  | 'tls-unknown-ca'
  | 'tls-name-mismatch'
  | 'tls-expired'
  | 'tls-not-yet-valid'
  | 'tls-failed'
  | 'proxy-unreachable'
  | 'proxy-timeout'
  | 'proxy-refused'
  | 'proxy-auth-required'
  | 'answer-timeout'
  | 'answer-malformed'
  | 'answer-too-large'
  | 'aborted';

export class NetworkError extends Error {
  readonly code: NetworkCode;
  /** What the wording may add: a system error code, a status. Never holds what was sent or received. */
  readonly detail: string;
  /** Where it was connected to or tried, null before the name was resolved. */
  readonly address: string | null;

  constructor(code: NetworkCode, detail: string, options: ErrorOptions & { readonly address?: string | null } = {}) {
    super(`${code}: ${detail}`, options);
    this.name = 'NetworkError';
    this.code = code;
    this.detail = detail;
    this.address = options.address ?? null;
  }
}

/** Both end the work at once; whichever comes first. */
export interface Limits {
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** An HTTP proxy that is asked to CONNECT. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** True: the way to the proxy itself is TLS. */
  readonly secure: boolean;
  /** Value of Proxy-Authorization, null without credentials. Never printed. */
  readonly authorization: string | null;
}

/** Whom a TLS certificate must come from: one of the authorities that this machine trusts, or one of these alone (PEM). */
export type Trust = 'system' | { readonly authorities: string };

export interface ConnectRequest extends Limits {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Null: no TLS. */
  readonly trust: Trust | null;
  readonly proxy: Proxy | null;
}

export interface Connected {
  /** Of the host, or of the proxy where there is one. */
  readonly address: string;
  readonly elapsedMs: number;
}

export interface HttpRequest extends ConnectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST';
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 64 KiB. */
  readonly bodyMaxBytes?: number;
  /** How the body's bytes become text; default utf8. */
  readonly bodyEncoding?: 'utf8' | 'latin1';
}

export interface HttpAnswer extends Connected {
  readonly status: number;
  /** Lower-case names; of repeated ones the first, or all joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The server's own time from its Date header (Unix ms, full seconds), null without one. */
  readonly dateMs: number | null;
}

export interface Network {
  /** The variables of our own environment that say how the network is reached (proxies, certificate file, metadata endpoint). */
  readonly environment: Readonly<Record<string, string>>;
  /** For sockets and HTTP agents of others: like `dns.lookup`, but it ends in time and needs no thread. */
  readonly lookup: LookupFunction;
  /** IPv4 first; never empty. @throws NetworkError `dns-…`, `no-resolver`, `aborted` */
  resolve(host: string, limits: Limits): Promise<readonly Address[]>;
  /** Resolves, connects, shakes hands and closes again; nothing is sent. @throws NetworkError */
  connect(request: ConnectRequest): Promise<Connected>;
  /** One request on a connection of its own. A redirect is an answer like any other, it is not followed. @throws NetworkError */
  request(request: HttpRequest): Promise<HttpAnswer>;
}

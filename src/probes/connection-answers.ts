// What a failed connection means as an answer of a probe: one table for all probes that connect. Connects nowhere.
import { type NetworkCode, NetworkError } from '../host/network/network.ts';
import { addressKind } from './address-kind.ts';
import { compactFacts } from './compact-facts.ts';
import type { AnswerRule, ProbeFacts } from './probe.ts';

export type ConnectionCode = Exclude<
  NetworkCode,
  'aborted' | 'answer-timeout' | 'answer-malformed' | 'answer-too-large'
>;
export type RequestCode = ConnectionCode | 'answer-timeout' | 'unexpected-answer';

/** `host` is the fact that names the host. */
export function connectionAnswers(host: 'host' | 'endpoint_host'): Readonly<Record<ConnectionCode, AnswerRule>> {
  const name = `{${host}}`;
  const place = `${name} (at {address}) ({address_kind} address)`;
  const beyond = `${name} (at {address}) (through the proxy {proxy})`;
  return {
    'dns-timeout': { outcome: 'timeout', sentence: `No name server answered in time when asked for ${name}.` },
    'dns-not-found': { outcome: 'fail', sentence: `The name server says that ${name} does not exist.` },
    'dns-failed': { outcome: 'fail', sentence: `The name server could not resolve ${name} ({reason}).` },
    'no-resolver': {
      outcome: 'fail',
      sentence: `No name server could be asked for ${name}: none is configured, or none listens.`,
    },
    'connect-timeout': {
      outcome: 'timeout',
      sentence: `${place} did not accept a connection in time: packets are dropped on the way.`,
    },
    'connect-refused': { outcome: 'fail', sentence: `${place} refused the connection.` },
    'no-route': { outcome: 'fail', sentence: `This node has no route to ${place} ({reason}).` },
    'connection-reset': { outcome: 'fail', sentence: `The connection to ${beyond} was cut ({reason}).` },
    'tls-timeout': {
      outcome: 'timeout',
      sentence: `${beyond} accepted the connection and then did not answer the TLS handshake in time.`,
    },
    'tls-unknown-ca': {
      outcome: 'fail',
      sentence: `The certificate of ${beyond} comes from an authority that is not trusted ({reason}).`,
    },
    'tls-name-mismatch': { outcome: 'fail', sentence: `The certificate shown by ${beyond} is one for another name.` },
    'tls-expired': {
      outcome: 'fail',
      sentence: `The certificate of ${beyond} has expired, or the clock of this node is ahead.`,
    },
    'tls-not-yet-valid': {
      outcome: 'fail',
      sentence: `The certificate of ${beyond} is not valid yet, or the clock of this node is behind.`,
    },
    'tls-failed': { outcome: 'fail', sentence: `The TLS handshake with ${beyond} failed ({reason}).` },
    'proxy-unreachable': {
      outcome: 'fail',
      sentence: `The proxy {proxy}, which is in force for ${name}, cannot be reached ({reason}).`,
    },
    'proxy-timeout': { outcome: 'timeout', sentence: `The proxy {proxy} did not open a way to ${name} in time.` },
    'proxy-refused': { outcome: 'fail', sentence: `The proxy {proxy} refused to open a way to ${name} ({reason}).` },
    'proxy-auth-required': {
      outcome: 'fail',
      sentence: `The proxy {proxy} wants credentials before it opens a way to ${name}.`,
    },
  };
}

export function requestAnswers(host: 'host' | 'endpoint_host'): Readonly<Record<RequestCode, AnswerRule>> {
  return {
    ...connectionAnswers(host),
    'answer-timeout': { outcome: 'timeout', sentence: `{${host}} accepted the request and did not answer in time.` },
    'unexpected-answer': { outcome: 'fail', sentence: `{${host}} gave an answer that cannot be read ({reason}).` },
  };
}

/** Facts of a connection that was made. */
export function placeFacts(address: string, proxy: string | null): ProbeFacts {
  // Behind a proxy the address is the proxy's: it says nothing of the endpoint.
  return compactFacts(proxy === null ? { address, address_kind: addressKind(address) } : { proxy });
}

/** @throws what is no failed connection: a bug, or the end of the probe's time */
export function failedConnection(
  error: unknown,
  proxy: string | null,
): { readonly code: ConnectionCode; readonly facts: ProbeFacts } {
  const { code, facts } = failedRequest(error, proxy);
  if (code === 'answer-timeout' || code === 'unexpected-answer') throw error;
  return { code, facts };
}

/** @throws what is no failed request: a bug, or the end of the probe's time */
export function failedRequest(
  error: unknown,
  proxy: string | null,
): { readonly code: RequestCode; readonly facts: ProbeFacts } {
  if (!(error instanceof NetworkError) || error.code === 'aborted') throw error;
  const place = error.address === null ? compactFacts({ proxy }) : placeFacts(error.address, proxy);
  const facts = { ...place, reason: error.detail };
  return error.code === 'answer-malformed' || error.code === 'answer-too-large'
    ? { code: 'unexpected-answer', facts }
    : { code: error.code, facts };
}

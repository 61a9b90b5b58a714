// What the system's, OpenSSL's and Node's error codes mean: one table a step. Words nothing.
import { type NetworkCode, NetworkError } from './network.ts';

type Table = Readonly<Record<string, NetworkCode>>;

/** Of c-ares; ENODATA: the name is known, but has no address. */
const DNS: Table = {
  ENOTFOUND: 'dns-not-found',
  ENODATA: 'dns-not-found',
  EBADNAME: 'dns-not-found',
  ETIMEOUT: 'dns-timeout',
  ECANCELLED: 'dns-timeout',
  ECONNREFUSED: 'no-resolver',
};

const CONNECT: Table = {
  ECONNREFUSED: 'connect-refused',
  ETIMEDOUT: 'connect-timeout',
  ENETUNREACH: 'no-route',
  EHOSTUNREACH: 'no-route',
  ENETDOWN: 'no-route',
  EADDRNOTAVAIL: 'no-route',
  EINVAL: 'no-route',
  // A local firewall that rejects.
  EPERM: 'no-route',
  EACCES: 'no-route',
};

const TLS: Table = {
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ETIMEDOUT: 'tls-timeout',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-unknown-ca',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-unknown-ca',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-unknown-ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-unknown-ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-unknown-ca',
  CERT_UNTRUSTED: 'tls-unknown-ca',
  CERT_SIGNATURE_FAILURE: 'tls-unknown-ca',
  INVALID_CA: 'tls-unknown-ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-name-mismatch',
  HOSTNAME_MISMATCH: 'tls-name-mismatch',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-not-yet-valid',
};

const ANSWER: Table = {
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ETIMEDOUT: 'answer-timeout',
  HPE_HEADER_OVERFLOW: 'answer-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'answer-too-large',
};

const STEPS = {
  dns: { table: DNS, otherwise: 'dns-failed' },
  connect: { table: CONNECT, otherwise: 'connection-reset' },
  tls: { table: TLS, otherwise: 'tls-failed' },
  answer: { table: ANSWER, otherwise: 'answer-malformed' },
} satisfies Record<string, { readonly table: Table; readonly otherwise: NetworkCode }>;

/** Only the code of the error is kept: its text may hold parts of what was sent. */
export function networkError(step: keyof typeof STEPS, error: unknown, address: string | null = null): NetworkError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const { table, otherwise } = STEPS[step];
  return new NetworkError(table[code] ?? otherwise, code, { address });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../../src/host/network/network.ts';
import { type Circumstances, faultOf, Refused } from '../../../src/sinks/cloudwatch/faults.ts';

const ORDINARY: Circumstances = { proxied: false, clockOff: false };

function verdictOn(error: unknown, circumstances: Partial<Circumstances> = {}): string {
  const fault = faultOf(error, { ...ORDINARY, ...circumstances });
  return fault.kind === 'refused' ? `refused ${fault.reason}` : `${fault.reason} ${fault.renew ?? 'nothing'}`;
}

function answer(name: string, status: number, requestId: string | null = 'id'): Error {
  return Object.assign(new Error(name), {
    name,
    $metadata: { httpStatusCode: status, ...(requestId === null ? {} : { requestId }) },
  });
}

function system(code: string, more: object = {}): Error {
  return Object.assign(new Error(code), { code, ...more });
}

test('answers of the service', () => {
  const seen = [
    answer('ThrottlingException', 400),
    answer('InternalFailure', 500),
    answer('ExpiredTokenException', 400),
    answer('UnrecognizedClientException', 403),
    answer('InvalidSignatureException', 403),
    answer('AccessDeniedException', 400),
    answer('InvalidParameterException', 400),
    answer('SyntaxError', 200),
    answer('SyntaxError', 403, null),
  ].map((error) => verdictOn(error));
  assert.deepEqual(seen, [
    'throttled nothing',
    'server-error nothing',
    'credentials-expired credentials',
    'credentials-refused credentials',
    'credentials-refused credentials',
    'refused access-denied',
    'refused request-invalid',
    'answer-malformed connection',
    'answer-malformed connection',
  ]);
});

test('a signature is refused for the clock only where the clock is off', () => {
  assert.equal(verdictOn(answer('InvalidSignatureException', 403), { clockOff: true }), 'clock-skew nothing');
});

test('errors of the system, by the step they happened in', () => {
  const seen = [
    system('ECONNREFUSED', { syscall: 'connect' }),
    system('ENETUNREACH', { syscall: 'connect' }),
    system('ENOTFOUND', { syscall: 'getaddrinfo', cause: new NetworkError('dns-not-found', '') }),
    system('EAI_AGAIN', { syscall: 'getaddrinfo', cause: new NetworkError('no-resolver', '') }),
    system('ECONNRESET'),
    system('CERT_HAS_EXPIRED'),
    system('SELF_SIGNED_CERT_IN_CHAIN'),
    system('ERR_SSL_WRONG_VERSION_NUMBER'),
    system('HPE_INVALID_CONSTANT'),
    system('ERR_PROXY_TUNNEL', { statusCode: 407 }),
    system('ERR_PROXY_TUNNEL', { statusCode: 502 }),
    new AggregateError([system('ETIMEDOUT', { syscall: 'connect' })]),
    new Error('anything'),
    'not even an error',
  ].map((error) => verdictOn(error));
  assert.deepEqual(seen, [
    'connect-refused connection',
    'no-route connection',
    'dns-not-found connection',
    'no-resolver connection',
    'connection-reset connection',
    'tls-expired connection',
    'tls-unknown-ca trust',
    'tls-failed connection',
    'answer-malformed connection',
    'proxy-auth-required connection',
    'proxy-refused connection',
    'connect-timeout connection',
    'answer-malformed connection',
    'answer-malformed connection',
  ]);
});

test('with a proxy, the way is the way to the proxy', () => {
  for (const syscall of ['connect', 'getaddrinfo'])
    assert.equal(verdictOn(system('ECONNREFUSED', { syscall }), { proxied: true }), 'proxy-unreachable connection');
});

test('nothing that was sent or received is told on', () => {
  const secret = 'AKIAEXAMPLEEXAMPLE00';
  const errors = [
    answer(secret.repeat(10), 400),
    Object.assign(answer('AccessDeniedException', 400), { message: secret }),
    system(`proxy http://user:${secret}@host`),
    new Error(secret),
  ];
  for (const error of errors)
    assert.doesNotMatch(JSON.stringify(faultOf(error, ORDINARY)), new RegExp(`${secret}|user:`));
});

test('what a step has found missing is told as it is', () => {
  assert.deepEqual(faultOf(new Refused('group-missing', 'There is no group.'), ORDINARY), {
    kind: 'refused',
    reason: 'group-missing',
    detail: 'There is no group.',
  });
});

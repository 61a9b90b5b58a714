import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest, NetworkCode } from '../../../src/host/network/network.ts';
import { credentialsUsable } from '../../../src/probes/aws/credentials-usable.ts';
import { ask, type Case, testCases } from '../fakes.ts';
import {
  type Answer,
  connectionCases,
  fakeNetwork,
  metadataAnswers,
  METADATA_HOST,
  networkFailure,
  ROLE_ITEMS,
} from '../fake-network.ts';

const HOST = 'sts.us-west-2.amazonaws.com';
const known = { region: 'us-west-2' };
const wallMs = Date.UTC(2026, 10, 20, 12);
const place = { host: HOST, address: '10.0.0.7', address_kind: 'private' };
const IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>arn:aws:sts::111122223333:assumed-role/node-role/i-0123456789abcdef0</Arn><UserId>AROATEST:i-0123456789abcdef0</UserId><Account>111122223333</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>`;
const refusal = (code: string, message = ''): Answer => ({
  status: 403,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  dateMs: wallMs - 600_000,
});
const network = (sts: Answer, items: Readonly<Record<string, Answer>> = ROLE_ITEMS, asked: HttpRequest[] = []) => {
  const metadata = metadataAnswers(items);
  return fakeNetwork({ asked, request: (target) => (target.host === METADATA_HOST ? metadata(target) : sts) });
};
const refused = (code: string, reason: string) => [
  { outcome: 'fail' as const, code, facts: { ...place, reason, offset_seconds: 600 } },
];
const failed = (code: NetworkCode, outcome: 'fail' | 'timeout' = 'fail', given: string = code): Case => ({
  title: code,
  known,
  wallMs,
  network: network(networkFailure(code)),
  gives: [{ outcome, code: given, facts: { host: HOST, reason: 'test' } }],
});
const { 'meta-data/iam/security-credentials/node-role': role = '', ...WITHOUT_ROLE } = ROLE_ITEMS;
const withRole = (change: object): Readonly<Record<string, Answer>> => ({
  ...ROLE_ITEMS,
  'meta-data/iam/security-credentials/node-role': JSON.stringify({ ...(JSON.parse(role) as object), ...change }),
});

testCases(credentialsUsable, [
  {
    title: 'STS says who it is',
    known,
    wallMs,
    network: network(IDENTITY),
    gives: [
      {
        outcome: 'ok',
        code: 'ok',
        facts: {
          ...place,
          role_name: 'node-role',
          role_arn: 'arn:aws:iam::111122223333:role/node-role',
          account: '111122223333',
        },
      },
    ],
  },
  {
    title: 'no instance profile',
    known,
    wallMs,
    network: network(IDENTITY, {}),
    gives: [{ outcome: 'fail', code: 'no-instance-profile', facts: {} }],
  },
  {
    title: 'a profile that is gone',
    known,
    wallMs,
    network: network(IDENTITY, { 'meta-data/iam/info': '{"Code":"InstanceProfileNotFound"}' }),
    gives: [{ outcome: 'fail', code: 'role-gone', facts: { reason: 'InstanceProfileNotFound' } }],
  },
  {
    title: 'a role that EC2 cannot assume',
    known,
    wallMs,
    network: network(IDENTITY, withRole({ Code: 'AssumeRoleUnauthorizedAccess' })),
    gives: [
      { outcome: 'fail', code: 'role-gone', facts: { role_name: 'node-role', reason: 'AssumeRoleUnauthorizedAccess' } },
    ],
  },
  {
    title: 'a role without credentials',
    known,
    wallMs,
    network: network(IDENTITY, WITHOUT_ROLE),
    gives: [{ outcome: 'fail', code: 'role-gone', facts: { role_name: 'node-role' } }],
  },
  {
    title: 'credentials that would break a header',
    known,
    wallMs,
    network: network(IDENTITY, withRole({ Token: 'a\r\nx: y' })),
    gives: [{ outcome: 'fail', code: 'role-gone', facts: { role_name: 'node-role', reason: 'Success' } }],
  },
  {
    title: 'old credentials',
    known,
    wallMs,
    network: network(IDENTITY, withRole({ Expiration: '2026-11-20T11:59:59Z' })),
    gives: [{ outcome: 'fail', code: 'expired', facts: { role_name: 'node-role' } }],
  },
  {
    title: 'expired for STS',
    known,
    wallMs,
    network: network(refusal('ExpiredToken')),
    gives: refused('expired', 'ExpiredToken'),
  },
  {
    title: 'denied',
    known,
    wallMs,
    network: network(refusal('AccessDenied')),
    gives: refused('denied', 'AccessDenied'),
  },
  {
    title: 'unknown to STS',
    known,
    wallMs,
    network: network(refusal('InvalidClientTokenId')),
    gives: refused('denied', 'InvalidClientTokenId'),
  },
  {
    title: 'a wrong signature',
    known,
    wallMs,
    network: network(refusal('SignatureDoesNotMatch', 'Check your key')),
    gives: refused('denied', 'SignatureDoesNotMatch'),
  },
  {
    title: 'a clock that is behind',
    known,
    wallMs,
    network: network(
      refusal('SignatureDoesNotMatch', 'Signature expired: 20261120T115000Z is now earlier than 20261120T115500Z'),
    ),
    gives: refused('clock-skewed', 'SignatureDoesNotMatch'),
  },
  {
    title: 'a request out of time',
    known,
    wallMs,
    network: network(refusal('RequestExpired')),
    gives: refused('clock-skewed', 'RequestExpired'),
  },
  {
    title: 'STS fails',
    known,
    wallMs,
    network: network(503),
    gives: [{ outcome: 'fail', code: 'unexpected-answer', facts: { ...place, reason: '503' } }],
  },
  {
    title: 'a page of something else',
    known,
    wallMs,
    network: network('<html>log in</html>'),
    gives: [{ outcome: 'fail', code: 'unexpected-answer', facts: { ...place, reason: 'no account' } }],
  },
  {
    title: 'no metadata service',
    known,
    wallMs,
    network: fakeNetwork({ request: () => networkFailure('connect-timeout') }),
    gives: [{ outcome: 'skipped', code: 'no-metadata', facts: {} }],
  },
  {
    title: 'no region',
    wallMs,
    network: network(IDENTITY),
    gives: [{ outcome: 'skipped', code: 'region-unknown', facts: {} }],
  },
  ...connectionCases(failed),
  failed('answer-timeout', 'timeout'),
  failed('answer-too-large', 'fail', 'unexpected-answer'),
  failed('answer-malformed', 'fail', 'unexpected-answer'),
]);

test('the request is signed, and no credential stands in an answer', async () => {
  const asked: HttpRequest[] = [];
  const answers = await ask(credentialsUsable, {
    known,
    wallMs,
    network: network(refusal('AccessDenied', 'session-token secret-access-key ASIATESTKEY'), ROLE_ITEMS, asked),
  });
  const sent = asked.at(-1)!;
  assert.match(
    sent.headers['authorization'] ?? '',
    /^AWS4-HMAC-SHA256 Credential=ASIATESTKEY\/20261120\/us-west-2\/sts\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, /,
  );
  assert.equal(sent.headers['x-amz-security-token'], 'session-token');
  assert.deepEqual([sent.host, sent.port, sent.trust], [HOST, 443, 'system']);
  assert.doesNotMatch(JSON.stringify(answers), /session-token|secret-access-key|ASIATESTKEY|AWS4-HMAC/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presignedUrl, type Signable, signedHeaders, type Signing } from '../../src/aws/sigv4.ts';

// The vectors of AWS: aws-sig-v4-test-suite, and the examples of the guides of IAM and S3.
const SUITE: Signing = {
  credentials: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
  region: 'us-east-1',
  service: 'service',
  atMs: Date.UTC(2015, 7, 30, 12, 36),
};
const EMPTY: Signable = { method: 'GET', host: 'example.amazonaws.com', path: '/', query: {}, headers: {}, body: '' };

const VECTORS: Readonly<Record<string, readonly [request: Partial<Signable>, signature: string]>> = {
  'get-vanilla': [{}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  'get-vanilla-query-order-key-case': [
    { query: { Param2: 'value2', Param1: 'value1' } },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  'get-header-value-trim': [
    { headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' } },
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  'post-vanilla': [{ method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  'post-x-www-form-urlencoded': [
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' },
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
};

for (const [name, [request, signature]] of Object.entries(VECTORS)) {
  test(`signs as AWS does: ${name}`, () => {
    const { authorization } = signedHeaders({ ...EMPTY, ...request }, SUITE);
    assert.equal(/Signature=(?<signature>\w+)$/.exec(authorization ?? '')?.groups?.['signature'], signature);
  });
}

test('the whole header stands as in the guide of IAM', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const request = {
    ...EMPTY,
    host: 'iam.amazonaws.com',
    query: { Action: 'ListUsers', Version: '2010-05-08' },
    headers,
  };
  assert.deepEqual(signedHeaders(request, { ...SUITE, service: 'iam' }), {
    ...headers,
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  });
});

test('a presigned address carries the session token and the signed headers, as the SDK makes it', () => {
  // Expected: @smithy/signature-v4 for the same input.
  const credentials = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret/key+x', sessionToken: 'FwoG/+==' };
  const request = {
    ...EMPTY,
    host: 'sts.us-west-2.amazonaws.com',
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { 'x-k8s-aws-id': 'prod' },
  };
  const signing = { credentials, region: 'us-west-2', service: 'sts', atMs: Date.UTC(2026, 10, 20, 12) };
  assert.equal(
    presignedUrl(request, signing, 60),
    'https://sts.us-west-2.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=ASIAEXAMPLE%2F20261120%2Fus-west-2%2Fsts%2Faws4_request&X-Amz-Date=20261120T120000Z&X-Amz-Expires=60' +
      '&X-Amz-Security-Token=FwoG%2F%2B%3D%3D&X-Amz-SignedHeaders=host%3Bx-k8s-aws-id' +
      '&X-Amz-Signature=27bacf64b754103cdd15ba904a3292585c71a596989aebc9282ccee14f622e29',
  );
});

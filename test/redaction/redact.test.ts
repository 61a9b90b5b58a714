import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactText, redactVerdict } from '../../src/redaction/redact.ts';
import { FAILED } from '../render/verdicts.ts';

/** Text, and what must be gone from it. */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ['an access key', 'key AKIAIOSFODNN7EXAMPLE.', 'AKIAIOSFODNN7EXAMPLE'],
  ['a temporary access key', 'key=ASIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE'],
  ['a secret key in a credentials file', 'aws_secret_access_key = /alrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'alrXUtnFEMI'],
  ['a secret key in JSON', '{"SecretAccessKey" : "wJalrXUtnFEMI"}', 'wJalrXUtnFEMI'],
  ['a secret key in escaped JSON', '{\\"SecretAccessKey\\":\\"wJalrXUtnFEMI\\"}', 'wJalrXUtnFEMI'],
  ['a session token', 'AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEJr//x', 'IQoJb3'],
  ['a presigned URL', 'https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIA%2F2&X-Amz-Signature=deadbeef', 'deadbeef'],
  ['a presigned security token', 'x?X-Amz-Security-Token=IQoJb3JpZ2lu%2F&a=1', 'IQoJb3'],
  ['an EKS token', 'k8s-aws-v1.aHR0cHM6Ly9zdHMudXM', 'aHR0cHM6Ly9zdHMudXM'],
  ['a bearer header', 'Authorization: Bearer abc.def', 'abc.def'],
  ['a basic header in JSON', '"Authorization":["Basic dXNlcjpwYXNz"]', 'dXNlcjpwYXNz'],
  ['a signed request', 'Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/2, Signature=abc123', 'abc123'],
  ['a bootstrap token', 'token abcdef.0123456789abcdef used', '0123456789abcdef'],
  ['a JWT', 'got eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJl.c2lnbmF0dXJl', 'eyJpc3MiOiJrdWJl'],
  ['a PEM block', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY----- x', 'MIIEow'],
  ['a PEM block that is cut', 'x -----BEGIN CERTIFICATE-----\nMIIEow', 'MIIEow'],
  ['a cluster CA', "--b64-cluster-ca 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t'", 'LS0tLS1CRUdJTiB'],
  ['a CA in YAML', 'certificateAuthority: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t', 'LS0tLS1CRUdJTiB'],
  ['long base64', `x ${'Zm9vYmFy1A'.repeat(10)} y`, 'Zm9vYmFy1A'],
  ['a shell assignment', 'export DB_PASSWORD="hun ter2" next', 'hun ter2'],
  ['a shell assignment with an escaped quote', 'PASSWORD="a\\"bcdef"', 'bcdef'],
  ['a flag', 'join --token abcdef1234 --x', 'abcdef1234'],
  ['a flag with =', '--client-secret=abcdef1234', 'abcdef1234'],
  ['a token with a slash', 'JOIN_TOKEN=abCDef12/xyZ9', 'xyZ9'],
  ['a number as password', 'password=12345', '12345'],
  ['a token of a code host', 'git clone https://ghp_abcdefghijklmnop1234@github.com/x', 'ghp_abcdefghijklmnop1234'],
  ['an API key', 'DD_API_KEY=0123abcd0123abcd', '0123abcd'],
  ['a YAML password', 'password: Hunter2x', 'Hunter2x'],
  ['a token in YAML', 'token: abcdEFGH01234567', 'abcdEFGH'],
  ['a URL with a password', 'http://user:p@ss@proxy.example.com:3128/', 'p@ss'],
  ['a password list', 'echo "root:hunter2" | chpasswd', 'hunter2'],
  ['curl with a user', 'curl -u admin:s3cr3t https://x', 's3cr3t'],
  ['a registry login', 'docker login -u AWS -p abcdef https://x', 'abcdef'],
];

for (const [name, text, secret] of SECRETS)
  test(`gone: ${name}`, () => {
    const shown = redactText(text);
    assert.ok(!shown.includes(secret), shown);
    assert.match(shown, /\[redacted:[\w-]+\]/);
  });

const EVIDENCE = [
  'arn:aws:sts::111122223333:assumed-role/node-role/i-0a1b2c3d4e5f60718 10.0.1.17 fd00:ec2::254',
  'pulled sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '--authentication-token-webhook=true HttpTokens=required tokenTtlSeconds=21600',
  'failed to get token: Put "http://169.254.169.254/latest/api/token": context deadline exceeded',
  'node-bootstrapper cannot read secret="kube-system/aws-node-token"',
  'TOKEN=$(curl -s -X PUT http://169.254.169.254/latest/api/token) PASSWORD=${PASSWORD} KEY=<key>',
  'Basic authentication is off; Unauthorized: token expired; password: incorrect',
  '/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12345678_1234_1234_1234_123456789012.slice/cgroup.procs',
  'https://ABCDEF0123456789ABCDEF0123456789.gr7.us-west-2.eks.amazonaws.com/api/v1/nodes',
];

for (const line of EVIDENCE) test(`stays: ${line.slice(0, 50)}`, () => assert.equal(redactText(line), line));

test('what stands round a secret stays', () => {
  assert.equal(redactText('HTTPS_PROXY=http://bob:hunter2@10.0.0.1:3128/ ok'), 'HTTPS_PROXY=http://bob:[redacted:password]@10.0.0.1:3128/ ok');
  assert.equal(redactText('echo "pass:pass" | chpasswd'), 'echo "pass:[redacted:password]" | chpasswd');
});

test('every string of a verdict is cleaned, and one line stays one line', () => {
  const line = 'a\u001b[31m\nPASSWORD=hunter2';
  const verdict = redactVerdict({
    ...FAILED,
    evidence: [{ ...FAILED.evidence[0]!, line, origin: line }],
    notChecked: [{ what: line, code: 'x', detail: line }],
    cause: { ...FAILED.cause!, summary: line },
    node: { ...FAILED.node, cluster: line },
    probes: [{ ...FAILED.probes[0]!, facts: { [line]: line, count: 3 } }],
  });
  const expected = 'a\\x1b[31m\\nPASSWORD=[redacted:password]';
  const [evidence] = verdict.evidence;
  const seen = [evidence!.line, evidence!.origin, verdict.notChecked[0]!.what, verdict.notChecked[0]!.detail, verdict.cause!.summary, verdict.node.cluster];
  assert.deepEqual(
    seen,
    seen.map(() => expected),
  );
  assert.deepEqual(verdict.probes[0]!.facts, { [expected]: expected, count: 3 });
});

test('remedy commands pass through, but for what could hide in them', () => {
  const command = 'TOKEN=$(curl -sX PUT http://169.254.169.254/latest/api/token)\ncurl -H "X-aws-ec2-metadata-token: $TOKEN" http://169.254.169.254/';
  const change = (text: string) => redactVerdict({ ...FAILED, cause: { ...FAILED.cause!, remedy: [{ text: 'x', command: text }] } }).cause!.remedy[0]!.command;
  assert.equal(change(command), command);
  assert.equal(change('echo \u001b[1A AKIAIOSFODNN7EXAMPLE'), 'echo \\x1b[1A [redacted:aws-access-key]');
});

test('a verdict without secrets is the same afterwards', () => assert.deepEqual(redactVerdict(FAILED), FAILED));

const HOSTILE = [
  'a',
  'token',
  'token=',
  'token="',
  'token=\\"',
  'eyJ-',
  'eyJ12345678.',
  '-----BEGIN A-----',
  '-----BEGIN ',
  '-----END ',
  'Aa1',
  'Aa1/',
  '//',
  '//a:',
  '//a:b',
  '//a:b@',
  'authorization:',
  'Authorization: Bearer ',
  '-u a:',
  'a:b|',
  'a:b | ',
  'login -p',
  'login ',
  'X-Amz-Signature=',
  'password: ',
  'secret-',
  ' --token ',
  'Bearer ',
  '\\',
  '\\"',
  'password = ',
  'a-',
  'abcdef.',
  'certificate-authority ',
  'b64-cluster-ca',
  ' \t',
  'token=,',
  'k8s-aws-v1.',
  '\u202e',
  '\ud800',
];
const LINE_CHARS = 16_384;
const LINE_MAX_MS = 150;

test('hostile lines of 16 KiB take no longer than others', () => {
  for (const piece of HOSTILE) {
    const text = piece.repeat(Math.ceil(LINE_CHARS / piece.length)).slice(0, LINE_CHARS);
    const startMs = performance.now();
    redactText(text);
    assert.ok(performance.now() - startMs < LINE_MAX_MS, JSON.stringify(piece));
  }
});

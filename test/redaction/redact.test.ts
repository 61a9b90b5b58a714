import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactText, redactVerdict } from '../../src/redaction/redact.ts';
import { FAILED } from '../render/verdicts.ts';
import { CORPUS, leaksOf } from './corpus.ts';

for (const { name, text, secrets } of CORPUS)
  test(`gone: ${name}`, () => {
    const shown = redactText(text);
    assert.deepEqual(leaksOf(shown, secrets), [], shown);
    assert.match(shown, /\[redacted:[\w-]+\]/);
    assert.doesNotMatch(shown, /redacted:[^\]]*redacted:/);
  });

const EVIDENCE = [
  'pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials',
  'Password: panic: provided file is not a console',
  'Setting GA feature gate KubeletCredentialProviders=true. It will be removed in a future release.',
  'Get "https://b/k?X-Amz-Security-Token=REDACTED&X-Amz-Expires=3600": dial tcp: i/o timeout, proxyconnect http://bob:xxxxx@proxy:80',
  'WWW-Authenticate: Bearer realm="https://registry.example.com/token",service="registry.example.com"',
  'docker run --user 1000:1000 http://10.0.0.1:3128/a@b //host:443/path@x',
  'secretName=aws-node tokenPath=/x token_ttl=21600 --token-url https://x tokenType=abc',
  'node-problem GET /apis/certificates.k8s.io/v1/certificatesigningrequests/csr-x7k2p/approval?timeout=10s 0123456789abcdef0123456789abcdef01234567',
  'OLDPWD=/root PWD=/home/ec2-user compass=1 pass=12 fail=0 bypass-mode=strict',
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

test('beside evidence a secret over several lines is gone, as is the rest of a key whose head is out of sight', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const context = {
    before: ['-----BEGIN PRIVATE KEY-----', body, body],
    after: [body, 'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S==', '-----END PRIVATE KEY-----', 'password:', '  hunter2secret9'],
  };
  const shown = redactVerdict({ ...FAILED, evidence: [{ ...FAILED.evidence[0]!, context }] }).evidence[0]!.context!;
  assert.deepEqual(shown, {
    before: ['[redacted:pem]'],
    after: [
      '[redacted:base64]',
      '[redacted:base64]',
      '-----END PRIVATE KEY-----',
      'password:',
      '  [redacted:password]',
    ],
  });
});

test('what stands round a secret stays', () => {
  assert.equal(
    redactText('HTTPS_PROXY=http://bob:hunter2@10.0.0.1:3128/ ok'),
    'HTTPS_PROXY=http://bob:[redacted:password]@10.0.0.1:3128/ ok',
  );
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
  const seen = [
    evidence!.line,
    evidence!.origin,
    verdict.notChecked[0]!.what,
    verdict.notChecked[0]!.detail,
    verdict.cause!.summary,
    verdict.node.cluster,
  ];
  assert.deepEqual(
    seen,
    seen.map(() => expected),
  );
  assert.deepEqual(verdict.probes[0]!.facts, { [expected]: expected, count: 3 });
});

test('remedy commands pass through, but for what could hide in them', () => {
  const command =
    'TOKEN=$(curl -sX PUT http://169.254.169.254/latest/api/token)\ncurl -H "X-aws-ec2-metadata-token: $TOKEN" http://169.254.169.254/';
  const change = (text: string) =>
    redactVerdict({ ...FAILED, cause: { ...FAILED.cause!, remedy: [{ text: 'x', command: text, where: 'node' }] } })
      .cause!.remedy[0]!.command;
  assert.equal(change(command), command);
  assert.equal(change('echo \u001b[1A AKIAIOSFODNN7EXAMPLE'), 'echo \\x1b[1A [redacted:aws-access-key]');
});

test('a verdict without secrets is the same afterwards', () => assert.deepEqual(redactVerdict(FAILED), FAILED));

const HOSTILE = [
  'echo a|',
  'echo "a',
  'mysql -',
  'mysql ',
  'useradd ',
  'redis-cli ',
  'name:token,',
  'name:token,value:',
  'name=_pass',
  '-pass',
  '_pwd',
  'proxy=a',
  'proxy=a:b',
  '--password-stdin',
  '<<< a|',
  '<token>',
  '<tokentoken',
  'x-token-',
  'x-a',
  'cookie: a=',
  '$6$',
  '$6$aaaaaaaaaaaaaaaaaaaaaaaa',
  'ghp_',
  'sk-a',
  'AKIA',
  'ASIAAAAAAAAAAAAAAAAA',
  'IQoJb3JpZ2lu',
  'AQAEA',
  'password:\n',
  '\n password: ',
  '-U a%',
  '//a:b@c@',
  'authorization: Basic ',
  '10.0.0.1 ',
  '1.',
  '::',
  'a:b:',
  'arn:aws:iam::',
  'ip-10-',
  '123456789012:',
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

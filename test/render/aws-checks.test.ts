// The script for an administrator: it only asks, a shell checker has nothing to say, and no value of a log becomes a command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readChecksScript } from '../../src/aws/checks-script.ts';
import { renderAwsChecks } from '../../src/render/aws-checks.ts';
import type { NodeFacts } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { FAILED, redacted } from './verdicts.ts';

const LIMIT_MS = 30_000;
const GOOD = {
  instanceId: 'i-0a1b2c3d4e5f60718',
  region: 'eu-central-1',
  account: '111122223333',
  vpcId: 'vpc-0a1b2c3d4e5f60718',
  subnetId: 'subnet-0a1b2c3d4e5f60718',
  securityGroups: 'sg-0a1b2c3d4e5f60718,sg-1a1b2c3d4e5f60718',
  roleName: 'shop-node',
  cluster: 'shop',
  endpointHost: 'ABC.gr7.eu-central-1.eks.amazonaws.com',
} satisfies Partial<NodeFacts>;

function scriptOf(node: Partial<NodeFacts>): string {
  return renderAwsChecks(redacted({ ...FAILED, node: { ...FAILED.node, ...node } }), readChecksScript());
}

/** The values at the top, as a shell reads them. */
function valuesOf(script: string): Record<string, string> {
  const head = script.slice(0, script.indexOf('\nset -u'));
  return Object.fromEntries(
    [...head.matchAll(/^(?<name>[a-z]+)='(?<value>[^']*)'$/gm)].map(({ groups }) => [
      groups!['name']!,
      groups!['value']!,
    ]),
  );
}

test('the values of the node stand at the top', () => {
  assert.deepEqual(valuesOf(scriptOf(GOOD)), {
    instance: GOOD.instanceId,
    region: GOOD.region,
    account: GOOD.account,
    vpc: GOOD.vpcId,
    subnet: GOOD.subnetId,
    groups: 'sg-0a1b2c3d4e5f60718 sg-1a1b2c3d4e5f60718',
    role: GOOD.roleName,
    cluster: GOOD.cluster,
    endpoint: GOOD.endpointHost,
  });
});

test('it only describes, gets and lists, and writes nowhere', () => {
  const code = readChecksScript().replaceAll(/^\s*#.*$/gm, '');
  const asked = [...code.matchAll(/\bask (?<service>[a-z0-9]+) (?<operation>[a-z-]+)/g)].map(
    ({ groups }) => `${groups!['service']} ${groups!['operation']}`,
  );
  assert.ok(asked.length > 25);
  assert.deepEqual(
    asked.filter((call) => !/^(?:ec2|eks|iam|sts) (?:describe|get|list)-[a-z-]+$/.test(call)),
    [],
  );
  assert.equal(code.match(/\bask\b(?! (?:ec2|eks|iam|sts) |\(\))/g), null, 'every call is in the list above');
  assert.equal(code.match(/\baws (?!>)/g)?.length, 3, 'ask alone runs the AWS CLI, twice, and names it once');
  assert.deepEqual(
    code.match(/^ *kubectl [^|]*/gm)?.map((line) => / get configmap aws-auth /.test(line)),
    [true],
  );
  const elsewhere = code.replaceAll(/2?>(?:&[12]|\/dev\/null)/g, '');
  assert.equal(elsewhere.match(/>>?\s?["$/]/g), null, 'nothing is written to a file');
  assert.equal(code.match(/\b(?:eval|exec|rm|tee|curl|wget|mv|cp|source)\b/), null);
});

test('shellcheck has nothing to say', (t) => {
  const { error, stdout } = spawnSync('shellcheck', ['-'], {
    input: scriptOf(GOOD),
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    t.skip('shellcheck is not installed');
    return;
  }
  assert.equal(stdout, '');
});

const HOSTILE = [
  "x'; touch PWNED; '",
  '$(touch PWNED)',
  '`touch PWNED`',
  'x\ntouch PWNED\n',
  'i-0a1b2c3d\ntouch PWNED',
  '"; touch PWNED; "',
  '--query=x',
  '-h',
  '../../x',
  'x y',
  '*',
  'x'.repeat(5_000),
  '\u001b[2J',
  "shop'\\''",
];

test('a hostile value is left out, whatever it is said to be', (t) => {
  for (const field of Object.keys(GOOD))
    for (const value of HOSTILE) {
      const values = valuesOf(scriptOf({ ...GOOD, [field]: value }));
      assert.deepEqual(Object.keys(values).length, Object.keys(GOOD).length);
      assert.equal(Object.values(values).filter((given) => given === '').length, 1, `${field}: ${value.slice(0, 40)}`);
    }
  // And in a shell, all at once: nothing runs, nothing of it reaches the AWS CLI.
  const folder = tempFolder(t, { aws: '#!/bin/sh\nprintf "%s\\n" "$*" >>calls\necho None\n' });
  chmodSync(join(folder, 'aws'), 0o755);
  for (const value of HOSTILE) {
    const node = Object.fromEntries(Object.keys(GOOD).map((field) => [field, value]));
    const script = scriptOf({ ...node, instanceId: GOOD.instanceId });
    writeFileSync(join(folder, 'checks.sh'), script);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const { status, stdout, stderr } = spawnSync('sh', ['checks.sh'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: LIMIT_MS,
    });
    assert.deepEqual([stderr, /^\d+ bad, \d+ not sure/m.test(stdout)], ['', true], String(status));
  }
  assert.ok(existsSync(join(folder, 'calls')));
  assert.deepEqual(readdirSync(folder).toSorted(), ['aws', 'calls', 'checks.sh']);
});

test('where AWS cannot be asked nothing is called good', (t) => {
  const folder = tempFolder(t, {
    'checks.sh': scriptOf(GOOD),
    aws: '#!/bin/sh\necho "Unable to locate credentials" >&2\nexit 253\n',
  });
  chmodSync(join(folder, 'aws'), 0o755);
  const run = (PATH: string) =>
    spawnSync('/bin/sh', ['checks.sh'], { cwd: folder, env: { PATH }, encoding: 'utf8', timeout: LIMIT_MS });
  assert.deepEqual(
    [run('/nonexistent').status, run('/nonexistent').stderr],
    [2, 'The AWS CLI is not installed here.\n'],
  );
  const { status, stdout, stderr } = run(`${folder}:/usr/bin:/bin`);
  assert.deepEqual([status, stderr], [2, 'Nothing was looked at: AWS takes no credentials of this shell.\n']);
  assert.match(stdout, /not sure: no answer to aws sts get-caller-identity: Unable to locate credentials/);
});

test('without an instance it asks for one, and takes nothing else for it', (t) => {
  const folder = tempFolder(t, { 'checks.sh': scriptOf({ ...GOOD, instanceId: null, subnetId: null }) });
  const run = (...args: string[]) =>
    spawnSync('sh', ['checks.sh', ...args], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
      encoding: 'utf8',
      timeout: LIMIT_MS,
    });
  assert.deepEqual([run().status, run('x; touch PWNED').status, run('i-').status, run('i-0zz').status], [2, 2, 2, 2]);
  assert.match(run().stderr, /give its id, such as sh checks\.sh i-/);
});

/** What is named where AWS answers these operations so, each by tab-separated rows, and nothing else. */
function named(t: TestContext, answers: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const files = Object.fromEntries(
    Object.entries(answers).map(([operation, rows]) => [operation, `${rows.join('\n')}\n`]),
  );
  const aws = '#!/bin/sh\nfor word; do [ -f "answers/$word" ] && exec cat "answers/$word"; done\necho None\n';
  const folder = tempFolder(t, { 'checks.sh': scriptOf(GOOD), aws });
  mkdirSync(join(folder, 'answers'));
  for (const [operation, text] of Object.entries(files)) writeFileSync(join(folder, 'answers', operation), text);
  chmodSync(join(folder, 'aws'), 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const { stdout, stderr } = spawnSync('sh', ['checks.sh'], { cwd: folder, env, encoding: 'utf8', timeout: LIMIT_MS });
  assert.equal(stderr, '');
  return [
    ...stdout.matchAll(/^ {2}(?<said>(?:BAD|not sure): .*(?:network ACL|443 (?:goes )?out|answers in).*)$/gm),
  ].map(({ groups }) => groups!['said']!);
}

const tabbed = (rows: readonly string[]): string[] => rows.map((row) => row.replaceAll(' ', '\t'));
const OPEN = 'True -1 -1 -1 0.0.0.0/0 None None';
const acl = (...entries: string[]): Record<string, string[]> => ({
  'describe-security-group-rules': tabbed([OPEN]),
  'describe-network-acls': tabbed(entries),
});
const IN = '100 False -1 allow 0.0.0.0/0 None None';
const OUT = '100 True -1 allow 0.0.0.0/0 None None';
const LAST = ['32767 False -1 deny 0.0.0.0/0 None None', '32767 True -1 deny 0.0.0.0/0 None None'];
const SUBNET = GOOD.subnetId;

for (const [what, entries, said] of [
  ['all is let through', [IN, OUT, ...LAST], []],
  ['443 is let out by port', [IN, '90 True 6 allow 0.0.0.0/0 443 443', ...LAST], []],
  ['nothing goes out', [IN, ...LAST], [`BAD: the network ACL of ${SUBNET} lets no 443 out`]],
  [
    'another port goes out',
    [IN, '90 True 6 allow 0.0.0.0/0 80 80', ...LAST],
    [`BAD: the network ACL of ${SUBNET} lets no 443 out`],
  ],
  [
    'a denial stands before',
    [IN, '50 True 6 deny 0.0.0.0/0 443 443', OUT, ...LAST],
    [`BAD: the network ACL of ${SUBNET} lets no 443 out`],
  ],
  ['a denial stands behind', [IN, OUT, '200 True 6 deny 0.0.0.0/0 443 443', ...LAST], []],
  [
    'some are denied before',
    [IN, '50 True 6 deny 10.0.0.0/8 443 443', OUT, ...LAST],
    ['not sure: it lets 443 out to some addresses only'],
  ],
  [
    'only 443 comes in',
    ['90 False 6 allow 0.0.0.0/0 443 443', OUT, ...LAST],
    [`BAD: the network ACL of ${SUBNET} lets no answers in (TCP 32768 to 60999)`],
  ],
] as const)
  test(`a network ACL: ${what}`, (t) => assert.deepEqual(named(t, acl(...entries)), said));

const CLOSED = `BAD: the security groups of the node let no 443 out (${GOOD.securityGroups.replace(',', ' ')})`;
const PARTLY = 'not sure: 443 goes out to some addresses only; the cluster and every endpoint must be among them';

for (const [what, rules, said] of [
  ['all goes out', [OPEN], []],
  ['443 goes out by a range of ports', ['True tcp 400 500 0.0.0.0/0 None None'], []],
  ['UDP goes out', ['True udp 0 65535 0.0.0.0/0 None None'], [CLOSED]],
  ['only port 80 goes out', ['True tcp 80 80 0.0.0.0/0 None None'], [CLOSED]],
  ['only what comes in is open', ['False -1 -1 -1 0.0.0.0/0 None None'], [CLOSED]],
  ['443 goes to the VPC', ['True tcp 443 443 10.0.0.0/8 None None'], [PARTLY]],
] as const)
  test(`security groups: ${what}`, (t) =>
    assert.deepEqual(named(t, { ...acl(IN, OUT, ...LAST), 'describe-security-group-rules': tabbed(rules) }), said));

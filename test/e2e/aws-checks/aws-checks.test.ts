// The script of --format aws-checks against an AWS that is not ours: a good state names nothing, each bad one is named.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { tempFolder } from '../../build/temp-folder.ts';
import { prepareMoto, startMoto } from '../moto.ts';
import { EXECUTABLE } from '../node.ts';
import { type AwsCli, CREDENTIALS, startAwsCli, writeAws } from './aws-cli.ts';
import { buildCloud, type Cloud } from './cloud.ts';
import { type Eks, startEksFront } from './eks-front.ts';

const CALLS_AT_LEAST = 20;
const LIMIT_MS = 120_000;
const REFUSED =
  'May  6 08:15:44 ip-10-20-1-4 kubelet[1840]: E0506 08:15:44.123456    1840 kubelet_node_status.go:96] "Unable to register node with API server" err="Unauthorized" node="ip-10-20-1-4.us-west-2.compute.internal"\n';

interface Run {
  readonly code: number;
  readonly text: string;
  readonly bad: readonly string[];
  readonly unsure: readonly string[];
  /** `SERVICE OPERATION` of each. */
  readonly calls: readonly string[];
}

const missing = await prepareMoto();

describe('in AWS', { skip: missing ?? false }, () => {
  const cleanups: (() => void)[] = [];
  const t = { after: (cleanup: () => void) => void cleanups.push(cleanup) };
  after(() => cleanups.toReversed().forEach((cleanup) => cleanup()));
  let eks: Eks;
  let aws: AwsCli;
  let cloud: Cloud;
  let folder: string;

  before(async () => {
    eks = await startEksFront(t, (await startMoto(t)).url);
    aws = await startAwsCli(t, eks.url);
    cloud = await buildCloud(aws, eks);
    folder = tempFolder(t as Parameters<typeof tempFolder>[0], {});
    writeAws(folder);
    mkdirSync(join(folder, 'capture', 'system'), { recursive: true });
    writeFileSync(join(folder, 'capture', 'messages'), REFUSED.repeat(20));
    writeFileSync(join(folder, 'capture', 'system', 'instance-id.txt'), `${cloud.instance}\n`);
  });

  /** The executable makes the script of a capture that tells the instance alone; a shell runs it. */
  async function look(): Promise<Run> {
    const script = join(folder, 'checks.sh');
    await program(EXECUTABLE, ['analyze', join(folder, 'capture'), '--format', 'aws-checks', '--output', script]);
    const calls = join(folder, 'calls');
    writeFileSync(calls, '');
    const env = { ...CREDENTIALS, PATH: `${folder}:/usr/bin:/bin`, CALLS: calls, CLI_PORT: String(aws.port) };
    const { code, stdout: text, stderr } = await program('sh', [script], env);
    assert.equal(stderr, '');
    const after = (mark: string): string[] =>
      [...text.matchAll(new RegExp(`^ {2}${mark}: (?<what>.*)$`, 'gm'))].map(({ groups }) => groups!['what']!);
    return {
      code,
      text,
      bad: after('BAD'),
      unsure: after('not sure'),
      calls: readFileSync(calls, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => /(?<call>(?:sts|ec2|eks|iam) \S+)/.exec(line)?.groups?.['call'] ?? line),
    };
  }

  test('a node that can join by a NAT gateway: nothing is named, and nothing but questions is asked', async () => {
    const { code, text, bad, unsure, calls } = await look();
    assert.deepEqual({ code, bad, unsure }, { code: 0, bad: [], unsure: [] }, text);
    assert.match(text, new RegExp(`0\\.0\\.0\\.0/0 leads to ${cloud.nat}, which is available`));
    assert.match(text, /ok: the control plane admits 443 from this node/);
    assert.match(text, /ok: its access entry is of type EC2_LINUX/);
    assert.ok(calls.length >= CALLS_AT_LEAST);
    assert.deepEqual(
      calls.filter((call) => !/^(?:sts|ec2|eks|iam) (?:describe|get|list)-/.test(call)),
      [],
    );
  });

  test('no route out', async () => {
    await cloud.closeRoute();
    const { code, text, bad } = await look();
    assert.equal(bad.length, 1, text);
    assert.match(
      bad[0]!,
      new RegExp(`^no route out: ${cloud.table} of subnet subnet-\\w+ has no route for 0\\.0\\.0\\.0/0`),
    );
    assert.equal(code, 1);
  });

  test('one endpoint, the rules of the security group, a policy and the access entry are missing: each is named', async () => {
    await cloud.addEndpoints('ecr.api');
    await cloud.closeNodeGroup();
    await cloud.denyImages();
    eks.entries = {};
    const { text, bad } = await look();
    const expected = [
      /^no endpoint for ecr\.api in vpc-\w+, and no route out$/,
      new RegExp(`^the security groups of the node let no 443 out \\(${cloud.nodeGroup}\\)$`),
      /^role shop-node lacks ecr:getauthorizationtoken ecr:batchgetimage ecr:getdownloadurlforlayer \(to pull images from ECR\)$/,
      new RegExp(`^cluster shop has no access entry for ${cloud.roleArn}$`),
    ];
    assert.equal(bad.length, expected.length, text);
    for (const [index, expression] of expected.entries()) assert.match(bad[index]!, expression);
    assert.match(text, /\n4 bad, 0 not sure\n/, 'and again at the end');
  });
});

async function program(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: LIMIT_MS }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

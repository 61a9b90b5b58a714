// The documents that users paste: shell is clean, templates carry the script whole and within EC2's limit, and node classes fit the CRD.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse, parseDocument } from 'yaml';
import { exampleFiles } from '../../build/examples.ts';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const SCRIPT = read('deploy/user-data.sh');
/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html: before it is encoded. */
const USER_DATA_MAX_BYTES = 16_384;
const KARPENTER = 'github.com/aws/karpenter-provider-aws@v1.14.3';
const NODEADM = 'github.com/awslabs/amazon-eks-ami/nodeadm@v0.0.0-20240229193347-cfab22a10647';

for (const file of globSync('deploy/**/*.sh', { cwd: ROOT }))
  test(`${file} is clean shell`, (t) => {
    const { error, stdout } = spawnSync('shellcheck', [join(ROOT, file)], { encoding: 'utf8' });
    if (error !== undefined) return t.skip('shellcheck is not here');
    assert.equal(stdout, '');
  });

test('what user data runs in its unit is clean shell too, and has nothing that systemd would replace', (t) => {
  const inner = /^ {2}run='\n(?<script>[\s\S]*?)'$/m.exec(SCRIPT)!.groups!['script']!;
  assert.doesNotMatch(inner, /\$\{|%|\$\$/);
  const { error, stdout } = spawnSync('shellcheck', ['--shell=bash', '--exclude=SC1091,SC2153,SC2154', '-'], {
    input: inner,
    encoding: 'utf8',
  });
  if (error !== undefined) return t.skip('shellcheck is not here');
  assert.equal(stdout, '');
});

interface Template {
  readonly Resources: {
    readonly LaunchTemplate: { readonly Properties: { readonly LaunchTemplateData: { readonly UserData: object } } };
  };
}

/** All text of the user data, in order; CloudFormation's functions stand in YAML tags. */
function userDataOf(name: string): string {
  const text = exampleFiles()[name]!;
  if (name.startsWith('ec2nodeclass')) return (parse(text) as { spec: { userData: string } }).spec.userData;
  const template = parseDocument(text, { logLevel: 'error' }).toJS() as Template;
  const strings = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(strings)
        : [];
  return strings(template.Resources.LaunchTemplate.Properties.LaunchTemplateData.UserData).join('');
}

for (const name of Object.keys(exampleFiles()).filter((name) => !name.includes('bottlerocket')))
  test(`${name} carries the script whole, as a part of its own`, () => {
    const userData = userDataOf(name);
    assert.ok(Buffer.byteLength(userData) <= USER_DATA_MAX_BYTES / 1.3, String(Buffer.byteLength(userData)));
    const [head, ...parts] = userData.split(/^--\/\/(?:--)?\n/m);
    assert.equal(head, 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n');
    assert.equal(parts[0]!.trimEnd(), `Content-Type: text/x-shellscript; charset="us-ascii"\n\n${SCRIPT.trimEnd()}`);
    assert.equal(parts.at(-1), '');
    assert.equal(parts.length, name === 'self-managed.yaml' ? 3 : 2);
  });

/** What the API server prunes without a word is a mistake here. A text: why the module cannot be had. */
function validatorOf(t: TestContext, module: string, path: string, version: string): ValidateFunction | string {
  const go = spawnSync('go', ['version']).error === undefined ? 'go' : '/usr/local/go/bin/go';
  const cache = tempFolder(t, {});
  // A Go that is too old for the module has unpacked it all the same.
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' };
  const { error } = spawnSync(go, ['mod', 'download', module], { env, cwd: cache, timeout: 100_000 });
  const [file] = globSync(`**/${path}`, { cwd: cache });
  if (file === undefined) return `${module} cannot be had: ${error?.message ?? 'the Go proxy does not give it'}`;
  const crd = parse(readFileSync(join(cache, file), 'utf8')) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: object } }[] };
  };
  const { schema } = crd.spec.versions.find(({ name }) => name === version)!;
  const closed = JSON.parse(JSON.stringify(schema.openAPIV3Schema), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { additionalProperties: false, ...value }
      : value,
  ) as { properties: Record<string, object> };
  closed.properties['metadata'] = { type: 'object' };
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(closed);
}

test('node classes fit the schema of their CRD', { timeout: 120_000 }, (t) => {
  const fits = validatorOf(t, KARPENTER, 'pkg/apis/crds/karpenter.k8s.aws_ec2nodeclasses.yaml', 'v1');
  if (typeof fits === 'string') return t.skip(fits);
  for (const [name, text] of Object.entries(exampleFiles()).filter(([name]) => name.startsWith('ec2nodeclass'))) {
    assert.ok(fits(parse(text)), `${name}: ${JSON.stringify(fits.errors)}`);
    assert.equal(fits(parse(text.replace('amiFamily:', 'amiFamliy:'))), false);
  }
});

test('the NodeConfig of self-managed nodes fits the schema of its CRD', { timeout: 120_000 }, (t) => {
  const fits = validatorOf(t, NODEADM, 'crds/node.eks.aws_nodeconfigs.yaml', 'v1alpha1');
  if (typeof fits === 'string') return t.skip(fits);
  const [text = ''] = /^apiVersion: node\.eks\.aws[^]*?(?=^--|\n\n)/m.exec(userDataOf('self-managed.yaml')) ?? [];
  assert.match(text, /^kind: NodeConfig$/m);
  // CloudFormation fills them in; the certificate is base64.
  const filled = text.replaceAll(/\$\{\w+\}/g, 'AAAA');
  assert.ok(fits(parse(filled)), JSON.stringify(fits.errors));
  assert.equal(fits(parse(filled.replace('cidr:', 'cird:'))), false);
});

interface Component {
  readonly schemaVersion: number;
  readonly parameters: readonly Readonly<Record<string, { readonly type: string }>>[];
  readonly phases: readonly {
    readonly name: string;
    readonly steps: readonly { readonly action: string; readonly inputs: { readonly commands: readonly string[] } }[];
  }[];
}

test('the Image Builder component has its phases, and its parameters stand in single quotes', (t) => {
  const text = read('deploy/image-builder-component.yaml');
  const { schemaVersion, parameters, phases } = parse(text) as Component;
  assert.deepEqual([schemaVersion, phases.map(({ name }) => name)], [1, ['build', 'validate', 'test']]);
  const names = parameters.flatMap((parameter) => Object.keys(parameter));
  for (const [, name] of text.matchAll(/\{\{ (?<name>\w+) \}\}/g)) assert.ok(names.includes(name!), name);
  assert.equal(text.match(/\{\{/g)?.length, text.match(/'\{\{ \w+ \}\}'/g)?.length);
  const script = phases.flatMap(({ steps }) => steps.flatMap(({ inputs }) => inputs.commands)).join('\n');
  const { error, stdout } = spawnSync('shellcheck', ['--shell=bash', '--exclude=SC2194,SC2193', '-'], {
    input: script,
    encoding: 'utf8',
  });
  if (error !== undefined) return t.skip('shellcheck is not here');
  assert.equal(stdout, '');
});

// Values of strangers in sentences and in commands that people paste.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillCommand, fillProse } from '../../src/diagnosis/placeholders.ts';

const values = (table: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(table));

test('a value of the declared type is filled in', () => {
  assert.equal(
    fillCommand(
      'aws eks describe-cluster --name {cluster} --region {region}',
      values({ cluster: 'prod-1', region: 'us-gov-west-1' }),
    ),
    'aws eks describe-cluster --name prod-1 --region us-gov-west-1',
  );
  assert.equal(
    fillCommand('ls {path}', values({ path: '/etc/eks/containerd/containerd-config.toml' })),
    'ls /etc/eks/containerd/containerd-config.toml',
  );
});

test('an unknown value becomes a word that a shell takes as it is', () => {
  assert.equal(fillCommand('x {cluster} {nothing}', values({})), 'x CLUSTER_NAME NOTHING');
  assert.equal(fillProse('x {cluster}', values({})), 'x CLUSTER_NAME');
});

test('prose leaves out a parenthesis of which nothing is known', () => {
  const template = 'no answer from the API ({host}), region ({region}, zone {availability_zone})';
  assert.equal(fillProse(template, values({})), 'no answer from the API, region');
  assert.equal(
    fillProse(template, values({ host: 'ec2.us-west-2.amazonaws.com', region: 'us-west-2' })),
    'no answer from the API (ec2.us-west-2.amazonaws.com), region (us-west-2, zone AVAILABILITY_ZONE)',
  );
});

for (const [name, value] of [
  ['cluster', '$(reboot)'],
  ['cluster', 'a; rm -rf /'],
  ['cluster', '-rf'],
  ['path', '/etc/../../x'],
  ['path', "/etc/x'y"],
  ['path', '/etc/x\nreboot'],
  ['path', '/etc/`id`'],
  ['endpoint_host', 'a.b.com/$(x)'],
  ['region', 'us-east-1 && reboot'],
  ['node_name', 'ip-1 | sh'],
  ['role_name', 'role"x'],
  ['detail', 'anything'],
] as const)
  test(`a command never takes ${name} = ${JSON.stringify(value)}`, () => {
    assert.equal(
      fillCommand(`run {${name}}`, values({ [name]: value })),
      `run ${name === 'cluster' ? 'CLUSTER_NAME' : name.toUpperCase()}`,
    );
  });

test('double braces and shell braces stay as they are', () => {
  assert.equal(
    fillCommand('username: system:node:{{EC2PrivateDNSName}} ${HOME} {A}', values({})),
    'username: system:node:{{EC2PrivateDNSName}} ${HOME} {A}',
  );
});

test('prose shows a long value cut', () => {
  assert.equal(fillProse('{detail}', values({ detail: 'x'.repeat(500) })), `${'x'.repeat(200)}…`);
});

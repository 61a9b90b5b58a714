import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShuffle } from './shuffled-text.ts';

const TEXT = [
  'Mar 21 07:13:06 ip-10-42-17-203.eu-west-1.compute.internal kubelet[1812]: E0321 07:13:06.830140    1812 a.go:1] "no" err="dial tcp 10.42.17.203:443"',
  'time="2024-03-21T07:13:07.1Z" level=info msg="PullImage \\"602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5\\""',
  'arn:aws:sts::111122223333:assumed-role/node/i-0a1b2c3d4e5f60718 in 111122223333.dkr.ecr.us-west-2.amazonaws.com/app:v1.2.3',
  'Get "https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com/": lookup on 10.42.0.2:53, 172.20.0.1:443, 169.254.169.254, 127.0.0.1',
  'bootstrap.sh prod-blue --x; clusters/prod-blue; bootstrap.sh failed',
  "Cloud-init v. 22.2.2 running 'init' at Thu, 21 Mar 2024 07:13:00 +0000. Thu Mar 21 07:13:00 UTC 2024, linux 6.12.55-74.119",
].join('\n');

function lines(seed: number): string[] {
  const shuffle = createShuffle(TEXT, seed);
  return shuffle.text(TEXT).split('\n');
}

test('replaces what is invented, the same everywhere', () => {
  const [syslog, pull, role, api, cluster, cloudInit] = lines(1) as [string, string, string, string, string, string];
  const address = /ip-10-(?<b>\d+)-(?<c>\d+)-(?<d>\d+)\.eu-west-1/.exec(syslog)!.groups!;
  assert.ok(syslog.includes(`10.${address['b']}.${address['c']}.${address['d']}:443`));
  assert.ok(api.includes(`lookup on 10.${address['b']}.0.2:53`));
  const account = /arn:aws:sts::(?<account>\d{12}):/.exec(role)!.groups!['account']!;
  assert.ok(account !== '111122223333' && role.includes(`${account}.dkr.ecr`));
  assert.ok(!role.includes('i-0a1b2c3d4e5f60718') && /i-[0-9a-f]{17}/.test(role));
  assert.match(api, /^Get "https:\/\/[0-9A-F]{32}\.gr7\./);
  assert.ok(!api.includes('0123456789ABCDEF'));
  assert.ok(!cluster.includes('prod-blue'));
  assert.match(pull, /eks\/pause:\d\.\d/);
  assert.match(cloudInit, /linux 6\.12\.55-74\.119/);
});

test('leaves what means something', () => {
  const text = lines(1).join('\n');
  for (const meant of [
    '602401143452',
    '172.20.0.1:443',
    '169.254.169.254',
    '127.0.0.1',
    'us-west-2',
    'bootstrap.sh failed',
    '07:13:06.830140    1812 a.go:1',
  ])
    assert.ok(text.includes(meant), meant);
});

test('moves every date by the same number of days', () => {
  const [syslog, pull, , , , cloudInit] = lines(1) as [string, string, string, string, string, string];
  const day = /time="(?<day>\d{4}-\d\d-\d\d)T07:13:07/.exec(pull)!.groups!['day']!;
  const [year, month, date] = day.split('-') as [string, string, string];
  const name = new Date(day).toUTCString().slice(8, 11);
  assert.notEqual(day, '2024-03-21');
  assert.ok(syslog.startsWith(`${name} ${date} 07:13:06`) && syslog.includes(`E${month}${date} 07:13`), syslog);
  assert.ok(
    cloudInit.includes(`${date} ${name} ${year} 07:13:00`) &&
      cloudInit.includes(`${name} ${date} 07:13:00 UTC ${year}`),
    cloudInit,
  );
});

test('a seed gives the same text again, another seed another', () => {
  assert.deepEqual(lines(3), lines(3));
  assert.notDeepEqual(lines(3), lines(4));
});

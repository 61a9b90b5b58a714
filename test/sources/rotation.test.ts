import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inReadingOrder, rotationOf } from '../../src/sources/rotation.ts';

for (const [path, stem] of [
  ['/var/log/messages', '/var/log/messages'],
  ['/var/log/messages-20240101', '/var/log/messages'],
  ['/var/log/messages-20240101.gz', '/var/log/messages'],
  ['/var/log/messages-20240101-1704067200', '/var/log/messages'],
  ['/var/log/syslog.2.gz', '/var/log/syslog'],
  ['/var/log/cloud-init.log.1', '/var/log/cloud-init.log'],
  ['/var/log/cloud-init.log.old', '/var/log/cloud-init.log'],
  ['/x/ipamd-2025-04-01T00-00-00.000.log.gz', '/x/ipamd.log'],
  ['/x/0.log.20240101-120000', '/x/0.log'],
  ['/x/0.log.20240101-120000.gz', '/x/0.log'],
  ['/var/log/aws-routed-eni/egress-v6-plugin.log', '/var/log/aws-routed-eni/egress-v6-plugin.log'],
  ['/kernel/dmesg.current', '/kernel/dmesg.current'],
  ['/.1', '/.1'],
] as const)
  test(`the log behind ${path}`, () => {
    assert.equal(rotationOf(path).stem, stem);
  });

test('boot marks first, rotated files oldest first, the rest by name', () => {
  const order = [
    '/a/journal.ndjson',
    '/b/console-output.txt',
    '/kernel/dmesg.current',
    '/var/log/messages-20231225',
    '/var/log/messages-20240101.gz',
    '/var/log/messages',
    '/var/log/syslog.2.gz',
    '/var/log/syslog.1',
    '/var/log/syslog',
    '/x/system.journal',
    '/a/ipamd-2025-04-01T00-00-00.000.log.gz',
    '/a/ipamd-2025-04-01T10-00-00.000.log',
    '/a/ipamd.log',
    '/kubelet.log',
    '/x.log.10.gz',
    '/x.log.2.gz',
    '/x.log.1',
    '/x.log',
  ];
  const mixed = [...order].sort((a, b) => (a.length === b.length ? (a < b ? 1 : -1) : a.length - b.length));
  assert.deepEqual(
    inReadingOrder(mixed.map((path) => ({ path, exported: false }))).map(({ path }) => path),
    order,
  );
});

test('a journal in export form is first whatever its name is', () => {
  const inputs = [
    { path: '/a.log', exported: false },
    { path: '/z.txt', exported: true },
  ];
  assert.equal(inReadingOrder(inputs)[0]!.path, '/z.txt');
});

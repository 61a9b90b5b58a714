import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/types.ts';
import { packOf, pattern, read } from './tiny-pack.ts';

const word = pattern('word', 'telling words');

function recordOf(text: string, stream: string | null = null): LogRecord {
  return read(packOf(word), { text: `${text}\n`, stream }).matches.get('word')!.first;
}

function entry(fields: Record<string, string>): string {
  return JSON.stringify({ __CURSOR: 's=1', _BOOT_ID: 'a'.repeat(32), MESSAGE: 'telling words', ...fields });
}

test('the trusted unit goes before what the writer calls itself', () => {
  const record = recordOf(entry({ _SYSTEMD_UNIT: 'containerd.service', SYSLOG_IDENTIFIER: 'kubelet' }));
  assert.equal(record.stream, 'containerd');
  assert.equal(record.forgeable, false);
});

test('a name without a trusted unit may be forged, and the record says so', () => {
  const record = recordOf(entry({ SYSLOG_IDENTIFIER: 'kubelet', _SYSTEMD_UNIT: 'session-1.scope', _COMM: 'logger' }));
  assert.equal(record.forgeable, true);
  assert.equal(record.stream, 'kubelet');
});

test('nobody but the kernel can be the kernel', () => {
  assert.equal(recordOf(entry({ _TRANSPORT: 'kernel', SYSLOG_IDENTIFIER: 'kernel' })).stream, 'kernel');
  const forged = recordOf(entry({ _TRANSPORT: 'syslog', SYSLOG_IDENTIFIER: 'kernel', _SYSTEMD_UNIT: 'session-1.scope' }));
  assert.ok(forged.stream !== 'kernel' || forged.forgeable, 'a forged kernel line is taken for the kernel’s');
});

test('a user service with the name of a system unit is not that unit', () => {
  assert.notEqual(recordOf(entry({ _SYSTEMD_UNIT: 'user@1000.service', UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'x' })).stream, 'kubelet');
});

test('an identifier goes before the file’s name, the file’s name before the content', () => {
  assert.equal(recordOf('Jun 06 19:33:03 host containerd[7]: telling words', 'kubelet').stream, 'containerd');
  assert.equal(recordOf('Jun 06 19:33:03 host nobody[7]: telling words', 'kubelet').stream, 'kubelet');
  assert.equal(recordOf('time="2025-06-06T19:33:03Z" level=info msg="telling words"', 'docker').stream, 'docker');
  assert.equal(recordOf('time="2025-06-06T19:33:03Z" level=info msg="telling words"').stream, 'containerd');
  assert.equal(recordOf('telling words').stream, 'unknown');
});

test('a pattern of some streams takes lines of these and of unknown ones', () => {
  const own = pattern('own', 'telling words', { streams: ['kubelet'] });
  const counts = ['telling words', 'Jun 06 19:33:03 host kubelet[7]: telling words', 'Jun 06 19:33:03 host containerd[7]: telling words'].map(
    (text) => read(packOf(own), { text: `${text}\n` }).matches.get('own')?.count ?? 0,
  );
  assert.deepEqual(counts, [1, 1, 0]);
});

test('systemd’s line names the unit that it speaks about', () => {
  assert.equal(recordOf('Jun 06 19:33:03 host systemd[1]: kubelet.service: telling words').unit, 'kubelet.service');
  assert.equal(recordOf(entry({ _SYSTEMD_UNIT: 'init.scope', SYSLOG_IDENTIFIER: 'systemd', UNIT: 'kubelet.service' })).unit, 'kubelet.service');
});

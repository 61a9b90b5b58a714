import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import { createStreamFinder } from '../../src/matching/stream-finder.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
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

test('in a journal only the trusted unit proves a stream; what a message says of itself is forgeable', () => {
  const finder = createStreamFinder(compilePack(loadFolder('patterns')).streamTable);
  const from = (fields: Record<string, string>) => {
    const line = newLineState(JSON.stringify({ __REALTIME_TIMESTAMP: '1741070419609382', ...fields }));
    unwrapOuter(line, { referenceMs: Date.UTC(2025, 2) });
    return finder.find(line, line.text, null);
  };
  assert.deepEqual(from({ _SYSTEMD_UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: 'm' }), { stream: 'kubelet', forgeable: false, guessed: false });
  assert.equal(from({ _SYSTEMD_UNIT: 'cloud-final.service', SYSLOG_IDENTIFIER: 'kubelet', MESSAGE: 'm' }).stream, 'cloud-init');
  for (const forged of [
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'kubelet', MESSAGE: 'm' },
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: 'kubelet[1]: m' },
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: '[FAILED] Failed to start kubelet.' },
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'kernel', _TRANSPORT: 'stdout', MESSAGE: 'Out of memory: Killed process 1 (kubelet)' },
  ])
    assert.equal(from(forged).forgeable, true, JSON.stringify(forged));
  assert.equal(from({ SYSLOG_IDENTIFIER: 'kernel', _TRANSPORT: 'kernel', MESSAGE: 'm' }).forgeable, false);
});

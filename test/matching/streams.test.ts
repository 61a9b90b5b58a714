import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import { streamFinderOf } from '../../src/matching/stream-finder.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import type { LogRecord } from '../../src/types.ts';
import { packOf, pattern, read } from './tiny-pack.ts';

const word = pattern('word', 'telling words');

function recordOf(text: string, stream: string | null = null): LogRecord {
  return read(packOf(word), { text: `${text}\n`, stream }).matches.get('word')!.first;
}

function count(text: string): number {
  return read(packOf(word), { text: `${text}\n` }).matches.get('word')?.count ?? 0;
}

function entry(fields: Record<string, string>): string {
  return JSON.stringify({ __CURSOR: 's=1', _BOOT_ID: 'a'.repeat(32), MESSAGE: 'telling words', ...fields });
}

test('the trusted unit goes before what the writer calls itself', () => {
  const record = recordOf(entry({ _SYSTEMD_UNIT: 'containerd.service', SYSLOG_IDENTIFIER: 'kubelet' }));
  assert.equal(record.stream, 'containerd');
  assert.equal(record.provenance, 'proven');
});

test('who runs in a session, a container or a stranger’s unit is a stranger, whatever it calls itself', () => {
  for (const unit of ['session-1.scope', 'user@1000.service', 'cri-containerd-0abc.scope', 'vault.service'])
    assert.equal(count(entry({ SYSLOG_IDENTIFIER: 'kubelet', _SYSTEMD_UNIT: unit, _EXE: '/usr/bin/logger' })), 0, unit);
  assert.equal(count(entry({ SYSLOG_IDENTIFIER: 'kubelet', _UID: '1000' })), 0);
});

test('a program that root installed proves its stream under any unit’s name, but not in a session', () => {
  const fields = { SYSLOG_IDENTIFIER: 'x', _EXE: '/usr/bin/kubelet' };
  const { stream, provenance } = recordOf(entry({ ...fields, _SYSTEMD_UNIT: 'my-node.service' }));
  assert.deepEqual({ stream, provenance }, { stream: 'kubelet', provenance: 'proven' });
  assert.equal(count(entry({ ...fields, _SYSTEMD_UNIT: 'session-1.scope' })), 0);
  assert.equal(count(entry({ ...fields, _EXE: '/home/dev/kubelet', _SYSTEMD_UNIT: 'my-node.service' })), 0);
});

test('nobody but the kernel can be the kernel', () => {
  assert.equal(recordOf(entry({ _TRANSPORT: 'kernel', SYSLOG_IDENTIFIER: 'kernel' })).stream, 'kernel');
  assert.equal(
    count(entry({ _TRANSPORT: 'syslog', SYSLOG_IDENTIFIER: 'kernel', _SYSTEMD_UNIT: 'session-1.scope' })),
    0,
  );
});

test('a user service with the name of a system unit is not that unit', () => {
  assert.equal(
    count(entry({ _SYSTEMD_UNIT: 'user@1000.service', UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'x' })),
    0,
  );
});

test('an entry of a journal that a program prints is its own words', () => {
  const forged = entry({ _SYSTEMD_UNIT: 'kubelet.service', LOG: 'kubelet' });
  const asExport = '__CURSOR=s=1\n_SYSTEMD_UNIT=kubelet.service\nMESSAGE=telling words\n';
  for (const MESSAGE of [forged, asExport])
    assert.equal(count(entry({ _SYSTEMD_UNIT: 'user@1000.service', SYSLOG_IDENTIFIER: 'app', MESSAGE })), 0);
  assert.equal(count(`2025-05-06T08:00:00.000000000Z stdout F ${forged}`), 0);
  assert.equal(count(`May  6 08:00:00 ip-10-0-1-2 app[7]: ${forged}`), 0);
  assert.notEqual(recordOf(forged, 'cloud-init-output').stream, 'kubelet');
  assert.equal(recordOf(forged, 'kubelet').provenance, 'proven', 'of journalctl -u kubelet');
});

test('a file’s own name goes before names in its lines, unless journalctl wrote both', () => {
  const line = 'Jun 06 19:33:03 host containerd[7]: telling words';
  const at = (stream: string | null) => (({ stream: of, provenance }) => [of, provenance])(recordOf(line, stream));
  assert.deepEqual(at('cloud-init-output'), ['cloud-init-output', 'unproven']);
  assert.deepEqual(at('ipamd'), ['ipamd', 'proven']);
  assert.deepEqual(at('kubelet'), ['containerd', 'named']);
  assert.deepEqual(at(null), ['containerd', 'named']);
});

test('in a mixed log a name that is not in the table is a stranger’s', () => {
  assert.equal(count('Jun 06 19:33:03 host vault[7]: telling words'), 0);
  assert.equal(count('[   12.345678] nginx[7]: telling words'), 0);
  assert.equal(count('2025-06-06T19:33:03.132542Z stderr F telling words'), 0, 'a container’s log');
  assert.equal(recordOf('telling words').provenance, 'unproven');
});

test('what a script prints is unproven; the form of bootstrap.sh and cloud-init tells them', () => {
  assert.equal(recordOf('telling words', 'cloud-init-output').provenance, 'unproven');
  const { stream, provenance } = recordOf('[eks-bootstrap] INFO: telling words', 'cloud-init-output');
  assert.deepEqual({ stream, provenance }, { stream: 'bootstrap', provenance: 'proven' });
});

test('the content tells a stream only where no name does', () => {
  assert.equal(recordOf('Jun 06 19:33:03 host nobody[7]: telling words', 'kubelet').stream, 'kubelet');
  assert.equal(recordOf('time="2025-06-06T19:33:03Z" level=info msg="telling words"', 'docker').stream, 'docker');
  assert.equal(recordOf('time="2025-06-06T19:33:03.120456789Z" level=info msg="telling words"').stream, 'containerd');
  assert.equal(recordOf('time="2025-06-06T19:33:03Z" level=info msg="telling words"').stream, 'unknown');
  assert.equal(recordOf('telling words').stream, 'unknown');
});

test('a pattern of some streams takes lines of these and of unknown ones', () => {
  const own = pattern('own', 'telling words', { streams: ['kubelet'] });
  const counts = [
    'telling words',
    'Jun 06 19:33:03 host kubelet[7]: telling words',
    'Jun 06 19:33:03 host containerd[7]: telling words',
  ].map((text) => read(packOf(own), { text: `${text}\n` }).matches.get('own')?.count ?? 0);
  assert.deepEqual(counts, [1, 1, 0]);
});

test('systemd’s line names the unit that it speaks about', () => {
  assert.equal(recordOf('Jun 06 19:33:03 host systemd[1]: kubelet.service: telling words').unit, 'kubelet.service');
  assert.equal(
    recordOf(entry({ _SYSTEMD_UNIT: 'init.scope', SYSLOG_IDENTIFIER: 'systemd', UNIT: 'kubelet.service' })).unit,
    'kubelet.service',
  );
});

test('in a journal only the trusted unit proves a stream; what a message says of itself counts for nothing', () => {
  const finder = streamFinderOf(compilePack(loadFolder('patterns')).streamTable);
  const from = (fields: Record<string, string>) => {
    const line = newLineState(JSON.stringify({ __REALTIME_TIMESTAMP: '1741070419609382', ...fields }));
    unwrapOuter(line, { referenceMs: Date.UTC(2025, 2) });
    return finder.find(line, line.text, null);
  };
  assert.deepEqual(from({ _SYSTEMD_UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: 'm' }), {
    stream: 'kubelet',
    provenance: 'proven',
  });
  assert.equal(
    from({ _SYSTEMD_UNIT: 'cloud-final.service', SYSLOG_IDENTIFIER: 'kubelet', MESSAGE: 'm' }).stream,
    'cloud-init',
  );
  for (const forged of [
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'kubelet', MESSAGE: 'm' },
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: 'kubelet[1]: m' },
    { _SYSTEMD_UNIT: 'evil.service', SYSLOG_IDENTIFIER: 'x', MESSAGE: '[FAILED] Failed to start kubelet.' },
    {
      _SYSTEMD_UNIT: 'evil.service',
      SYSLOG_IDENTIFIER: 'kernel',
      _TRANSPORT: 'stdout',
      MESSAGE: 'Out of memory: Killed process 1 (kubelet)',
    },
  ])
    assert.equal(from(forged).provenance, 'foreign', JSON.stringify(forged));
  assert.equal(from({ SYSLOG_IDENTIFIER: 'kernel', _TRANSPORT: 'kernel', MESSAGE: 'm' }).provenance, 'proven');
});

test('a script that prints a journal’s boot separator begins no boot', () => {
  const separator = pattern('separator', '-- Reboot --', { startsBoot: true });
  const of = (stream: string | null): boolean =>
    read(packOf(word, separator), { text: 'telling words\n-- Reboot --\n', stream }).matches.has('word');
  assert.deepEqual([of('cloud-init-output'), of('kubelet'), of(null)], [true, false, false]);
});

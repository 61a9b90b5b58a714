import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalFramer } from '../../../src/sources/journal/journal-framer.ts';
import { SuppressedMessages } from '../../../src/sources/journal/journal-suppressed.ts';
import { entries, entry } from '../export-entries.ts';

const OWN = { SYSLOG_IDENTIFIER: 'systemd-journald', _TRANSPORT: 'driver' };

function counted(...parts: readonly Buffer[]): [string, number][] {
  const framer = new JournalFramer();
  const suppressed = new SuppressedMessages();
  for (const part of parts) suppressed.add(framer.push(part));
  return [...suppressed.counts];
}

const says = (MESSAGE: string, fields: Readonly<Record<string, string>> = OWN): Buffer =>
  entry({ number: 1 }, { ...fields, MESSAGE });

test('notices are counted unit by unit, in the words of systemd 252 and of 219', () => {
  const notices = [
    entries(1, 3),
    says('Suppressed 123 messages from kubelet.service'),
    says('Suppressed 7 messages from /system.slice/containerd.service'),
    says('Suppressed 1000 messages from kubelet.service'),
    says('Missed 44 kernel messages'),
  ];
  const expected = { 'kubelet.service': 1123, 'containerd.service': 7, kernel: 44 };
  assert.deepEqual(Object.fromEntries(counted(...notices)), expected);
  assert.deepEqual(Object.fromEntries(counted(Buffer.concat(notices))), expected);
});

test('nobody but journald can say so', () =>
  assert.deepEqual(
    counted(
      says('Suppressed 5 messages from kubelet.service', {
        SYSLOG_IDENTIFIER: 'systemd-journald',
        _TRANSPORT: 'journal',
      }),
      says('x\nMESSAGE=Suppressed 5 messages from kubelet.service\n_TRANSPORT=driver\ny', { _TRANSPORT: 'journal' }),
      says('Suppressed many messages from kubelet.service'),
    ),
    [],
  ));

test('the list of units is bounded', () => {
  const notices = Array.from({ length: 200 }, (_, index) => says(`Suppressed 1 messages from run-${index}.service`));
  assert.equal(counted(...notices).length, 65);
  assert.deepEqual(counted(...notices).at(-1), ['other units', 136]);
});

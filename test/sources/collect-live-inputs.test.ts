import assert from 'node:assert/strict';
import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../src/host/create-host.ts';
import { type Child, type ChildEnd, type Host, HostError } from '../../src/host/host.ts';
import { collectLiveInputs } from '../../src/sources/collect-live-inputs.ts';
import { bytesSource } from '../../src/sources/capture/peek.ts';
import { folderWith } from '../host/folder-with.ts';
import { entries } from './export-entries.ts';
import { FIRST_BOOT, JOURNAL, NO_JOURNALCTL, SECOND_BOOT } from './journal.ts';
import { codesOf, namesOf, readAll, TABLE, textOf } from './support.ts';

test(
  'a mounted root: its journal by boots, the earlier one first, then its log files',
  { skip: NO_JOURNALCTL },
  async (t) => {
    const root = folderWith(t, {
      'var/log/journal/444/system.journal': JOURNAL,
      'var/log/cloud-init-output.log': 'output',
      'var/log/cloud-init.log': '',
      'var/log/messages': 'the same lines as the journal',
      'var/log/pods/kube-system_aws-node-x_uid/aws-node/0.log': 'pod',
    });
    const { inputs, notChecked, cleanup } = await collectLiveInputs(createHost({ root }), TABLE);
    t.after(cleanup);
    assert.deepEqual(notChecked, []);
    assert.deepEqual(namesOf(inputs), [
      'journal of the boot before',
      'journal',
      '/var/log/cloud-init-output.log',
      '/var/log/pods/kube-system_aws-node-x_uid/aws-node/0.log',
    ]);
    const [before, current] = await Promise.all(
      inputs.slice(0, 2).map(async (input) => (await readAll(input)).bytes.toString('latin1')),
    );
    assert.ok(before!.includes(FIRST_BOOT) && !before!.includes(SECOND_BOOT));
    assert.ok(current!.includes(SECOND_BOOT) && !current!.includes(`_BOOT_ID=${FIRST_BOOT}`));
    assert.equal(inputs[3]!.stream, 'aws-node');
  },
);

test('a mounted root without a journal: its syslog files instead', async (t) => {
  const root = folderWith(t, { 'var/log/messages': 'lines', 'var/log/cloud-init.log': 'x' });
  const { inputs, notChecked } = await collectLiveInputs(createHost({ root }), TABLE);
  assert.deepEqual(namesOf(inputs), ['/var/log/messages', '/var/log/cloud-init.log']);
  assert.deepEqual(notChecked, [{ what: 'journal', code: 'journal-missing', detail: '' }]);
});

test('links of a mounted root are resolved inside it and end in its log folders', async (t) => {
  const root = folderWith(t, { 'var/log/real.log': 'inside', 'etc/shadow': 'secret' });
  symlinkSync('/var/log/real.log', join(root, 'var/log/cloud-init.log'));
  symlinkSync('/etc/shadow', join(root, 'var/log/cloud-init-output.log'));
  const { inputs, notChecked } = await collectLiveInputs(createHost({ root }), TABLE);
  assert.deepEqual(namesOf(inputs), ['/var/log/cloud-init.log']);
  assert.equal(await textOf(inputs[0]), 'inside');
  assert.deepEqual(codesOf(notChecked), ['journal-missing', 'symlink-outside']);
});

/** A machine whose journalctl answers by its arguments. */
function machine(
  root: string,
  answer: (args: readonly string[]) => { readonly text?: string; readonly end?: Partial<ChildEnd> },
): { readonly host: Host; readonly calls: string[] } {
  const calls: string[] = [];
  const run: Host['run'] = ({ args }): Child => {
    calls.push(args.join(' '));
    const { text = '', end = {} } = args[0] === '--version' ? { text: 'systemd 219\n+PAM' } : answer(args);
    return {
      ...bytesSource(Buffer.from(text)),
      ended: Promise.resolve({ exitCode: 0, endedBy: null, stderr: '', ...end }),
    };
  };
  return { host: { ...createHost({ root }), root: null, run }, calls };
}

test('this machine: journalctl is asked for this boot and for the one before', async (t) => {
  const { host, calls } = machine(folderWith(t), (args) => ({ text: `__CURSOR=of ${args.slice(3).join(' ')}\n\n` }));
  const { inputs } = await collectLiveInputs(host, TABLE);
  assert.equal(await textOf(inputs[0]), '__CURSOR=of -b -1 -n 5000\n\n');
  assert.equal(await textOf(inputs[1]), '__CURSOR=of -b 0\n\n');
  assert.equal((await inputs[1]!.survey()).tail.toString(), '__CURSOR=of -b 0 -n 1\n\n');
  const common = '--output=export --all --no-pager';
  assert.deepEqual(calls, [
    '--version',
    `${common} -b 0 -n 1`,
    `${common} -b -1 -n 1`,
    `${common} -b -1 -n 5000`,
    `${common} -b 0`,
  ]);
});

test('of the boot before only the newest entries are read, and that is noted', async (t) => {
  const { host } = machine(folderWith(t), (args) => ({
    text: entries(1, args.includes('5000') ? 5_000 : 1).toString(),
  }));
  const { inputs } = await collectLiveInputs(host, TABLE);
  assert.deepEqual((await readAll(inputs[0]!)).notes, [
    { what: 'journal of the boot before', code: 'journal-newest-only', detail: '5000 entries' },
  ]);
  assert.deepEqual((await readAll(inputs[1]!)).notes, []);
});

test('reading the journal ends in time, whatever was spent before it began', async (t) => {
  const { host } = machine(folderWith(t), () => ({ text: entries(1, 1).toString() }));
  const limitsMs: (number | null)[] = [];
  let nowMs = 0;
  const slow: Host = {
    ...host,
    clock: { ...host.clock, monotonicMs: () => nowMs },
    run(request) {
      limitsMs.push(request.timeLimitMs);
      return host.run(request);
    },
  };
  const { inputs } = await collectLiveInputs(slow, TABLE, { limits: { journalTimeMs: 6_000 } });
  for (const input of inputs) {
    nowMs += 1_500;
    await readAll(input);
  }
  assert.deepEqual(limitsMs.slice(1), [2_000, 2_000, 1_000, 6_000 - 3_000 - 1_300]);
});

test('fields are narrowed down only where journalctl can do it', async (t) => {
  const { host, calls } = machine(folderWith(t), () => ({ text: '__CURSOR=x\n' }));
  const newer: Host = {
    ...host,
    run: (request) =>
      request.args[0] === '--version'
        ? { ...host.run(request), ...bytesSource(Buffer.from('systemd 252 (252.4)')) }
        : host.run(request),
  };
  await collectLiveInputs(newer, TABLE);
  const fields = /--output-fields=(?<fields>\S+)/.exec(calls.at(-1)!)!.groups!['fields']!.split(',');
  // Without one of these nobody knows who has said a line: unit, program, kernel, or a user from 1000 on.
  for (const trusted of ['MESSAGE', '_SYSTEMD_UNIT', '_EXE', '_TRANSPORT', '_UID', '_PID'])
    assert.ok(fields.includes(trusted), trusted);
  assert.ok(!calls.some((call) => call.includes('--version') && call.includes('--output-fields')));
});

test('the first boot has none before it, and that is nothing to note', async (t) => {
  const { host } = machine(folderWith(t), (args) =>
    args.includes('-1')
      ? {
          end: {
            exitCode: 1,
            stderr: 'Data from the specified boot (-1) is not available: No such boot ID in journal\n',
          },
        }
      : { text: '__CURSOR=x\n' },
  );
  const { inputs, notChecked } = await collectLiveInputs(host, TABLE);
  assert.deepEqual([namesOf(inputs), notChecked], [['journal'], []]);
});

for (const [title, end, code] of [
  ['no journal', { exitCode: 1, stderr: 'No journal files were found.\n' }, 'journal-missing'],
  [
    'no permission',
    { exitCode: 1, stderr: 'No journal files were opened due to insufficient permissions.\n' },
    'unreadable',
  ],
  ['a journal that hangs', { exitCode: null, endedBy: 'time-limit' }, 'journal-time-limit'],
] as const)
  test(`${title}: noted, and the syslog files are read instead`, async (t) => {
    const { host } = machine(folderWith(t, { 'var/log/syslog': 'lines' }), () => ({ end }));
    const { inputs, notChecked } = await collectLiveInputs(host, TABLE);
    assert.deepEqual([namesOf(inputs), codesOf(notChecked)], [['/var/log/syslog'], [code]]);
  });

test('a machine without journalctl is read by its files', async (t) => {
  const root = folderWith(t, { 'var/log/messages': 'lines' });
  utimesSync(join(root, 'var/log/messages'), 1, 1);
  const host: Host = {
    ...createHost({ root }),
    root: null,
    run() {
      throw new HostError('command-missing', 'journalctl');
    },
  };
  const { inputs, notChecked } = await collectLiveInputs(host, TABLE);
  assert.deepEqual(
    [namesOf(inputs), inputs[0]!.mtimeMs, codesOf(notChecked)],
    [['/var/log/messages'], 1000, ['command-missing']],
  );
});

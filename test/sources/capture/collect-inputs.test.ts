import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../../../build/project.ts';
import { folderWith } from '../../host/folder-with.ts';
import { codesOf, collect, namesOf, readAll, textOf } from '../support.ts';

test('a file is read whatever its name is', async (t) => {
  const folder = folderWith(t, { 'paste.txt': 'one\r\ntwo\0three \xff\n', 'kubelet.log': 'x' });
  const { inputs, notChecked } = await collect(t, [join(folder, 'paste.txt'), join(folder, 'kubelet.log')]);
  assert.deepEqual(namesOf(inputs), [join(folder, 'kubelet.log'), join(folder, 'paste.txt')]);
  assert.deepEqual(
    inputs.map(({ stream, exported, sizeBytes }) => ({ stream, exported, sizeBytes })),
    [
      { stream: 'kubelet', exported: false, sizeBytes: 1 },
      { stream: null, exported: false, sizeBytes: 18 },
    ],
  );
  assert.equal(await textOf(inputs[1]), 'one\r\ntwo\0three \xff\n');
  assert.deepEqual(notChecked, []);
});

test('broken bytes pass through untouched', async (t) => {
  const broken = Buffer.from([0x61, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0d, 0x0a, 0x62]);
  const { inputs } = await collect(t, [join(folderWith(t, { 'x.log': broken }), 'x.log')]);
  assert.deepEqual((await readAll(inputs[0]!)).bytes, broken);
});

test('a folder: names are relative, boot marks first, rotated files oldest first, the rest by name', async (t) => {
  const folder = folderWith(t, {
    'kubelet/kubelet.log': 'x',
    'var_log/messages': 'x',
    'var_log/messages-20240101': 'x',
    'var_log/messages-20240108.gz': gzipSync('week 2'),
    'var_log/cloud-init.log': 'x',
    'var_log/cloud-init.log.1': 'x',
    'var_log/cloud-init.log.2.gz': gzipSync('oldest'),
    'notes.other': 'some text',
    'case.json': '{}',
  });
  const { inputs, notChecked } = await collect(t, [folder]);
  assert.deepEqual(namesOf(inputs), [
    'var_log/messages-20240101',
    'var_log/messages-20240108.gz',
    'var_log/messages',
    'kubelet/kubelet.log',
    'notes.other',
    'var_log/cloud-init.log.2.gz',
    'var_log/cloud-init.log.1',
    'var_log/cloud-init.log',
  ]);
  assert.equal(await textOf(inputs[5]), 'oldest');
  assert.equal(inputs[5]!.stream, 'cloud-init');
  assert.deepEqual(notChecked, []);
});

test('two folders keep their files apart', async (t) => {
  const folder = folderWith(t, { 'a/kubelet.log': 'a', 'b/kubelet.log': 'b' });
  const { inputs } = await collect(t, [join(folder, 'a/'), join(folder, 'b')]);
  assert.deepEqual(namesOf(inputs), [join(folder, 'a/kubelet.log'), join(folder, 'b/kubelet.log')]);
});

test('a file that is named twice is read once', async (t) => {
  const folder = folderWith(t, { 'a/kubelet.log': 'a' });
  const { inputs } = await collect(t, [join(folder, 'a'), join(folder, 'a/kubelet.log')]);
  assert.equal(inputs.length, 1);
});

test('one thing that cannot be read never hides the others', async (t) => {
  const folder = folderWith(t, {
    'good.log': 'good',
    'empty.log': '',
    'none/readme.bin': Buffer.alloc(64),
    'empty-folder/x/.keep': '',
  });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const paths = ['missing.log', 'empty.log', 'pipe', 'none', 'empty-folder', 'good.log'].map((name) =>
    join(folder, name),
  );
  const { inputs, notChecked } = await collect(t, [...paths, '/dev/null', '', '/dev/fd/9']);
  assert.deepEqual(namesOf(inputs), [join(folder, 'good.log')]);
  const short = notChecked.map(({ what, code }) => [what.replace(`${folder}/`, ''), code]);
  assert.deepEqual(short, [
    ['missing.log', 'missing'],
    ['empty.log', 'empty'],
    ['pipe', 'fifo'],
    ['none/readme.bin', 'binary'],
    ['none', 'no-logs'],
    ['empty-folder', 'no-logs'],
    ['/dev/null', 'device'],
    ["''", 'missing'],
    ['/dev/fd/9', 'fifo'],
  ]);
});

test('a link that the user names is followed, those inside a folder are not', async (t) => {
  const folder = folderWith(t, { 'target/kubelet.log': 'x' });
  symlinkSync('target/kubelet.log', join(folder, 'link.log'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('/etc/passwd', join(folder, 'target/passwd.log'));
  symlinkSync('/', join(folder, 'target/root'));
  const linked = await collect(t, [join(folder, 'link.log'), join(folder, 'dangling')]);
  assert.equal(await textOf(linked.inputs[0]), 'x');
  assert.deepEqual(codesOf(linked.notChecked), ['missing']);
  const { inputs, notChecked } = await collect(t, [join(folder, 'target')]);
  assert.deepEqual(namesOf(inputs), ['kubelet.log']);
  assert.deepEqual(notChecked, [
    { what: 'passwd.log', code: 'symlink', detail: '' },
    { what: 'root', code: 'symlink', detail: '' },
  ]);
});

test('an empty log in a folder is noted, an empty file of another kind is not', async (t) => {
  const { notChecked } = await collect(t, [folderWith(t, { 'containerd.log': '', btmp: '', 'kubelet.log': 'x' })]);
  assert.deepEqual(notChecked, [{ what: 'containerd.log', code: 'empty', detail: '' }]);
});

test('FIFOs in a folder are noted and not opened', async (t) => {
  const folder = folderWith(t, { 'kubelet.log': 'x' });
  execFileSync('mkfifo', [join(folder, 'containerd.log')]);
  const { inputs, notChecked } = await collect(t, [folder]);
  assert.deepEqual(namesOf(inputs), ['kubelet.log']);
  assert.deepEqual(notChecked, [{ what: 'containerd.log', code: 'fifo', detail: '' }]);
});

test('many notes of one kind become one', async (t) => {
  const folder = folderWith(t, { 'kubelet.log': 'x' });
  for (let i = 0; i < 20; i++) symlinkSync('kubelet.log', join(folder, `link-${10 + i}`));
  const { notChecked } = await collect(t, [folder]);
  assert.deepEqual(notChecked, [{ what: folder, code: 'symlink', detail: '20 files: link-10, link-11, link-12, …' }]);
});

test('what cannot be decompressed here is noted with its form', async (t) => {
  const folder = folderWith(t, {
    'a.log.xz': Buffer.from('fd377a585a000004', 'hex'),
    'b.log.bz2': 'BZh91AY&SY',
    'c.zip': 'PK\x03\x04rest',
    'd.log': 'x',
  });
  const { inputs, notChecked } = await collect(t, [folder]);
  assert.deepEqual(namesOf(inputs), ['d.log']);
  assert.deepEqual(
    notChecked.map(({ code, detail }) => [code, detail]),
    [
      ['compressed-unsupported', 'xz'],
      ['compressed-unsupported', 'bzip2'],
      ['compressed-unsupported', 'zip'],
    ],
  );
});

test('compressed files of which nothing comes out are noted as what they are', async (t) => {
  const packed = gzipSync('some text\n');
  const broken = Buffer.from(packed);
  broken.fill(0xff, 10);
  const { inputs, notChecked } = await collect(t, [
    folderWith(t, { 'a.gz': packed.subarray(0, 5), 'b.gz': broken, 'c.gz': gzipSync('') }),
  ]);
  assert.deepEqual([namesOf(inputs), codesOf(notChecked)], [[], ['truncated', 'damaged', 'no-logs']]);
});

test('a known log is read though it begins with a block of NULs', async (t) => {
  const { inputs } = await collect(t, [
    folderWith(t, { 'kubelet.log': Buffer.concat([Buffer.alloc(4096), Buffer.from('after the power cut\n')]) }),
  ]);
  assert.match(await textOf(inputs[0]), /after the power cut/);
});

test('a 10 GB file of holes gives its two ends and a note, in seconds', async (t) => {
  const file = join(folderWith(t, { 'huge.log': 'first line\n' }), 'huge.log');
  const size = 10 * 1000 ** 3;
  truncateSync(file, size);
  writeFileSync(file, 'first line\n', { flag: 'r+' });
  truncateSync(file, size - 10);
  writeFileSync(file, 'last line\n', { flag: 'a' });
  const { inputs } = await collect(t, [file]);
  const { bytes, notes } = await readAll(inputs[0]!);
  assert.equal(bytes.subarray(0, 11).toString(), 'first line\n');
  assert.equal(bytes.subarray(-10).toString(), 'last line\n');
  assert.ok(bytes.length < 130 * 1024 * 1024);
  assert.deepEqual(codesOf(notes), ['sparse']);
});

test('the survey gives both ends of a large file, and the head of a compressed one', async (t) => {
  const lines = `first\n${'x'.repeat(200_000)}\nlast\n`;
  const folder = folderWith(t, { 'a.log': lines, 'b.log.gz': gzipSync(lines), 'c.log': 'short' });
  const { inputs } = await collect(t, [folder]);
  const [large, packed, short] = await Promise.all(inputs.map((input) => input.survey()));
  assert.equal(large!.head.length, 64 * 1024);
  assert.match(large!.tail.toString(), /last\n$/);
  assert.match(packed!.head.toString(), /^first\n/);
  assert.deepEqual([packed!.tail.length, short!.head.toString(), short!.tail.length], [0, 'short', 0]);
});

test('an aborted signal ends the collecting with its reason', async (t) => {
  const folder = folderWith(t, { 'a.log': 'x' });
  await assert.rejects(collect(t, [folder], { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
});

test('a file that this user may not read is noted; the others are read', async (t) => {
  const folder = folderWith(t, { 'secret.log': 'x', 'open.log': 'open', 'closed/in.log': 'x' });
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'secret.log'), 0o600);
  chmodSync(join(folder, 'closed'), 0o700);
  if (process.getuid?.() !== 0) {
    chmodSync(join(folder, 'secret.log'), 0);
    chmodSync(join(folder, 'closed'), 0);
  }
  const script = `
    import { createHost } from '${ROOT}/src/host/create-host.ts';
    import { collectInputs } from '${ROOT}/src/sources/capture/collect-inputs.ts';
    import { TABLE } from '${ROOT}/test/sources/support.ts';
    if (process.getuid() === 0) process.setuid(65534);
    const { inputs, notChecked } = await collectInputs(['${folder}'], { host: createHost(), table: TABLE });
    console.log(JSON.stringify([inputs.map(({ name }) => name), notChecked.map(({ what, code }) => [what, code])]));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  assert.deepEqual(JSON.parse(stdout.trim().split('\n').at(-1)!), [
    ['open.log'],
    [
      ['closed', 'unreadable'],
      ['secret.log', 'unreadable'],
    ],
  ]);
});

test('the root of a node: only its logs and a few files of facts are read', async (t) => {
  const folder = folderWith(t, {
    'var/log/messages': 'x',
    'var/log/aws-routed-eni/ipamd.log': 'x',
    'usr/share/doc/kubelet.log': 'not a log of the node',
    'home/user/paste.txt': 'private',
    'var/lib/kubelet/kubeconfig': 'server: x',
    'journal.ndjson': '{}',
  });
  const { inputs } = await collect(t, [folder]);
  assert.deepEqual(namesOf(inputs), [
    'journal.ndjson',
    'var/log/messages',
    'var/lib/kubelet/kubeconfig',
    'var/log/aws-routed-eni/ipamd.log',
  ]);
});

test('the root of a node whose folders are links leads nowhere else', async (t) => {
  const outside = folderWith(t, { 'log/messages': 'of this machine', 'lib/kubelet/kubeconfig': 'of this machine' });
  const folder = folderWith(t, { 'kubelet.log': 'x' });
  mkdirSync(join(folder, 'usr'));
  symlinkSync(outside, join(folder, 'var'));
  const { inputs, notChecked } = await collect(t, [folder]);
  assert.deepEqual(namesOf(inputs), ['kubelet.log']);
  assert.deepEqual(codesOf(notChecked), ['symlink']);
});

// What becomes of archives: bundles of both collectors, hostile members, cut and damaged ones, bombs, nesting, clean-up.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ROOT } from '../../build/project.ts';
import { createHost } from '../../src/host/create-host.ts';
import { folderWith } from '../host/folder-with.ts';
import { makeTar } from './make-tar.ts';
import { codesOf, collect, namesOf, readAll, textOf } from './support.ts';

const BUNDLE = [
  [{ name: './', type: 'directory' }],
  ['./system/ps.txt', 'USER PID %CPU\n'],
  ['./system/instance-id.txt', 'i-0123456789abcdef0\n'],
  ['./kubelet/kubelet.log', 'kubelet line\n'],
  ['./var_log/messages', 'Nov 20 11:22:33 ip-10-0-0-1 kernel: x\n'],
  ['./var_log/aws-routed-eni/ipamd-2025-04-01T00-00-00.000.log.gz', gzipSync('older ipamd line\n')],
  ['./var_log/aws-routed-eni/ipamd.log', 'ipamd line\n'],
  ['./networking/trace.pcap', Buffer.alloc(2000)],
] as const;

const NAMES = [
  'var_log/messages',
  'kubelet/kubelet.log',
  'system/instance-id.txt',
  'system/ps.txt',
  'var_log/aws-routed-eni/ipamd-2025-04-01T00-00-00.000.log.gz',
  'var_log/aws-routed-eni/ipamd.log',
];

for (const [form, pack] of [
  ['.tar', (tar: Buffer) => tar],
  ['.tar.gz', gzipSync],
  ['.tgz', gzipSync],
  ['.tar.zst', zstdCompressSync],
] as const)
  test(`a bundle as ${form}: members are named by archive and path`, async (t) => {
    const file = join(folderWith(t, { [`bundle${form}`]: pack(await makeTar(BUNDLE)) }), `bundle${form}`);
    const { inputs, notChecked } = await collect(t, [file]);
    assert.deepEqual(
      namesOf(inputs),
      NAMES.map((name) => `bundle${form}!${name}`),
    );
    assert.equal(inputs[2]!.path, '/system/instance-id.txt');
    assert.equal(inputs[1]!.stream, 'kubelet');
    assert.equal(await textOf(inputs[4]), 'older ipamd line\n');
    assert.deepEqual(notChecked, []);
  });

test('an unpacked bundle gives the same inputs', async (t) => {
  const files = BUNDLE.filter((entry) => entry.length === 2).map(([name, content]) => [name.slice(2), content]);
  const { inputs } = await collect(t, [folderWith(t, Object.fromEntries(files))]);
  assert.deepEqual(namesOf(inputs), NAMES);
});

test('hostile members are noted, never written outside and never followed', async (t) => {
  const folder = folderWith(t, { 'victim.log': 'untouched' });
  const target = join(folder, 'escaped.log');
  const tar = await makeTar([
    ['../escaped.log', 'evil'],
    ['a/../../escaped.log', 'evil'],
    [target, 'evil'],
    [{ name: 'link.log', type: 'symlink', linkname: '/etc/passwd' }],
    ['link.log/inside.log', 'through the link'],
    [{ name: 'folder', type: 'symlink', linkname: folder }],
    ['folder/escaped.log', 'through the linked folder'],
    [{ name: 'hard.log', type: 'link', linkname: '/etc/passwd' }],
    [{ name: 'pipe.log', type: 'fifo' }],
    [{ name: 'disk.log', type: 'block-device', devmajor: 8, devminor: 0 }],
    [`${'n'.repeat(5000)}.log`, 'a name longer than any path'],
    ['kubelet.log', 'good'],
  ]);
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('eks-bootstrap-analyzer-'));
  const { inputs, notChecked } = await collect(t, [
    join(folderWith(t, { 'evil.tar.gz': gzipSync(tar) }), 'evil.tar.gz'),
  ]);
  assert.deepEqual(
    namesOf(inputs),
    ['folder/escaped.log', 'kubelet.log', 'link.log/inside.log'].map((name) => `evil.tar.gz!${name}`),
  );
  assert.equal(await textOf(inputs[2]), 'through the link');
  assert.deepEqual([...new Set(codesOf(notChecked))].sort(), ['member-link', 'member-outside', 'member-special']);
  assert.equal(existsSync(target), false);
  assert.deepEqual(readdirSync(folder), ['victim.log']);
  const made = readdirSync(tmpdir()).filter(
    (name) => name.startsWith('eks-bootstrap-analyzer-') && !before.includes(name),
  );
  const written = made.flatMap((name) => readdirSync(join(tmpdir(), name)));
  assert.ok(
    written.every((name) => /^\d+$/.test(name)),
    written.join(),
  );
});

test('a cut .tar.gz gives what came out, to the last byte, and says so', async (t) => {
  const noise = Buffer.from(Array.from({ length: 30_000 }, (_value, i) => `${(i * 7919) % 65_521} line\n`).join(''));
  const whole = gzipSync(
    await makeTar([
      ['kubelet.log', 'kubelet line\n'],
      ['messages', noise],
    ]),
  );
  const { inputs, notChecked } = await collect(t, [
    join(folderWith(t, { 'cut.tar.gz': whole.subarray(0, whole.length - 20_000) }), 'cut.tar.gz'),
  ]);
  assert.deepEqual(namesOf(inputs), ['cut.tar.gz!messages', 'cut.tar.gz!kubelet.log']);
  const { bytes } = await readAll(inputs[0]!);
  assert.ok(bytes.length > 100_000 && bytes.length < noise.length);
  assert.ok(noise.subarray(0, bytes.length).equals(bytes));
  assert.deepEqual(notChecked, [{ what: 'cut.tar.gz', code: 'truncated', detail: '' }]);
});

test('a cut .tar keeps every byte of the member that it ends in', async (t) => {
  const whole = await makeTar([['kubelet.log', 'x'.repeat(10_000)]]);
  const { inputs, notChecked } = await collect(t, [
    join(folderWith(t, { 'cut.tar': whole.subarray(0, 512 + 7_777) }), 'cut.tar'),
  ]);
  assert.equal((await readAll(inputs[0]!)).bytes.length, 7_777);
  assert.deepEqual(codesOf(notChecked), ['truncated']);
});

test('a damaged header ends the archive; the members before it count', async (t) => {
  const whole = await makeTar([
    ['kubelet.log', 'x'],
    ['messages', 'y'],
  ]);
  whole.write('broken', 1024);
  const { inputs, notChecked } = await collect(t, [join(folderWith(t, { 'bad.tar': whole }), 'bad.tar')]);
  assert.deepEqual(namesOf(inputs), ['bad.tar!kubelet.log']);
  assert.deepEqual(codesOf(notChecked), ['archive-damaged']);
});

test('the limit of unpacked bytes holds for archives and says when it is reached', async (t) => {
  const bomb = gzipSync(
    await makeTar([
      ['kubelet.log', 'small'],
      ['messages', Buffer.alloc(20 * 1024 * 1024)],
    ]),
  );
  const file = join(folderWith(t, { 'bomb.tar.gz': bomb }), 'bomb.tar.gz');
  assert.ok(bomb.length < 40_000);
  const { inputs, notChecked } = await collect(t, [file], { limits: { unpackedBytes: 1024 * 1024 } });
  assert.deepEqual(namesOf(inputs), ['bomb.tar.gz!messages', 'bomb.tar.gz!kubelet.log']);
  assert.equal(await textOf(inputs[1]), 'small');
  assert.ok(inputs[0]!.sizeBytes! < 1024 * 1024);
  assert.deepEqual(codesOf(notChecked), ['unpack-limit']);
});

test('the limit of unpacked bytes holds for a compressed log', async (t) => {
  const { inputs } = await collect(
    t,
    [join(folderWith(t, { 'bomb.log.gz': gzipSync(Buffer.alloc(50 * 1024 * 1024)) }), 'bomb.log.gz')],
    {
      limits: { unpackedBytes: 3_000_000 },
    },
  );
  const { bytes, notes } = await readAll(inputs[0]!);
  assert.ok(bytes.length > 2_900_000 && bytes.length <= 3_000_000);
  assert.deepEqual(codesOf(notes), ['unpack-limit']);
});

test('the limit of members holds and says when it is reached', async (t) => {
  const many = await makeTar(Array.from({ length: 50 }, (_value, i) => [`kubelet-${i}.log`, 'x'] as const));
  const { inputs, notChecked } = await collect(t, [join(folderWith(t, { 'many.tar': many }), 'many.tar')], {
    limits: { members: 10 },
  });
  assert.equal(inputs.length, 10);
  assert.deepEqual(codesOf(notChecked), ['member-limit']);
});

test('an archive in an archive is unpacked, one more level is not', async (t) => {
  const innermost = await makeTar([['kubelet.log', 'deep']]);
  const inner = gzipSync(
    await makeTar([
      ['containerd.log', 'inner'],
      ['deeper.tar', innermost],
    ]),
  );
  const outer = gzipSync(
    await makeTar([
      ['kubelet.log', 'outer'],
      ['nested/inner.tar.gz', inner],
    ]),
  );
  const { inputs, notChecked } = await collect(t, [join(folderWith(t, { 'outer.tgz': outer }), 'outer.tgz')]);
  assert.deepEqual(namesOf(inputs), ['outer.tgz!nested/inner.tar.gz!containerd.log', 'outer.tgz!kubelet.log']);
  assert.equal(await textOf(inputs[0]), 'inner');
  assert.deepEqual(notChecked, [
    { what: 'outer.tgz!nested/inner.tar.gz!deeper.tar', code: 'nested-too-deep', detail: '' },
  ]);
});

test('an archive without logs says so', async (t) => {
  const { inputs, notChecked } = await collect(t, [
    join(folderWith(t, { 'a.tar': await makeTar([['x.bin', Buffer.alloc(100)]]) }), 'a.tar'),
  ]);
  assert.equal(inputs.length, 0);
  assert.deepEqual(codesOf(notChecked), ['binary', 'no-logs']);
});

test('clean-up removes what was unpacked', async (t) => {
  const folder = folderWith(t, { 'b.tar': await makeTar([['kubelet.log', 'x']]) });
  const opened: string[] = [];
  const live = createHost();
  const host = {
    ...live,
    openPrivateFolder() {
      const made = live.openPrivateFolder();
      opened.push(made.path);
      return made;
    },
  };
  const { cleanup } = await collect(t, [join(folder, 'b.tar')], { host });
  assert.equal(existsSync(opened[0]!), true);
  await cleanup();
  assert.equal(existsSync(opened[0]!), false);
});

for (const { signal, end } of [
  { signal: 'SIGINT', end: 130 },
  { signal: 'SIGTERM', end: 143 },
] as const)
  test(`nothing unpacked is left after ${signal}`, async (t) => {
    const folder = folderWith(t, { 'b.tar': await makeTar([['kubelet.log', 'x']]) });
    const temp = join(folder, 'temp');
    mkdirSync(temp);
    const script = `
      import { createHost } from '${ROOT}/src/host/create-host.ts';
      import { collectInputs } from '${ROOT}/src/sources/capture/collect-inputs.ts';
      import { TABLE } from '${ROOT}/test/sources/support.ts';
      await collectInputs(['${folder}/b.tar'], { host: createHost(), table: TABLE });
      console.log('unpacked');
      setTimeout(() => {}, 60_000);`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      env: { TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    assert.equal(readdirSync(temp).length, 1);
    child.kill(signal);
    assert.equal(await ended, end);
    assert.deepEqual(readdirSync(temp), []);
  });

test('a temporary folder that cannot be written is noted; plain files are still read', async (t) => {
  const folder = folderWith(t, { 'b.tar': await makeTar([['kubelet.log', 'x']]), 'kubelet.log': 'plain' });
  writeFileSync(join(folder, 'no-folder'), '');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(folder, 'no-folder');
  t.after(() => (before === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = before)));
  const { inputs, notChecked } = await collect(t, [join(folder, 'b.tar'), join(folder, 'kubelet.log')]);
  assert.equal(await textOf(inputs[0]), 'plain');
  assert.deepEqual(codesOf(notChecked), ['temporary-folder']);
});

const TWO_PARTS = [
  ['two archives in one', (first: Buffer, second: Buffer) => Buffer.concat([first, second]), ['a.log']],
  [
    'two archives in one, compressed',
    (first: Buffer, second: Buffer) => gzipSync(Buffer.concat([first, second])),
    ['a.log'],
  ],
  [
    'two compressed archives in one',
    (first: Buffer, second: Buffer) => Buffer.concat([gzipSync(first), gzipSync(second)]),
    ['a.log'],
  ],
] as const;

for (const [what, pack, members] of TWO_PARTS)
  test(`${what}: the first is read, and that there is more is said`, async (t) => {
    const [first, second] = await Promise.all([makeTar([['a.log', 'first\n']]), makeTar([['b.log', 'second\n']])]);
    const folder = folderWith(t, { 'two.tar.gz': pack(first, second) });
    const { inputs, notChecked } = await collect(t, [join(folder, 'two.tar.gz')]);
    assert.deepEqual(
      namesOf(inputs).map((name) => name.replace(/.*!/, '')),
      members,
    );
    assert.deepEqual(codesOf(notChecked), ['followed']);
  });

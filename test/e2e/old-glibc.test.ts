// The flavour for Amazon Linux 2 brings its own loader and C library: it runs where there is none at all, beside an older one its
// children use that, and names are looked up as the host's nsswitch.conf says, by the host's own modules.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { installedBinary } from '../../build/base-binary.ts';
import { hostArch, projectVersion, ROOT } from '../../build/project.ts';
import { FLAVOURS } from '../../build/release/flavours.ts';
import { INSTALL_FOLDER, usePrivateLoader } from '../../build/release/private-loader.ts';
import { contentOf, layOutRelease } from '../../build/release/release-folder.ts';
import { run } from '../../build/run.ts';
import { CACHE } from './base-rootfs.ts';

/** The oldest Debian that is still to be had: glibc 2.31. */
const OLD = { suite: 'bullseye', packages: 'libc6,libc-bin,dash,libnss-myhostname' };
const OLD_ROOT = join(CACHE, `glibc-${OLD.suite}`);
const PROGRAM = `${INSTALL_FOLDER}/bin/eks-bootstrap-analyzer`;
const HOST_NAME = 'old-machine';
/** Looks up a name as the AWS SDK does; for `dns` it is the name server too, and answers 192.0.2.9 to all. */
const LOOK_UP = `
const server = require('dgram').createSocket('udp4').bind(53, '127.0.0.1', () =>
  require('dns').lookup(process.argv[1], { family: 4 }, (error, address) => {
    console.log(error ? 'none' : address);
    process.exit();
  }),
);
server.on('message', (query, { port }) => {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.fill(0, 6);
  head.writeUInt16BE(1, 6);
  server.send(Buffer.concat([head, query.subarray(12, end), Buffer.from('c00c00010001000000050004c0000209', 'hex')]), port);
});`;
/** Says which C library it, and the process that started it, have mapped. */
const CHILD = `#!/bin/dash
for who in $PPID $$; do
  while read -r _ _ _ _ _ file; do
    case $file in */libc.so* | */libc-*) echo "$file"; break ;; esac
  done </proc/$who/maps
done >/seen
echo "\${LD_LIBRARY_PATH-} \${LD_PRELOAD-}" >>/seen
exit 1
`;

const reason = hostArch() === 'x64' ? await makeOldRoot() : 'it is for x64';

describe('a release with a loader of its own', { skip: reason ?? false }, () => {
  const work = join(CACHE, `old-glibc-test-${process.pid}`);
  const [empty, old] = [join(work, 'empty'), join(work, 'old')];

  before(async () => {
    const flavour = FLAVOURS.find(({ glibc }) => glibc === null)!;
    mkdirSync(join(empty, 'proc'), { recursive: true });
    mkdirSync(join(empty, dirname(INSTALL_FOLDER)));
    await layOutRelease(contentOf(flavour, projectVersion()), join(empty, INSTALL_FOLDER));
    await run('cp', ['-a', OLD_ROOT, old], '/');
    await run('cp', ['-al', join(empty, INSTALL_FOLDER), join(old, 'opt')], '/');
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  /** With no more than /proc mounted, in namespaces of its own. */
  async function inside(
    root: string,
    ...command: readonly string[]
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const script = `ip link set lo up; hostname ${HOST_NAME}; mount -t proc proc "$1/proc"; shift; exec env -i "$@"`;
    const own = [
      '--mount',
      '--pid',
      '--fork',
      '--net',
      '--uts',
      'sh',
      '-c',
      script,
      '-',
      root,
      '/usr/sbin/chroot',
      root,
    ];
    return promisify(execFile)('unshare', [...own, ...command]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  }

  test('runs in a root that holds nothing else, and finds a cause', async () => {
    const { stdout, stderr } = await inside(empty, PROGRAM, '--version');
    assert.deepEqual({ stdout, stderr }, { stdout: `${projectVersion()}\n`, stderr: '' });
    cpSync(join(ROOT, 'test/scenarios/al2-ecr-login-hang/capture'), join(empty, 'capture'), { recursive: true });
    const { code, stdout: verdict } = await inside(empty, PROGRAM, 'analyze', '/capture', '--format', 'json');
    assert.equal(code, 11);
    assert.equal((JSON.parse(verdict) as { cause: { id: string } }).cause.id, 'ecr-login-hang');
  });

  test('it starts itself again, whatever it is called and whether the kernel or its loader started it', async () => {
    const renamed = join(dirname(PROGRAM), 'eba');
    await run('cp', ['-al', join(empty, PROGRAM), join(empty, renamed)], '/');
    for (const capture of ['one', 'two'])
      cpSync(join(ROOT, 'test/scenarios/al2-ecr-login-hang/capture'), join(empty, 'captures', capture), {
        recursive: true,
      });
    const answers: string[] = [];
    for (const command of [[PROGRAM], [renamed], [`${INSTALL_FOLDER}/lib/ld-linux-x86-64.so.2`, PROGRAM]]) {
      const { code, stdout } = await inside(
        empty,
        ...command,
        'analyze',
        '--each',
        '/captures',
        '--jobs',
        '2',
        '--format',
        'json',
      );
      assert.equal(code, 11);
      answers.push(stdout);
    }
    assert.match(answers[0]!, /"causes":\[\{"id":"ecr-login-hang".*"count":2\}\]/);
    assert.deepEqual(answers.slice(1), [answers[0], answers[0]]);
  });

  test('its children use the C library of the host, and no variable tells them otherwise', async () => {
    // Node opens it for what a child does not get; systemd is asked where it runs.
    await run('sh', ['-c', 'mkdir -p dev run/systemd/system && mknod -m 0666 dev/null c 1 3'], old);
    for (const name of ['journalctl', 'systemctl']) writeFileSync(join(old, 'usr/bin', name), CHILD, { mode: 0o755 });
    await inside(old, PROGRAM, 'diagnose', '--probe', 'all');
    assert.deepEqual((await run('cat', [join(old, 'seen')], '/')).split('\n'), [
      `${INSTALL_FOLDER}/lib/libc.so.6`,
      '/lib/x86_64-linux-gnu/libc-2.31.so',
      ' ',
      '',
    ]);
  });

  test('names are looked up as nsswitch.conf says, by a module of the host', async () => {
    const node = join(old, INSTALL_FOLDER, 'bin/node');
    copyFileSync(installedBinary(), node);
    chmodSync(node, 0o755);
    await usePrivateLoader(node, INSTALL_FOLDER);
    writeFileSync(join(old, 'etc/hosts'), '192.0.2.7 in-hosts\n');
    writeFileSync(join(old, 'etc/resolv.conf'), 'nameserver 127.0.0.1\noptions attempts:1 timeout:1\n');
    // Where Amazon Linux has it: found by the cache of the host's own ldconfig alone.
    await run(
      'sh',
      ['-c', `mkdir -p usr/lib64 && mv usr/lib/*/libnss_myhostname.so.2 usr/lib64 && echo /usr/lib64 >>etc/ld.so.conf`],
      old,
    );
    await run('chroot', [old, '/sbin/ldconfig'], '/');
    const found: Record<string, Record<string, string>> = {};
    for (const service of ['files', 'myhostname', 'dns'])
      for (const name of ['in-hosts', HOST_NAME, 'in.dns.example.com']) {
        writeFileSync(join(old, 'etc/nsswitch.conf'), `hosts: ${service}\n`);
        const { stdout, stderr } = await inside(old, `${INSTALL_FOLDER}/bin/node`, '--eval', LOOK_UP, name);
        (found[service] ??= {})[name] = stdout.trim() + stderr;
      }
    assert.deepEqual(found, {
      files: { 'in-hosts': '192.0.2.7', [HOST_NAME]: 'none', 'in.dns.example.com': 'none' },
      myhostname: { 'in-hosts': 'none', [HOST_NAME]: '127.0.0.2', 'in.dns.example.com': 'none' },
      dns: { 'in-hosts': '192.0.2.9', [HOST_NAME]: '192.0.2.9', 'in.dns.example.com': '192.0.2.9' },
    });
  });
});

/** Null if it is there, else why it cannot be. */
async function makeOldRoot(): Promise<string | null> {
  if (existsSync(OLD_ROOT)) return null;
  const part = `${OLD_ROOT}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    const what = ['--variant=extract', '--architectures=amd64', `--include=${OLD.packages}`];
    await run('mmdebstrap', ['--quiet', ...what, OLD.suite, `${part}.tar`], '/');
    const parts = ['./etc', './bin', './sbin', './lib', './lib64', './usr/bin', './usr/lib'];
    await run('tar', ['-xf', `${part}.tar`, '-C', part, '--exclude=gconv', ...parts], '/');
    for (const folder of ['proc', 'opt']) mkdirSync(join(part, folder));
    renameSync(part, OLD_ROOT);
    return null;
  } catch (error) {
    return existsSync(OLD_ROOT) ? null : `Debian ${OLD.suite} cannot be had: ${(error as Error).message}`;
  } finally {
    rmSync(`${part}.tar`, { force: true });
    rmSync(part, { recursive: true, force: true });
  }
}

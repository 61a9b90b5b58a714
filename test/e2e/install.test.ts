// The installer on a node: what it puts there, what it refuses, and that whatever fails leaves the installed version running.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { makeAuthority, makeServer } from '../host/certificates.ts';
import { bootNode, type TestNode } from './node.ts';
import { HTTP_PORT, HTTPS_PORT, INSIDE_HOST, PROXY_PORT, RELEASE_HOST } from './release-places.ts';
import { HERE, type Packed, packSmallRelease } from './small-release.ts';
import { until } from './until.ts';

const UNIT = 'eks-bootstrap-analyzer.service';
const FOLDER = '/opt/eks-bootstrap-analyzer';
const SERVER = `https://${RELEASE_HOST}:${HTTPS_PORT}`;
const OTHER_MACHINE = HERE.machine === 'x86_64' ? 'aarch64' : 'x86_64';
const CA = '/etc/company-ca.pem';
/** A machine's console is a device; the one of these nodes is a link to one. */
const REAL_CONSOLE =
  'device=$(readlink -f /dev/console); rm /dev/console; touch /dev/console; mount --bind $device /dev/console';
/** In place of the pauses between tries. */
const NO_PAUSE = { text: '#!/bin/sh\necho "$1" >>/run/pauses\n', mode: 0o755 };
/** What the AWS CLI would be asked to do; it does it from /srv. */
const AWS = { text: '#!/bin/sh\necho "$*" >/run/aws-was-asked\ncp /srv/"${6##*/}" "$7"\n', mode: 0o755 };

describe('install.sh', () => {
  let node: TestNode;
  let requests: () => string[];
  const packed: Record<string, Packed> = {};
  const cleanups: (() => void)[] = [];

  before(async () => {
    const t = { after: (cleanup: () => void) => void cleanups.push(cleanup) } as TestContext;
    const served = join(tempFolder(t, {}), 'served');
    mkdirSync(served);
    for (const [version, more] of Object.entries({
      '1.0.0': {},
      '1.1.0': {},
      '2.0.0-other': { machine: OTHER_MACHINE },
      '2.0.0-new': { glibc: '9.9' },
      '2.0.0-bad': { tried: 'echo "cannot do that" >&2; exit 1' },
    }))
      packed[version] = await packSmallRelease(served, { version, ...more });
    copyFileSync(join(ROOT, 'deploy/install.sh'), join(served, 'install.sh'));
    const authority = makeAuthority('Company CA');
    const server = makeServer(authority, 'Company CA', [RELEASE_HOST, INSIDE_HOST]);
    const config = join(tempFolder(t, {}), 'server.json');
    writeFileSync(config, JSON.stringify({ ...server, folder: served }));
    node = await bootNode({
      files: {
        '/etc/hosts': `127.0.0.1 localhost ${RELEASE_HOST}\n`,
        [CA]: authority.cert,
        '/stubs/pause/sleep': NO_PAUSE,
        '/stubs/aws/aws': AWS,
      },
      binds: { '/srv': served, '/usr/local/sbin/zstd': '/usr/bin/zstd', '/usr/local/sbin/xz': '/usr/bin/xz' },
    });
    await node.shell(REAL_CONSOLE);
    const child = node.beside(process.execPath, [join(import.meta.dirname, 'release-server.ts'), config]);
    await child.line((text) => text === 'listening', 20_000);
    cleanups.push(() => void child.stop());
    requests = () => child.stdout.slice(1).map(({ text }) => text);
  });
  after(async () => {
    cleanups.toReversed().forEach((cleanup) => cleanup());
    await node?.[Symbol.asyncDispose]();
  });

  interface Ran {
    readonly code: number;
    readonly said: string;
  }

  /** With the company's CA in the environment, and no pauses between tries. */
  async function install(args: string, { environment = '', shell = 'sh' } = {}): Promise<Ran> {
    const { code, stdout, stderr } = await node.exec(
      '/bin/sh',
      [
        '-c',
        `PATH=/stubs/pause:$PATH CURL_CA_BUNDLE=${CA}; export PATH CURL_CA_BUNDLE; ${environment} exec ${shell} /srv/install.sh ${args}`,
      ],
      { codes: null },
    );
    return { code, said: stdout + stderr };
  }

  const archiveOf = (version: string, form: keyof Packed['sums'] = 'gz'): string =>
    `${packed[version]!.name}.tar.${form} --sha256 ${packed[version]!.sums[form]}`;

  async function assertRefused(args: string, reason: RegExp, environment = ''): Promise<void> {
    const was = await state();
    const { code, said } = await install(args, { environment });
    assert.equal(code, 1, said);
    assert.match(said, /^eks-bootstrap-analyzer: [^\n]+\n$/, 'one line');
    assert.match(said, reason);
    assert.deepEqual(await state(), was);
  }

  /** What is installed, what runs, and all that stands in /opt. */
  async function state(): Promise<{ version: string; process: string; folders: string[] }> {
    const [version = '', process = '', ...folders] = (
      await node.shell(
        `sed -n s/^version=//p ${FOLDER}/release 2>/dev/null || echo none; systemctl show --value -p MainPID ${UNIT}; ls -A /opt`,
      )
    ).split('\n');
    return { version, process, folders };
  }

  async function assertInstalled(version: string): Promise<void> {
    const now = await state();
    assert.equal(now.version, version);
    assert.equal(now.folders.length, 2, `one version and the link to it: ${now.folders.join(' ')}`);
  }

  test('refuses what it was not made for, in one line', async () => {
    const sum = '0'.repeat(64);
    await assertRefused(`--from http://${RELEASE_HOST}:${HTTP_PORT}/x --sha256 ${sum}`, /not http:\/\//);
    await assertRefused(`--from ftp://${RELEASE_HOST}/x --sha256 ${sum}`, /not ftp:\/\//);
    await assertRefused(`--from '${SERVER}/a b' --sha256 ${sum}`, /blank/);
    await assertRefused('--from /srv/x', /--sha256 takes 64 hexadecimal digits/);
    await assertRefused(`--from /srv/x --sha256 ${sum}0`, /64 hexadecimal digits/);
    await assertRefused(`--sha256 ${sum}`, /--from is missing/);
    await assertRefused(`--from /srv/none --sha256 ${sum}`, /no file \/srv\/none/);
    await assertRefused('--frm x', /no option --frm/);
    await assertRefused('--purge', /goes with --uninstall/);
    await assertRefused('--from', /--from needs a value/);
  });

  test('a part of it does nothing', async () => {
    const was = await state();
    const text = readFileSync(join(ROOT, 'deploy/install.sh'), 'utf8').trimEnd();
    for (const share of [0.3, 0.6, 0.9, 0.99]) {
      const { code } = await node.exec(
        '/bin/sh',
        [
          '-c',
          `head -c ${Math.floor(text.length * share)} /srv/install.sh | sh -s -- --from /srv/${archiveOf('1.0.0')}`,
        ],
        { codes: null },
      );
      assert.ok(share < 0.9 || code !== 0, String(share));
    }
    assert.deepEqual(await state(), was);
  });

  test('puts a version there whole, and enables the unit without starting it', async () => {
    assert.deepEqual(await install(`--from /srv/${archiveOf('1.0.0')}`), {
      code: 0,
      said: 'eks-bootstrap-analyzer: version 1.0.0 is installed\n',
    });
    await assertInstalled('1.0.0');
    assert.equal(
      await node.shell(
        `systemctl is-enabled ${UNIT}; systemctl is-active ${UNIT}; readlink /usr/local/bin/eks-bootstrap-analyzer;` +
          ` stat -Lc '%a %U:%G' ${FOLDER} ${FOLDER}/bin/eks-bootstrap-analyzer /etc/systemd/system/${UNIT} /var/log/eks-bootstrap-analyzer`,
        { codes: null },
      ),
      `enabled\ninactive\n${FOLDER}/bin/eks-bootstrap-analyzer\n755 root:root\n755 root:root\n644 root:root\n700 root:root`,
    );
  });

  test('does nothing a second time, and keeps what somebody disabled', async () => {
    await node.shell(`systemctl disable ${UNIT}`);
    const was = await state();
    const asked = requests().length;
    assert.equal((await install(`--from ${SERVER}/${archiveOf('1.0.0')}`)).code, 0);
    assert.deepEqual(await state(), was);
    assert.equal(requests().length, asked, 'nothing is fetched');
    assert.equal(await node.shell(`systemctl is-enabled ${UNIT}`, { codes: null }), 'disabled');
    await node.shell(`systemctl enable ${UNIT}`);
  });

  test('makes good what was damaged', async () => {
    await node.shell(`echo x >>${FOLDER}/bin/eks-bootstrap-analyzer`);
    assert.equal((await install(`--from /srv/${archiveOf('1.0.0')}`)).code, 0);
    await node.shell(`cd ${FOLDER} && sha256sum --check --status SHA256SUMS`);
    await assertInstalled('1.0.0');
  });

  test('starts it with --now, once', async () => {
    assert.equal((await install(`--from /srv/${archiveOf('1.0.0')} --now`)).code, 0);
    const { process } = await state();
    assert.notEqual(process, '0');
    assert.equal((await install(`--from /srv/${archiveOf('1.0.0')} --now`)).code, 0);
    assert.equal((await state()).process, process);
  });

  test('whatever fails leaves the version that runs', async () => {
    const { name, sums } = packed['1.1.0']!;
    await assertRefused(`--from ${SERVER}/${name}.tar.gz --sha256 ${'0'.repeat(64)}`, /does not have the SHA-256/);
    await assertRefused(`--from /srv/${archiveOf('2.0.0-other')}`, new RegExp(`is for ${OTHER_MACHINE}`));
    await assertRefused(`--from /srv/${archiveOf('2.0.0-new')}`, /needs glibc 9\.9, and this machine has 2\.\d+: take/);
    await assertRefused(`--from /srv/${archiveOf('2.0.0-bad')}`, /does not run on this machine: cannot do that/);
    const query = `?X-Amz-Signature=abcdef --sha256 ${sums.gz}`;
    await assertRefused(`--from '${SERVER}/missing${query.replace(' ', "' ")}`, /\/missing \(1 of 6 tries\): [^?]*404/);
    await assertRefused(
      `--from ${SERVER}/to/http/${archiveOf('1.1.0')}`,
      /\(1 of 6 tries\): .*http.*(?:disabled|not supported)/,
    );
    await assertRefused(`--from ${SERVER}/loop --sha256 ${sums.gz}`, /redirect/);
    await assertRefused(`--from https://localhost:${HTTPS_PORT}/${archiveOf('1.1.0')}`, /certificate|SSL/);
    const installSum = (await node.shell('sha256sum /srv/install.sh')).slice(0, 64);
    await assertRefused(`--from /srv/install.sh --sha256 ${installSum}`, /is no \.tar\.zst/);
  });

  test('a disk that is full or runs no programs is told, and left clean', async () => {
    for (const [options, reason] of [
      ['size=16k', /cannot|No space/],
      ['size=4m,noexec', /does not run on this machine: .*denied/],
    ] as const) {
      await node.shell(`mount -t tmpfs -o ${options} tmpfs /opt`);
      try {
        await assertRefused(`--from /srv/${archiveOf('1.1.0')}`, reason);
      } finally {
        await node.shell('umount /opt');
      }
    }
  });

  test('goes on where a download was cut, at most six times, and begins again where a server cannot', async () => {
    const from = requests().length;
    assert.equal((await install(`--from ${SERVER}/cut/${archiveOf('1.1.0')}`)).code, 0);
    const [first, second, ...more] = requests().slice(from);
    assert.match(first!, / -$/);
    assert.match(second!, / bytes=\d{3,}-$/);
    assert.deepEqual(more, []);
    await assertInstalled('1.1.0');

    assert.equal((await install(`--from ${SERVER}/whole/${archiveOf('1.0.0')}`)).code, 0);
    await assertInstalled('1.0.0');

    await node.shell('rm /run/pauses');
    const before = requests().length;
    await assertRefused(`--from ${SERVER}/broken --sha256 ${'0'.repeat(64)}`, /\(6 of 6 tries\): .*500/);
    assert.equal(requests().length - before, 6);
    assert.equal(await node.shell('cat /run/pauses'), '1\n2\n4\n8\n16');
  });

  test('takes each form of the archive, from a redirect by https too, by bash too', async () => {
    for (const [from, shell] of [
      [`${SERVER}/to/https/${archiveOf('1.1.0', 'zst')}`, 'sh'],
      [`/srv/${archiveOf('1.0.0', 'xz')}`, 'bash'],
    ] as const) {
      const { code, said } = await install(`--from ${from}`, { shell });
      assert.equal(code, 0, said);
    }
    await assertInstalled('1.0.0');
    await assertRefused(
      `--from /srv/${archiveOf('1.1.0', 'zst')}`,
      /zstd is not installed here, take the \.tar\.gz/,
      'PATH=/usr/bin:/bin',
    );
  });

  test('goes by a proxy, and trusts the CA that the environment names', async () => {
    const inside = (version: string): string => `https://${INSIDE_HOST}:${HTTPS_PORT}/${archiveOf(version)}`;
    const before = requests().length;
    const proxy = `https_proxy=http://localhost:${PROXY_PORT}`;
    assert.equal((await install(`--from ${inside('1.1.0')}`, { environment: proxy })).code, 0);
    assert.equal(requests()[before], `CONNECT ${INSIDE_HOST}:${HTTPS_PORT}`);
    await assertInstalled('1.1.0');
    await assertRefused(`--from ${inside('1.0.0')}`, /certificate/, `${proxy} CURL_CA_BUNDLE=`);
  });

  test('fetches from S3 as the role of the node', async () => {
    await assertRefused(
      `--from s3://bucket/${archiveOf('1.0.0')}`,
      /aws is not installed here, s3:\/\/ needs the AWS CLI/,
    );
    const environment = 'PATH=/stubs/aws:$PATH AWS_REGION=eu-central-1';
    assert.equal((await install(`--from s3://bucket/a/${archiveOf('1.0.0')}`, { environment })).code, 0);
    await assertInstalled('1.0.0');
    assert.match(
      await node.shell('cat /run/aws-was-asked'),
      /^--region eu-central-1 s3 cp --only-show-errors s3:\/\/bucket\/a\/\S+ \/opt\/\S+$/,
    );
  });

  test('an upgrade with --now runs the new version, and takes away what a power cut left', async () => {
    const { process } = await state();
    await node.shell('mkdir /opt/.eks-bootstrap-analyzer-stage.abcdef');
    assert.equal((await install(`--from /srv/${archiveOf('1.1.0')} --now`)).code, 0);
    await assertInstalled('1.1.0');
    const pid = (await state()).process;
    assert.notEqual(pid, process);
    assert.equal(await node.shell(`systemctl is-active ${UNIT}`), 'active');
  });

  test('ended in the middle it leaves nothing', async () => {
    const was = await state();
    const child = node.start('/bin/sh', [
      '-c',
      `CURL_CA_BUNDLE=${CA} exec sh /srv/install.sh --from ${SERVER}/silent --sha256 ${'0'.repeat(64)}`,
    ]);
    await until('the request', 10_000, () => requests().at(-1)?.startsWith('GET /silent') ?? false);
    await node.shell('pkill -TERM curl; pkill -TERM -f /srv/install.sh', { codes: null });
    assert.equal(await child.ended, 1);
    assert.deepEqual(await state(), was);
  });

  test('for user data it always succeeds, says nothing, and has one line for the console when it did not start', async () => {
    const console = (): string[] =>
      node
        .console()
        .split('\n')
        .filter((line) => line.includes('eks-bootstrap-analyzer'));
    const before = console().length;
    assert.deepEqual(await install(`--from /srv/${archiveOf('1.0.0')} --user-data`), { code: 0, said: '' });
    await assertInstalled('1.0.0');
    assert.equal(await node.shell(`systemctl is-active ${UNIT}`), 'active');
    assert.equal(console().length, before);
    assert.deepEqual(await install(`--user-data --from /srv/none --sha256 ${'0'.repeat(64)}`), { code: 0, said: '' });
    await until('the line on the console', 5_000, () => console().length > before);
    assert.deepEqual(
      console()
        .slice(before)
        .map((line) => line.trim().replace(/^.* login: /, '')),
      ['eks-bootstrap-analyzer: not started: there is no file /srv/none'],
    );
  });

  test('takes the place of one that user data made for this boot, and removes that too', async () => {
    const transient = `systemd-run --unit=${UNIT} --collect sleep infinity`;
    await node.shell(`sh /srv/install.sh --uninstall --purge && ${transient}`);
    await assertRefused(`--from /srv/${archiveOf('1.0.0')}`, /user data started one .* --now/);
    const { code, said } = await install(`--from /srv/${archiveOf('1.0.0')} --now`);
    assert.equal(code, 0, said);
    assert.equal(
      await node.shell(`systemctl show --value -p FragmentPath ${UNIT}; systemctl is-active ${UNIT}`),
      `/etc/systemd/system/${UNIT}\nactive`,
    );
    await node.shell(`sh /srv/install.sh --uninstall && ${transient} && sh /srv/install.sh --uninstall`);
    assert.equal(await node.shell(`systemctl is-active ${UNIT}`, { codes: null }), 'inactive');
  });

  test('where a package has it, it changes nothing', async () => {
    await node.shell(`mkdir ${FOLDER}`);
    try {
      await assertRefused(`--from /srv/${archiveOf('1.0.0')}`, /a package has installed it/);
      await assertRefused('--uninstall', /a package has installed it/);
    } finally {
      await node.shell(`rmdir ${FOLDER}`);
    }
  });

  test('the removal leaves nothing but verdicts, and with --purge nothing', async () => {
    const left =
      'find / -xdev -name "*eks-bootstrap-analyzer*" ! -path "/proc/*" ! -path "/srv/*" ! -path "/usr/local/sbin/*" | sort';
    await node.shell('sh /srv/install.sh --uninstall --purge');
    assert.equal(await node.shell(left), '');
    const all = 'find /opt /usr /etc /var/lib/systemd ! -name "*.timer" | sort';
    const before = await node.shell(all);
    assert.equal((await install(`--from /srv/${archiveOf('1.0.0')} --now`)).code, 0);
    await node.shell(
      'cd /var/lib/eks-bootstrap-analyzer && mkdir spool && touch state spool/1; touch /var/log/eks-bootstrap-analyzer/verdicts.jsonl',
    );
    await node.shell(`sh ${FOLDER}/install.sh --uninstall`);
    assert.equal(await node.shell(all), before);
    assert.equal(await node.shell(left), '/var/lib/eks-bootstrap-analyzer\n/var/log/eks-bootstrap-analyzer');
    assert.equal(await node.shell('cd /var/lib/eks-bootstrap-analyzer; find . | sort'), '.\n./spool\n./spool/1');
    await node.shell('sh /srv/install.sh --uninstall --purge');
    assert.equal(await node.shell(left), '');
  });
});

// The user data that users copy, as a part of what Karpenter makes of it, run by a real cloud-init: on a node whose image has no analyzer it
// brings one, and whatever goes wrong, the boot's next part begins as if it were not there.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { contentOf, layOutRelease, writeSums } from '../../build/release/release-folder.ts';
import { NAME, ROOT } from '../../build/project.ts';
import { run } from '../../build/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { makeAuthority, makeServer } from '../host/certificates.ts';
import { bootNode, EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { HTTPS_PORT, RELEASE_HOST } from './release-places.ts';
import { al2023, CONFIGURED, RAN } from './shapes/al2023.ts';
import { ANALYZER } from './shapes/analyzer.ts';
import { seed } from './shapes/cloud-init.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED } from './shapes/kubelet.ts';
import { HERE, layOutSmallRelease } from './small-release.ts';
import { until } from './until.ts';
import { verdictLike } from './verdicts.ts';
import { endpointOf } from './vpc.ts';

const HOST = endpointOf('s3');
const VERSION = '1.0.0';
const RELEASE = `${NAME}-${VERSION}-${HERE.name}`;
const ARCHIVE = `${RELEASE}.tar.gz`;
const CA = '/etc/company-ca.pem';
const INSTALLER = 'eks-bootstrap-analyzer-install.service';
const INSTALL_LIMIT_MS = 30_000;
const VERDICT_LIMIT_MS = 60_000;
const COST_SECONDS = 1;
const LINES_MAX = 20;
/** In place of the pauses between attempts. */
const NO_PAUSE = {
  '/stubs/sleep': { text: '#!/bin/sh\necho "$1" >>/run/pauses\n', mode: 0o755 },
  [`/etc/systemd/system/${INSTALLER}.d/path.conf`]: '[Service]\nEnvironment=PATH=/stubs:/usr/bin:/bin\n',
};

interface Given {
  readonly from?: string;
  readonly sum: string;
  readonly options?: string;
  readonly more?: NodeOptions['vpc'];
  readonly files?: NodeOptions['files'];
  readonly links?: NodeOptions['links'];
}

/** As Karpenter merges it: its own NodeConfig is the last part. The two clocks tell what ours costs. */
function userData({ from = `https://${HOST}/bucket`, sum, options = '' }: Given): string {
  const ours = readFileSync(join(ROOT, 'deploy/user-data.sh'), 'utf8')
    .replace(/^FROM=.*$/m, `export CURL_CA_BUNDLE=${from.includes(RELEASE_HOST) ? CA : ''}\nFROM=${from}`)
    .replace(/^VERSION=.*$/m, `VERSION=${VERSION}`)
    .replace(/^OPTIONS=.*$/m, `OPTIONS='${options}'`)
    .replaceAll(/^(?<name>SHA256_\w+)=.*$/gm, `$<name>=${sum}`);
  const clock = (name: string): string => `#!/bin/sh\ncut -d ' ' -f 1 /proc/uptime >/run/${name}\n`;
  const parts = [
    ...[clock('before'), ours, clock('after')].map(
      (text) => `Content-Type: text/x-shellscript; charset="us-ascii"\n\n${text}`,
    ),
    'Content-Type: application/node.eks.aws\n\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n',
  ];
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n${parts.map((part) => `--//\n${part}\n`).join('')}--//--\n`;
}

function node(given: Given): NodeOptions {
  const kubelet = `${STARTED}\nsleep 3\n${REGISTERED}\n${CNI_READY}\n${READY}${RUNS_ON}`;
  const shape = al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet }, seed(userData(given)));
  return {
    ...shape,
    files: { ...shape.files, ...given.files },
    links: { ...shape.links, ...given.links },
    vpc: { node: { status: 200, isReady: true }, ...given.more },
  };
}

describe('user data', { concurrency: 3 }, () => {
  const cleanups: (() => void)[] = [];
  const t = { after: (cleanup: () => void) => void cleanups.push(cleanup) } as TestContext;
  const authority = makeAuthority('Company CA');
  let served: string;
  let small: string;

  before(async () => {
    served = join(tempFolder(t, {}), 'served');
    mkdirSync(served);
    // Of a size that shows its speed: as much again in random bytes as a second brings at 150 KB/s, three times over.
    const folder = await layOutSmallRelease(tempFolder(t, {}), { version: VERSION });
    writeFileSync(join(folder, 'padding'), randomBytes(450_000));
    await writeSums(folder);
    small = await pack(folder, join(served, ARCHIVE));
  });
  after(() => cleanups.toReversed().forEach((cleanup) => cleanup()));

  async function serve(booted: TestNode): Promise<() => string[]> {
    const config = join(tempFolder(t, {}), 'server.json');
    writeFileSync(config, JSON.stringify({ ...makeServer(authority, 'Company CA', [RELEASE_HOST]), folder: served }));
    const child = booted.beside(process.execPath, [join(import.meta.dirname, 'release-server.ts'), config]);
    cleanups.push(() => void child.stop());
    await child.line((text) => text === 'listening', 20_000);
    return () => child.stdout.slice(1).map(({ text }) => text);
  }

  const fromServer = (path: string): Pick<Given, 'from' | 'sum' | 'files'> => ({
    from: `https://${RELEASE_HOST}:${HTTPS_PORT}/${path}`,
    sum: small,
    files: { [CA]: authority.cert, '/etc/hosts': `127.0.0.1 localhost ${RELEASE_HOST}\n` },
  });

  test('brings the analyzer and runs it to its final verdict', async () => {
    const real = join(tempFolder(t, {}), 'release');
    await layOutRelease(contentOf(HERE, VERSION), real);
    const archive = join(tempFolder(t, {}), ARCHIVE);
    const given = { sum: await pack(real, archive), options: '--deadline 11m' };
    await using booted = await bootNode(node({ ...given, more: { bucket: { [`/bucket/${ARCHIVE}`]: archive } } }));
    await assertUndisturbed(booted);
    await isActive(booted, ANALYZER);
    await verdictLike(booted, { status: 'ready', cause: null, final: true }, VERDICT_LIMIT_MS);
    assert.match(await booted.shell(`systemctl show -p ExecStart ${ANALYZER}`), /argv\[\]=\S+ watch --deadline 11m ;/);
    assert.equal(
      await booted.shell(`stat -Lc '%a %U' ${EXECUTABLE_ON_NODE}; ls -A /opt | grep -c analyzer`),
      '755 root\n2',
    );
  });

  test('goes on where the download broke off, with pauses between', async () => {
    await using booted = await bootNode(node(fromServer('cut')));
    const requests = await serve(booted);
    await assertUndisturbed(booted);
    await isActive(booted, ANALYZER);
    assert.match(requests().join('\n'), /^GET \/cut\/\S+ -\nGET \/cut\/\S+ bytes=\d+-$/);
    assert.ok((await linesSaid(booted)).length <= LINES_MAX);
  });

  test('takes 150 KB/s as it comes', async () => {
    await using booted = await bootNode(node(fromServer('slow')));
    await serve(booted);
    await assertUndisturbed(booted);
    assert.equal(
      await booted.shell(`systemctl is-active ${INSTALLER}`),
      'active',
      'the boot is over before the download',
    );
    await isActive(booted, ANALYZER);
  });

  for (const [title, given, said] of [
    [
      'nothing that has another checksum',
      () => ({ sum: '0'.repeat(64), more: { bucket: { [`/bucket/${ARCHIVE}`]: join(served, ARCHIVE) } } }),
      `the checksum of https://${HOST}/bucket/${ARCHIVE} is not the expected one`,
    ],
    [
      'nothing where the server is down, after 6 attempts',
      () => {
        const { files, ...rest } = fromServer('down');
        return { ...rest, files: { ...files, ...NO_PAUSE } };
      },
      `cannot fetch https://${RELEASE_HOST}:${HTTPS_PORT}/down/${ARCHIVE} (6 attempts): curl: (7) `,
    ],
    [
      'nothing where there is no curl',
      () => ({ sum: small, links: { '/usr/bin/curl': '/nowhere' } }),
      'curl is not installed here',
    ],
    [
      'nothing by plain HTTP',
      () => ({ sum: small, from: `http://${HOST}/bucket` }),
      'FROM is neither https:// nor s3://',
    ],
    [
      'nothing with options that are more',
      () => ({ sum: small, options: '--deadline $(reboot)' }),
      'OPTIONS holds a character that watch has no use for',
    ],
  ] as const satisfies readonly (readonly [string, () => Given, string])[])
    test(`starts ${title}, and says so in one line`, async () => {
      await using booted = await bootNode(node(given()));
      await assertUndisturbed(booted);
      await isActive(booted, INSTALLER, 'inactive');
      const own = (await linesSaid(booted)).filter((line) => line.startsWith('eks-bootstrap-analyzer: '));
      assert.equal(own.length, 1, own.join('\n'));
      assert.ok(own[0]!.startsWith(`eks-bootstrap-analyzer: not started: ${said}`), own[0]);
      assert.ok((await linesSaid(booted)).length <= LINES_MAX);
      assert.equal(
        await booted.shell(
          'ls -A /opt /usr/local/bin /etc/systemd/system | grep -Ec "analyzer(-stage.*|[.]service.*)?$"',
          { codes: [0, 1] },
        ),
        '0',
      );
      if (title.includes('attempts')) assert.equal(await booted.shell('tr "\\n" " " </run/pauses'), '2 4 8 16 32 ');
    });

  test('does not hold up the boot where the download hangs', async () => {
    await using booted = await bootNode(node({ sum: small, more: { lost: [HOST] } }));
    await assertUndisturbed(booted);
    assert.equal(await booted.shell(`systemctl is-active ${INSTALLER}`), 'active');
  });

  test('runs without any property on a systemd that knows none of them', async () => {
    const old = '#!/bin/sh\ncase "$*" in *--collect*) exit 1 ;; esac\nexec /usr/bin/systemd-run "$@"\n';
    const files = { '/usr/local/sbin/systemd-run': { text: old, mode: 0o755 } };
    const more = { bucket: { [`/bucket/${ARCHIVE}`]: join(served, ARCHIVE) } };
    await using booted = await bootNode(node({ sum: small, files, more }));
    await assertUndisturbed(booted);
    await isActive(booted, ANALYZER);
  });

  test('leaves a node alone whose image has the unit', async () => {
    const unit = { [ANALYZER]: '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' };
    const options = node({ sum: small });
    await using booted = await bootNode({ ...options, units: { ...options.units, ...unit } });
    await assertUndisturbed(booted);
    assert.match(await booted.shell(`systemctl show -p ExecStart ${ANALYZER}`), /sleep infinity/);
  });
});

async function isActive(booted: TestNode, unit: string, state = 'active'): Promise<void> {
  const ask = async (): Promise<boolean> =>
    (await booted.shell(`systemctl is-active ${unit}`, { codes: null })) === state;
  await until(`${unit} ${state}`, INSTALL_LIMIT_MS, ask).catch(async (error: unknown) => {
    throw new Error(`${String(error)}; it said:\n${(await linesSaid(booted)).join('\n')}`);
  });
}

/** Gives the sum. */
async function pack(folder: string, archive: string): Promise<string> {
  await run('tar', ['-C', folder, '--transform', `s,^\\.,${RELEASE},`, '-I', 'gzip -1', '-cf', archive, '.'], '/');
  return createHash('sha256').update(readFileSync(archive)).digest('hex');
}

/** What the units of ours, and systemd of them, have in the journal. */
async function linesSaid(booted: TestNode): Promise<string[]> {
  const entries = await booted.journal(['-u', INSTALLER, '-u', ANALYZER]);
  return entries.map(({ MESSAGE }) => String(MESSAGE));
}

async function assertUndisturbed(booted: TestNode): Promise<void> {
  assert.equal(await booted.shell('systemctl is-system-running'), 'running');
  assert.equal(await booted.shell('systemctl is-active kubelet'), 'active');
  const [before, next] = (await booted.shell('cat /run/before /run/after')).split('\n').map(Number);
  assert.ok(next! - before! < COST_SECONDS, `the next part began ${(next! - before!).toFixed(2)} s later`);
  const told = await booted.shell('grep -ci analyzer /var/log/cloud-init-output.log', { codes: [0, 1] });
  assert.equal(told, '0', 'it prints nothing');
}

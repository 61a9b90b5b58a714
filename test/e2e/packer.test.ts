// The Packer snippet: read by a parser of HCL (python-hcl2; Packer itself is no package of a registry), and what it runs in the build
// played with stand-ins for sudo: nothing of an archive runs before its sum is checked.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT } from '../../build/project.ts';
import { run } from '../../build/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { prepareMoto } from './moto.ts';

interface Snippet {
  readonly variable: readonly object[];
  readonly build: readonly [{ readonly provisioner: readonly Readonly<Record<string, Provisioner>>[] }];
}

interface Provisioner {
  readonly destination?: string;
  readonly inline?: readonly string[];
}

const missing = await prepareMoto();
const SCRIPT = 'import hcl2, json, sys; print(json.dumps(hcl2.load(open(sys.argv[1]))))';

async function snippet(): Promise<Snippet> {
  const file = join(ROOT, 'deploy/packer.pkr.hcl');
  const { stdout } = await promisify(execFile)(join(DIST, 'moto/bin/python'), ['-c', SCRIPT, file]);
  // Some versions keep the quotes of names and texts.
  return JSON.parse(stdout, (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/^"(?<text>.*)"$/s, '$<text>') : value,
  ) as Snippet;
}

async function built(
  t: TestContext,
  sumOf: (archive: string) => string,
): Promise<{ status: number | null; ran: string }> {
  const folder = tempFolder(t, {
    'release/install.sh': 'echo never\n',
    'bin/sudo': '#!/bin/sh\necho "$*" >>"$RAN"\n',
    ran: '',
  });
  chmodSync(join(folder, 'bin/sudo'), 0o755);
  const archive = join(folder, 'eks-bootstrap-analyzer.tar.gz');
  await run('tar', ['-czf', archive, '-C', folder, 'release'], '/');
  const { build } = await snippet();
  const shell = build[0].provisioner.map((each) => each['shell'] ?? each['"shell"']).find((each) => each !== undefined);
  const script = shell!
    .inline!.join('\n')
    .replaceAll('${var.sha256}', sumOf(archive))
    .replaceAll('/tmp/', `${folder}/`);
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, RAN: join(folder, 'ran') };
  const { status } = spawnSync('sh', ['-c', script], { env });
  assert.equal(existsSync(join(folder, 'eks-bootstrap-analyzer/install.sh')), false);
  return { status, ran: readFileSync(join(folder, 'ran'), 'utf8').replaceAll(folder, '/tmp') };
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

test('it installs what has the sum, and checks the image', { skip: missing ?? false }, async (t) => {
  let sum = '';
  const { status, ran } = await built(t, (archive) => (sum = sha256(archive)));
  assert.equal(status, 0);
  assert.equal(
    ran,
    `sh /tmp/eks-bootstrap-analyzer/install.sh --from /tmp/eks-bootstrap-analyzer.tar.gz --sha256 ${sum}\neks-bootstrap-analyzer check-image\n`,
  );
});

test('of an archive with another sum nothing runs', { skip: missing ?? false }, async (t) => {
  assert.deepEqual(await built(t, () => '0'.repeat(64)), { status: 1, ran: '' });
});

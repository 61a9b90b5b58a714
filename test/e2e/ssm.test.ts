// The SSM document as the service takes it (moto's), and its script on a node that does not carry the analyzer.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentOf, layOutRelease } from '../../build/release/release-folder.ts';
import { NAME, ROOT } from '../../build/project.ts';
import { run } from '../../build/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { judged, readDocument, scriptsOf } from '../deploy/ssm-runner.ts';
import { prepareMoto, startMoto } from './moto.ts';
import { bootNode } from './node.ts';
import { HERE } from './small-release.ts';
import { al2023, CONFIGURED, RAN } from './shapes/al2023.ts';
import { endpointOf } from './vpc.ts';

const FILE = join(ROOT, 'deploy/ssm-document.yaml');
const VERSION = '1.0.0';
const HOST = endpointOf('s3');

test('the service takes the document, its parameters and a command for the instances of a cluster', async (t) => {
  const missing = await prepareMoto();
  assert.equal(missing, null);
  const moto = await startMoto(t);
  const made = (await moto.cli(
    'ssm',
    'create-document',
    '--name',
    'eks-bootstrap-diagnose',
    '--document-type',
    'Command',
    '--document-format',
    'YAML',
    '--content',
    `file://${FILE}`,
  )) as { DocumentDescription: { SchemaVersion: string; Parameters: { Name: string }[] } };
  const { SchemaVersion, Parameters } = made.DocumentDescription;
  assert.deepEqual(
    [SchemaVersion, Parameters.map(({ Name }) => Name).toSorted()],
    ['2.2', Object.keys(readDocument(readFileSync(FILE, 'utf8')).parameters).toSorted()],
  );
  const sent = (await moto.cli(
    'ssm',
    'send-command',
    '--document-name',
    'eks-bootstrap-diagnose',
    '--targets',
    'Key=tag:kubernetes.io/cluster/prod,Values=owned',
    '--max-concurrency',
    '10',
    '--max-errors',
    '100%',
    '--parameters',
    'Deliver=none,ExitWithVerdict=true',
  )) as { Command: { DocumentName: string; Parameters: Record<string, string[]> } };
  assert.deepEqual(
    [sent.Command.DocumentName, sent.Command.Parameters['Deliver']],
    ['eks-bootstrap-diagnose', ['none']],
  );
});

test('on a node without the analyzer it says why, and leaves nothing behind', async (t) => {
  const release = join(tempFolder(t, {}), 'release');
  await layOutRelease(contentOf(HERE, VERSION), release);
  const name = `${NAME}-${VERSION}-${HERE.name}`;
  const archive = join(tempFolder(t, {}), `${name}.tar.gz`);
  await run('tar', ['-C', release, '--transform', `s,^\\.,${name},`, '-I', 'gzip -1', '-cf', archive, '.'], '/');
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const swap =
    'echo \'E0506 08:00:20.123456    2711 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"\' >&2; exit 1';
  await using node = await bootNode({
    ...al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: swap }),
    vpc: { bucket: { [`/bucket/${name}.tar.gz`]: archive } },
  });
  const document = readDocument(readFileSync(FILE, 'utf8'));
  const [script] = scriptsOf(
    document,
    judged(document, {
      From: `https://${HOST}/bucket`,
      Version: VERSION,
      Sha256X64: sum,
      Sha256Arm64: sum,
      Deliver: 'none',
    }),
  );
  const { code, stdout, stderr } = await node.exec('/bin/sh', ['-c', script!], { codes: null });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^FAILED: [^\n]*swap-enabled, confidence medium\)/);
  assert.match(stdout.slice(0, 2_000), /\nProof\n[\s\S]*running with swap on is not supported[\s\S]*\nFix\n {2}1\. /);
  assert.equal(await node.shell('ls -A /opt /var/lib /root /run | grep -c analyzer', { codes: [0, 1] }), '0');
});

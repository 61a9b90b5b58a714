// install.sh with the real AWS CLI: it fetches from an S3 that is not ours (moto) by the credentials and in the region that the
// metadata service gives, and says in one line what S3 answered where it cannot.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { bridge } from './delivery/delivering-node.ts';
import { ORDINARY_INSTANCE } from './imds.ts';
import { prepareMoto, startMoto } from './moto.ts';
import { bootNode } from './node.ts';
import { packSmallRelease } from './small-release.ts';
import { REGION } from './vpc.ts';

/** With a dot the CLI puts the bucket into the path, and its endpoint keeps its name. */
const BUCKET = 'prod.releases';
const CLI = '/srv/python3';

const missing = await prepareMoto();

test('a release comes from S3 by the role of the node', { skip: missing ?? false }, async (t) => {
  const folder = tempFolder(t, {});
  const { name, sums } = await packSmallRelease(folder, { version: '1.0.0' });
  const moto = await startMoto(t);
  const location = ['--create-bucket-configuration', `LocationConstraint=${REGION}`];
  await moto.cli('s3api', 'create-bucket', '--bucket', BUCKET, ...location);
  const archive = ['--key', `${name}.tar.gz`, '--body', join(folder, `${name}.tar.gz`)];
  await moto.cli('s3api', 'put-object', '--bucket', BUCKET, ...archive);
  const { path, received } = await bridge(t, { port: Number(new URL(moto.url).port) });
  await using node = await bootNode({
    imds: ORDINARY_INSTANCE,
    vpc: { s3: path },
    files: {
      '/usr/local/sbin/aws': {
        text: `#!/bin/sh\nPYTHONPATH=${CLI} exec python3 /srv/aws "$@"\n`,
        mode: 0o755,
      },
    },
    binds: {
      [CLI]: '/usr/lib/python3/dist-packages',
      '/srv/aws': '/usr/bin/aws',
      '/srv/install.sh': join(ROOT, 'deploy/install.sh'),
    },
  });
  const install = async (key: string) => {
    const command = `AWS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt sh /srv/install.sh --from s3://${BUCKET}/${key} --sha256 ${sums.gz}`;
    const { code, stdout, stderr } = await node.exec('/bin/sh', ['-c', command], { codes: null, limitMs: 60_000 });
    return { code, said: stdout + stderr };
  };
  const refused = await install('another.tar.gz');
  assert.equal(refused.code, 1, refused.said);
  assert.match(
    refused.said,
    /^eks-bootstrap-analyzer: cannot fetch s3:\/\/prod\.releases\/another\.tar\.gz as this node's role: [^\n]*404[^\n]*\n$/,
  );
  assert.deepEqual(await install(`${name}.tar.gz`), {
    code: 0,
    said: 'eks-bootstrap-analyzer: version 1.0.0 is installed\n',
  });
  assert.match(
    Buffer.concat(received).toString('latin1'),
    new RegExp(`^GET /${BUCKET}/[\\s\\S]*Credential=ASIA\\w+/\\d+/${REGION}/s3/`, 'm'),
  );
});

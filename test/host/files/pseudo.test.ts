import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { HostError } from '../../../src/host/host.ts';
import { refusePseudo } from '../../../src/host/files/pseudo.ts';
import { run } from '../../../src/run.ts';
import { fakeProcess } from '../../cli/fake-process.ts';

const skip = process.platform === 'linux' ? false : 'only Linux has /proc, /sys and /dev';

for (const folder of ['/proc', '/proc/self', '/proc/sys/kernel', '/sys', '/sys/kernel', '/dev', '/dev/pts'])
  test(`${folder} is refused`, { skip }, async () => {
    await assert.rejects(
      refusePseudo(folder),
      (error) => error instanceof HostError && error.code === 'pseudo' && error.detail === folder,
    );
  });

for (const folder of ['/', '/etc', '/dev/shm', realpathSync(tmpdir())])
  test(`${folder} holds files`, { skip }, async () => refusePseudo(folder));

for (const given of ['/proc', '/sys', '/dev'])
  test(`analyze ${given} reads nothing and says why`, { skip }, async () => {
    const process = fakeProcess(['analyze', given]);
    assert.equal(await run(process), 3);
    assert.match(
      process.err(),
      new RegExp(`^eks-bootstrap-analyzer: Nothing could be read\\. ${given}: It is no file on a disk`),
    );
  });

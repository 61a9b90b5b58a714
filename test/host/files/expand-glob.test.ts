import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expandGlob } from '../../../src/host/files/expand-glob.ts';
import { folderWith } from '../folder-with.ts';

test('finds what stars name, as seen from inside the root', async (t) => {
  const root = folderWith(t, {
    'var/log/pods/kube-system_aws-node-x_1/aws-node/0.log': '',
    'var/log/pods/kube-system_aws-node-x_1/init/0.log': '',
    'var/log/pods/default_web_2/web/0.log': '',
    'var/log/messages': '',
  });
  assert.deepEqual(await expandGlob(root, '/var/log/pods/kube-system_aws-node-*/*/*.log'), [
    '/var/log/pods/kube-system_aws-node-x_1/aws-node/0.log',
    '/var/log/pods/kube-system_aws-node-x_1/init/0.log',
  ]);
  assert.deepEqual(await expandGlob(root, '/var/log/messages'), ['/var/log/messages']);
  assert.deepEqual(await expandGlob(root, '/var/log/pods/**/*.log').then((found) => found.length), 3);
  assert.deepEqual(await expandGlob(root, '/var/none/*.log'), []);
});

test('a linked folder is listed inside the root only', async (t) => {
  const root = folderWith(t, { 'data/ipamd.log': '' });
  symlinkSync('/data', join(root, 'logs'));
  symlinkSync('../../../../../../../etc', join(root, 'out'));
  assert.deepEqual(await expandGlob(root, '/logs/*.log'), ['/logs/ipamd.log']);
  assert.deepEqual(await expandGlob(root, '/out/*'), []);
});

// The entrypoint of the container for Bottlerocket, with a clock of its own: how often it asks, and when it lets the boot go on.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';

const ENTRYPOINT = readFileSync(join(ROOT, 'deploy/bottlerocket/entrypoint.sh'), 'utf8');

/** What it did; `answers` are the exit codes of the diagnoses, and the machine is up for 100 s at first. */
function played(t: TestContext, kind: 'host' | 'bootstrap', answers: readonly number[]): string[] {
  const folder = tempFolder(t, {
    'bin/timeout': `#!/bin/sh\necho "$*" >>"$STORY"\nset -- $ANSWERS\ncount=$(grep -c diagnose "$STORY")\neval "exit \\\${$count}"\n`,
    'bin/sleep':
      '#!/bin/sh\necho "sleep $1" >>"$STORY"\n[ "$1" = infinity ] || echo "$(($(cut -d . -f 1 "$UPTIME") + $1)).00" >"$UPTIME"\n',
    uptime: '100.50 90.00\n',
    story: '',
  });
  chmodSync(join(folder, 'uptime'), 0o644);
  mkdirSync(join(folder, 'host', `${kind}-containers`, 'current'), { recursive: true });
  const script = ENTRYPOINT.replace('host=/.bottlerocket', `host=${folder}/host`).replaceAll(
    '/proc/uptime',
    `${folder}/uptime`,
  );
  const env = {
    PATH: `${folder}/bin:/usr/bin:/bin`,
    STORY: join(folder, 'story'),
    UPTIME: join(folder, 'uptime'),
    ANSWERS: answers.join(' '),
  };
  const { status } = spawnSync('sh', ['-c', script], { env });
  assert.equal(status, 0);
  return readFileSync(join(folder, 'story'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.replace(` --root ${folder}/host/rootfs --deliver all --quiet`, '').replace('eks-bootstrap-analyzer ', ''),
    );
}

test('a host container asks at 3, 6 and 12 minutes, and then rests', (t) => {
  assert.deepEqual(played(t, 'host', [12, 11, 10]), [
    'sleep 80',
    '60 diagnose',
    'sleep 180',
    '60 diagnose',
    'sleep 360',
    '60 diagnose',
    'sleep infinity',
  ]);
});

test('a host container has said enough once the node is Ready', (t) => {
  assert.deepEqual(played(t, 'host', [12, 0]), [
    'sleep 80',
    '60 diagnose',
    'sleep 180',
    '60 diagnose',
    'sleep infinity',
  ]);
});

test('a bootstrap container asks once, and the boot goes on whatever it says', (t) => {
  assert.deepEqual(played(t, 'bootstrap', [10]), ['20 diagnose']);
});

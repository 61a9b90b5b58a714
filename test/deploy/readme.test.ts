// What README and docs/deploy.md tell to paste: the command for AWS-RunShellScript does what it says, and every file that is named is there.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { runScript } from './ssm-runner.ts';

const NAME = 'eks-bootstrap-analyzer-0.1.0-linux-x64';
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const URL_OF_LINK = 'https://bucket.s3.amazonaws.com/x?X-Amz-Signature=ab%2Fcd&X-Amz-Expires=3600';

test('the command for AWS-RunShellScript takes a release, says the verdict, and leaves nothing', (t) => {
  const block = /```sh\n(?<commands>URL=[\s\S]*?)```/.exec(README)!.groups!['commands']!;
  const folder = tempFolder(t, {
    [`${NAME}/bin/eks-bootstrap-analyzer`]: '#!/bin/sh\necho "FAILED: $*"\nexit 10\n',
    'bin/aws': `#!/bin/sh\ncase "$2" in presign) echo '${URL_OF_LINK}' ;; send-command) shift 10; [ "$1" = --parameters ] && echo "$2" >>"$SENT"; echo id-1 ;; *) echo "$*" ;; esac\n`,
    'bin/curl': '#!/bin/sh\necho "$*" >>"$FETCHED"\ncp "$ARCHIVE" "$3"\n',
  });
  const archive = join(folder, 'release.tar.gz');
  execFileSync('tar', ['-C', folder, '-czf', archive, NAME]);
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  mkdirSync(join(folder, 'opt'));
  const env = {
    PATH: `${folder}/bin:/usr/bin:/bin`,
    SENT: join(folder, 'sent'),
    FETCHED: join(folder, 'fetched'),
    ARCHIVE: archive,
  };
  const here = block.replace('SHA256_OF_THAT_FILE', sum);
  const { stdout, stderr } = spawnSync('bash', ['-ec', here], { env, encoding: 'utf8' });
  assert.match(stdout, /get-command-invocation --command-id id-1/, stderr);
  const { commands } = JSON.parse(readFileSync(env.SENT, 'utf8')) as { commands: string[] };
  const ran = runScript(commands.join('\n').replaceAll('/opt/', `${folder}/opt/`), env);
  assert.deepEqual(ran, { code: 0, out: 'FAILED: diagnose\n', err: '' });
  assert.ok(readFileSync(env.FETCHED, 'utf8').includes(URL_OF_LINK));
  assert.deepEqual(readdirSync(join(folder, 'opt')), []);
  const other = runScript(commands.join('\n').replaceAll('/opt/', `${folder}/opt/`).replace(sum, '0'.repeat(64)), env);
  assert.match(other.out, /^\S+\/r: FAILED\n$/);
  assert.deepEqual([other.code === 0, readdirSync(join(folder, 'opt'))], [false, []]);
});

for (const file of ['README.md', 'docs/deploy.md'])
  test(`every file that ${file} links to is there`, () => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const links = [...text.matchAll(/\]\((?<path>[^)#:]+)(?:#[^)]*)?\)/g)].map(({ groups }) => groups!['path']!);
    assert.ok(links.length > 5);
    assert.deepEqual(
      links.filter((path) => !existsSync(join(ROOT, dirname(file), path))),
      [],
    );
  });

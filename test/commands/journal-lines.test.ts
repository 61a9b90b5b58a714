// What a service leaves in the journal: each line names the tool once, by journald or by itself, and none is empty.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../build/temp-folder.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const WITHIN_MS = 60_000;
const LINE = 'May  6 08:15:44 ip-10-20-30-40 kubelet: hello\n';

/** Both outputs are the file that `JOURNAL_STREAM` names. */
function linesOf(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const folder = tempFolder(t, { 'x.log': LINE });
  const file = join(folder, 'journal');
  const journal = openSync(file, 'a');
  const { dev, ino } = fstatSync(journal);
  const { error } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    stdio: ['ignore', journal, journal],
    env: { ...process.env, ...env, JOURNAL_STREAM: `${dev}:${ino}` },
    timeout: WITHIN_MS,
  });
  assert.equal(error, undefined);
  closeSync(journal);
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

const NAMED = { LOGGED_AS: 'eks-bootstrap-analyzer' };

test('where journald names the tool, a verdict does not', (t) => {
  const lines = linesOf(t, ['analyze', 'x.log'], NAMED);
  assert.match(lines[0]!, /^UNKNOWN: /);
  assert.deepEqual(
    lines.filter((line) => line.trim() === '' || line.startsWith('eks-bootstrap-analyzer:')),
    [],
  );
});

test('where it does not, every line of a verdict does, once', (t) => {
  const lines = linesOf(t, ['analyze', 'x.log'], {});
  assert.match(lines[0]!, /^eks-bootstrap-analyzer: UNKNOWN: /);
  assert.deepEqual(
    lines.filter((line) => !/^eks-bootstrap-analyzer: (?!eks-bootstrap-analyzer:)\s*\S/.test(line)),
    [],
  );
});

test('a complaint is named like a verdict', (t) => {
  assert.match(linesOf(t, ['analyze', 'none.log'], NAMED)[0]!, /^Nothing could be read\. /);
  assert.match(linesOf(t, ['analyze', 'none.log'], {})[0]!, /^eks-bootstrap-analyzer: Nothing could be read\. /);
});

test('the name stays where the output is not the journal, and where it was asked for', (t) => {
  assert.match(linesOf(t, ['analyze', 'x.log', '--prefix', 'always'], NAMED)[0]!, /^eks-bootstrap-analyzer: UNKNOWN/);
  const { stderr } = spawnSync(process.execPath, [CLI, 'analyze', '/none.log'], {
    env: { ...process.env, ...NAMED, JOURNAL_STREAM: '1:1' },
    encoding: 'utf8',
    timeout: WITHIN_MS,
  });
  assert.match(stderr, /^eks-bootstrap-analyzer: Nothing/);
});

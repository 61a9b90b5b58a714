import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { renderManPage } from '../../build/man-page.ts';
import { COMMANDS, OPTIONS } from '../../src/options.ts';

const LIMIT_MS = 30_000;

test('the man page names every command and option', () => {
  const page = renderManPage().replaceAll('\\-', '-');
  for (const { name } of COMMANDS) assert.ok(page.includes(`.B ${name}`), name);
  for (const { name } of OPTIONS) assert.ok(page.includes(`.B --${name}`), name);
});

test('mandoc has nothing to say about it but that it bears no date', (t) => {
  const { error, stdout } = spawnSync('mandoc', ['-Tlint'], {
    input: renderManPage(),
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    t.skip('mandoc is not installed');
    return;
  }
  const complaints = stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'));
  assert.deepEqual(complaints, []);
});

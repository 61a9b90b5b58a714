import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendVerdict, writeLastVerdict } from '../../../src/sinks/local/verdict-files.ts';
import { tempFolder } from '../../build/temp-folder.ts';

const MAX_BYTES = 4 * 1024 * 1024;

test('the last verdict replaces the one before it', async (t) => {
  const folder = join(tempFolder(t, {}), 'run');
  await writeLastVerdict(folder, 'one and longer');
  await writeLastVerdict(folder, 'two');
  assert.equal(readFileSync(join(folder, 'verdict.json'), 'utf8'), 'two');
  assert.equal(statSync(join(folder, 'verdict.json')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['verdict.json']);
});

test('verdicts are added line by line, for their owner only', async (t) => {
  const folder = join(tempFolder(t, {}), 'log');
  await appendVerdict(folder, '{"a":1}\n');
  await appendVerdict(folder, '{"a":2}\n');
  assert.equal(readFileSync(join(folder, 'verdicts.jsonl'), 'utf8'), '{"a":1}\n{"a":2}\n');
  assert.equal(statSync(join(folder, 'verdicts.jsonl')).mode & 0o777, 0o600);
});

test('what a crash cut off does not spoil the next line', async (t) => {
  const folder = join(tempFolder(t, {}), 'log');
  await appendVerdict(folder, '{"a":1}\n');
  appendFileSync(join(folder, 'verdicts.jsonl'), '{"a":');
  await appendVerdict(folder, '{"a":2}\n');
  assert.equal(readFileSync(join(folder, 'verdicts.jsonl'), 'utf8'), '{"a":1}\n{"a":\n{"a":2}\n');
});

test('the files are kept to 4 MiB, and the newest lines are always there', async (t) => {
  const folder = join(tempFolder(t, {}), 'log');
  const lineOf = (number: number): string => `${JSON.stringify({ number, fill: 'x'.repeat(50_000) })}\n`;
  for (let number = 0; number < 200; number++) {
    await appendVerdict(folder, lineOf(number));
    const names = readdirSync(folder).sort().toReversed();
    assert.ok(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) <= MAX_BYTES);
    if (number % 20 > 0) continue;
    const numbers = names
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
      .map((line) => JSON.parse(line).number as number);
    assert.ok(numbers.length >= Math.min(number + 1, 40));
    assert.deepEqual(
      numbers.slice(-10),
      Array.from({ length: Math.min(10, number + 1) }, (_, at) => Math.max(0, number - 9) + at),
    );
  }
});

test('a link, a pipe and a folder in place of the files are refused at once', async (t) => {
  const base = tempFolder(t, { secret: 'precious' });
  for (const [name, make] of [
    ['link', (path: string) => symlinkSync(join(base, 'secret'), path)],
    ['pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['folder', (path: string) => mkdirSync(path)],
  ] as const) {
    const folder = join(base, `log-${name}`);
    mkdirSync(folder, { mode: 0o700 });
    make(join(folder, 'verdicts.jsonl'));
    await assert.rejects(
      appendVerdict(folder, '{}\n'),
      { code: name === 'folder' ? 'write-failed' : 'file-foreign' },
      name,
    );
  }
  assert.equal(readFileSync(join(base, 'secret'), 'utf8'), 'precious');
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { EXIT_CODES } from '../../src/exit-codes.ts';
import { OPTIONS } from '../../src/options.ts';
import { run } from '../../src/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from './fake-process.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

test('the example is what `npm start` says, but for the digest of the patterns', async () => {
  const example = /```text\n(?<text>STALLED[^]*?\n)```/.exec(README)!.groups!['text']!;
  const process = fakeProcess(['analyze', '--quiet', join(ROOT, 'test/scenarios/al2-ecr-login-hang/capture')]);
  assert.equal(await run(process), 11);
  const withoutDigest = (text: string): string => text.replace(/(?<=patterns )[0-9a-f]{12}$/m, '…');
  assert.equal(withoutDigest(process.out()), withoutDigest(example));
});

test('the example of a new failure passes the check', async (t) => {
  const yaml = /```yaml\n(?<yaml>id: (?<id>\S+)[^]*?)```/.exec(CONTRIBUTING)!.groups!;
  const process = fakeProcess(['patterns', 'check', tempFolder(t, { [`${yaml['id']}.yaml`]: yaml['yaml']! })]);
  assert.equal(await run(process), 0, process.out());
  // Whoever follows it has the file in the pack already.
  assert.match(process.out(), /1 files in .* \((?:1 added|0 added, 1 replaced)/);
});

test('every exit code and option is there', () => {
  const rows = README.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  for (const { code, meaning } of EXIT_CODES) assert.ok(rows.includes(`| ${code} | ${meaning} |`), meaning);
  for (const { name } of OPTIONS) assert.ok(README.includes(`--${name}`), name);
});

test('files and scripts that it names exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const { groups } of README.matchAll(
    /npm (?:run )?(?<script>start|test|build|check|bench|new|try|generate|mutate)\b/g,
  ))
    assert.ok(scripts[groups!['script']!] !== undefined);
  for (const { groups } of README.matchAll(/\]\((?<file>[\w./-]+)\)/g))
    assert.ok(existsSync(join(ROOT, groups!['file']!)), groups!['file']);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundle } from '../../build/bundle.ts';
import { tempFolder } from './temp-folder.ts';

const ENTRY =
  "import { answer } from './answer.ts';\nvoid import('node:os').then(({ EOL }) => process.stdout.write(answer() + EOL));\n";

test('the bundle runs as a command, with the replacement instead of the module', async (t) => {
  const root = tempFolder(t, { 'cli.ts': ENTRY, 'answer.ts': "export const answer = () => 'from source';\n" });
  const outfile = join(root, 'out.cjs');
  const replacements = new Map([[join(root, 'answer.ts'), "export const answer = () => 'embedded';"]]);
  await bundle({ root, entry: join(root, 'cli.ts'), outfile, replacements });
  const { stdout, stderr, status } = spawnSync(outfile, { encoding: 'utf8' });
  assert.deepEqual({ stdout, stderr, status }, { stdout: 'embedded\n', stderr: '', status: 0 });
});

test('the bundle holds no trace of the folder it was made in', async (t) => {
  const root = tempFolder(t, { 'cli.ts': ENTRY, 'answer.ts': "export const answer = () => 'from source';\n" });
  const outfile = join(root, 'out.cjs');
  await bundle({ root, entry: join(root, 'cli.ts'), outfile, replacements: new Map() });
  assert.ok(!readFileSync(outfile, 'utf8').includes(root));
});

test('a replacement that nothing imports is refused', async (t) => {
  const root = tempFolder(t, { 'cli.ts': 'export {};\n', 'answer.ts': 'export {};\n' });
  const replacements = new Map([[join(root, 'answer.ts'), '']]);
  await assert.rejects(
    bundle({ root, entry: join(root, 'cli.ts'), outfile: join(root, 'out.cjs'), replacements }),
    /answer\.ts is replaced in the bundle but nothing imports it/,
  );
});

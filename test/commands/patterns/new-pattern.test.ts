import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { run } from '../../../src/run.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { fakeProcess } from '../../cli/fake-process.ts';

/** Each round mends what one check complained of. */
const ROUNDS_MAX = 12;

async function patterns(
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const process = fakeProcess(['patterns', ...args]);
  const code = await run(process);
  return { code, out: process.out(), err: process.err() };
}

async function written(t: TestContext): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = tempFolder(t, {});
  const { code, out } = await patterns('new', 'runtime/mirror-down', '--folder', folder);
  const file = join(folder, 'runtime', 'mirror-down.yaml');
  assert.equal(code, 0);
  assert.ok(out.startsWith(`${file} is written. `) && out.includes(`patterns check ${join(folder, 'runtime')}`), out);
  return { folder: join(folder, 'runtime'), file };
}

test('the template is wrong only where it says REPLACE, and right once all is replaced', async (t) => {
  const { folder, file } = await written(t);
  let lines = readFileSync(file, 'utf8').split('\n');
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { code, out } = await patterns('check', folder);
    if (code === 0) break;
    const places = [...out.matchAll(/mirror-down\.yaml:(?<line>\d+): /g)].map(
      ({ groups }) => Number(groups!['line']) - 1,
    );
    assert.ok(places.length > 0, out);
    for (const place of places) assert.match(lines[place]!, /REPLACE/, out);
    lines = lines.map((line, index) => (places.includes(index) ? filled(line) : line));
    writeFileSync(file, lines.join('\n'));
  }
  const { code, out } = await patterns('check', folder);
  assert.deepEqual([code, out.split(':')[0]], [0, 'ok'], out);
  assert.ok(lines.every((line) => !line.replace(/#.*/, '').includes('REPLACE')));
});

/** What a newcomer would write there. */
function filled(line: string): string {
  if (line.includes('phase:')) return 'phase: sandbox-image';
  if (line.includes('regex:')) return "    regex: 'mirror refused the pull of (?<detail>[^\\n]{1,100})'";
  if (line.includes('captures:')) return "          captures: { detail: 'pause:3.10' }";
  if (line.includes('a real line')) return "        - line: 'mirror refused the pull of pause:3.10'";
  return line.replace('REPLACE-', '').replace('REPLACE', 'now');
}

test('a file that is there stays as it is', async (t) => {
  const { folder, file } = await written(t);
  writeFileSync(file, 'mine');
  const { code, err } = await patterns('new', 'runtime/mirror-down', '--folder', join(folder, '..'));
  assert.equal(code, 2);
  assert.match(err, /mirror-down\.yaml is there already/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
});

for (const id of ['mirror-down', 'runtime/Mirror', 'runtime/../mirror', '/runtime/mirror', 'a/b/c'])
  test(`refused: ${id}`, async (t) => {
    const { code, err } = await patterns('new', id, '--folder', tempFolder(t, {}));
    assert.equal(code, 2);
    assert.match(err, /is not GROUP\/ID/);
  });

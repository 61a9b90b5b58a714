import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { capturesOf } from '../../src/commands/each/captures.ts';
import { run } from '../../src/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';

const captured = (name: string): string => join(ROOT, 'test', name, 'capture');

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function each(...args: string[]): Promise<Outcome> {
  const process = fakeProcess(['analyze', '--prefix', 'never', '--each', ...args]);
  const code = await run(process);
  return { code, out: process.out(), err: process.err() };
}

/** Two nodes that hang, one that is Ready, and a file of which nothing can be read. */
function fetched(t: TestContext): string {
  const folder = tempFolder(t, { 'd-empty.log': '', '.hidden': 'x' });
  for (const [name, from] of [
    ['a-node', 'scenarios/al2-ecr-login-hang'],
    ['b-node', 'scenarios/al2-ecr-login-hang'],
    ['c-ready', 'healthy/al2'],
  ] as const)
    cpSync(captured(from), join(folder, name), { recursive: true });
  return folder;
}

test('a table of all in their order, what cannot be read included, then how often each cause is there', async (t) => {
  const folder = fetched(t);
  const { code, out, err } = await each(folder);
  assert.deepEqual([code, err], [11, '']);
  const rows = out
    .replaceAll(`${folder}/`, '')
    .trimEnd()
    .split('\n')
    .map((row) => row.replaceAll(/ +/g, ' '));
  assert.deepEqual(rows.slice(0, 4), [
    'status sure cause capture',
    'stalled high ecr-login-hang a-node (i-0a1b2c3d4e5f60718)',
    'stalled high ecr-login-hang b-node (i-0a1b2c3d4e5f60718)',
    rows[3]!,
  ]);
  assert.match(rows[3]!, /^ready - - c-ready/);
  assert.match(rows[4]!, /^not read - - d-empty\.log: Nothing could be read\. /);
  assert.deepEqual(rows.slice(5), [
    '',
    '4 captures: 2 stalled, 1 ready, 1 not read',
    ' 2 ecr-login-hang The ECR login hangs',
  ]);
});

test('as JSON a line for each capture and one for all', async (t) => {
  const { out } = await each(fetched(t), '--format', 'json');
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.slice(0, 4).map(({ verdict }) => (verdict as { status: string } | null)?.status),
    ['stalled', 'stalled', 'ready', undefined],
  );
  assert.match(String(lines[3]!['problem']), /^Nothing could be read/);
  assert.deepEqual(lines[4], {
    captures: 4,
    statuses: [
      { status: 'stalled', count: 2 },
      { status: 'ready', count: 1 },
      { status: 'not read', count: 1 },
    ],
    causes: [{ id: 'ecr-login-hang', title: 'The ECR login hangs', count: 2 }],
  });
});

test('as HTML a page for each capture in the folder, and one that links them', async (t) => {
  const folder = fetched(t);
  const output = join(folder, 'pages');
  for (const again of [1, 2]) {
    const { code, out } = await each(folder, '--format', 'html', '--output', output);
    assert.deepEqual([code, out], [11, ''], `run ${again}`);
    assert.deepEqual(readdirSync(output), ['0001-a-node.html', '0002-b-node.html', '0003-c-ready.html', 'index.html']);
  }
  const index = readFileSync(join(output, 'index.html'), 'utf8');
  assert.deepEqual(
    [...index.matchAll(/href="(?<to>[^"]*)"/g)].map(({ groups }) => groups!['to']),
    ['0001-a-node.html', '0002-b-node.html', '0003-c-ready.html'],
  );
  assert.match(index, /Nothing could be read/);
  assert.match(index, />a-node<\/a>/);
  assert.match(readFileSync(join(output, '0001-a-node.html'), 'utf8'), /The ECR login hangs/);
});

test('a hostile name of a file stays text, and names no other file', async (t) => {
  const folder = tempFolder(t, {});
  const name = '"><script>alert(1)<..\u001b[31m.log';
  writeFileSync(join(folder, name), readFileSync(join(captured('scenarios/al2-ecr-login-hang'), 'var_log/messages')));
  const output = join(folder, 'pages');
  await each(folder, '--format', 'html', '--output', output);
  const index = readFileSync(join(output, 'index.html'), 'utf8');
  assert.ok(index.includes('&#34;&gt;&lt;script&gt;alert(1)&lt;..\\x1b[31m.log</a>'));
  assert.ok(!index.includes('<script'));
  assert.match(readdirSync(output)[0]!, /^0001-[\w.-]+\.html$/);
});

test('which captures the paths stand for', async (t) => {
  const folder = tempFolder(t, {});
  mkdirSync(join(folder, 'archives'));
  mkdirSync(join(folder, 'node'));
  for (const file of ['archives/b.tar.gz', 'archives/a.tgz', 'node/messages']) writeFileSync(join(folder, file), 'x');
  symlinkSync('/etc/passwd', join(folder, 'archives', 'c.log'));
  const at = (...names: string[]): string[] => names.map((name) => join(folder, name));
  const [archives, node] = at('archives', 'node') as [string, string];
  assert.deepEqual(await capturesOf([node, archives], null), at('node', 'archives/a.tgz', 'archives/b.tar.gz'));
  assert.deepEqual(await capturesOf([folder], archives), [node]);
  mkdirSync(join(folder, 'reports'));
  for (const name of ['index.html', '0001-node.html']) writeFileSync(join(folder, 'reports', name), 'x');
  assert.deepEqual(await capturesOf([folder], null), at('archives', 'node'));
  assert.deepEqual(await capturesOf(['-', '/no/such'], null), ['-', '/no/such']);
});

test('the exit code: 0 if all are Ready, 3 if nothing could be read', async (t) => {
  const empty = tempFolder(t, { 'a.log': '' });
  assert.equal((await each(captured('healthy/al2'), captured('healthy/al2023-json'))).code, 0);
  assert.equal((await each(empty)).code, 3);
  assert.equal((await each(tempFolder(t, {}))).code, 3);
  assert.equal((await each(captured('healthy/al2'), '/does/not/exist')).code, 3);
});

test('what does not go together is said', async () => {
  const said = async (...args: string[]): Promise<string> => (await each(...args)).err;
  assert.match(await said('x', '--format', 'html'), /needs --output FOLDER/);
  assert.match(await said('x', '--jobs', '0'), /--jobs cannot be "0": it is a number from 1 to 64/);
  const process = fakeProcess(['analyze', 'x', '--jobs', '2']);
  assert.equal(await run(process), 2);
  assert.match(process.err(), /--jobs needs --each/);
});

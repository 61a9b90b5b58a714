import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/run.ts';
import { VERSION } from '../../src/version.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { errorWithCode, fakeProcess } from './fake-process.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const WITHIN_MS = 60_000;
/** A module that writes a line once the handler of SIGTERM, the later one, is there. */
const TELLS_WHEN_LISTENING = `data:text/javascript,process.on('newListener', (name) => name === 'SIGTERM' && queueMicrotask(() => console.error('listening')))`;

test('--version prints the version and nothing else', async () => {
  const process = fakeProcess(['--version']);
  assert.equal(await run(process), 0);
  assert.deepEqual([process.out(), process.err()], [`${VERSION}\n`, '']);
});

test('--version loads no command, no pack and no package', () => {
  const script = `const { registerHooks } = require('node:module'); const seen = [];
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    process.argv[2] = '--version'; process.on('exit', () => console.error(seen.join(' '))); import(${JSON.stringify(CLI)});`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script, 'x'], { encoding: 'utf8', timeout: WITHIN_MS });
  assert.equal(stdout, `${VERSION}\n`);
  assert.match(stderr, /src\/run\.ts/);
  assert.doesNotMatch(stderr, /node_modules|src\/(?:commands|signatures|matching|render|sources)/);
});

test('no arguments show help', async () => {
  const process = fakeProcess([]);
  assert.equal(await run(process), 0);
  assert.match(process.out(), /^Says in one verdict why/);
});

test('bad usage is one sentence on standard error and exit code 2', async () => {
  const process = fakeProcess(['analyse', 'x']);
  assert.equal(await run(process), 2);
  assert.equal(process.out(), '');
  assert.match(process.err(), /^eks-bootstrap-analyzer: There is no command "analyse"\. Did you mean analyze\?.*\n$/);
});

test('nothing to read is one sentence and exit code 3', async () => {
  const process = fakeProcess(['analyze', '/does/not/exist']);
  assert.equal(await run(process), 3);
  assert.match(process.err(), /^eks-bootstrap-analyzer: Nothing could be read\. \/does\/not\/exist: .+\n$/);
});

test('a bug shows its stack, asks for a report and ends with 70', async () => {
  const broken = {
    ...fakeProcess(['analyze', '/does/not/exist']),
    get argv(): readonly string[] {
      throw new TypeError('broken');
    },
  };
  assert.equal(await run(broken), 70);
  assert.match(broken.err(), /TypeError: broken\n\s+at [^]*this is a bug in the tool; please report/);
});

test('a reader that goes away early is no error', async () => {
  assert.equal(await run(fakeProcess(['--help'], { failure: errorWithCode('EPIPE') })), 0);
});

test('standard output that cannot be written is an error', async () => {
  const process = fakeProcess(['patterns', 'show', 'no-such-cause']);
  assert.equal(await run(process), 2);
  assert.equal(await run(fakeProcess(['--help'], { failure: errorWithCode('ENOSPC') })), 70);
});

test('no signal handler stays behind', async () => {
  const process = fakeProcess(['--help']);
  await run(process);
  assert.equal(process.listeners(), 0);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends a run that waits for standard input with ${code}`, { timeout: WITHIN_MS }, async () => {
    const child = spawn(process.execPath, ['--import', TELLS_WHEN_LISTENING, CLI, 'analyze', '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.write('Cloud-init v. 22.2.2\n');
    await once(child.stderr, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [code, null]);
  });

test('a pipe that is closed early gives no stack', (t) => {
  const folder = tempFolder(t, { 'x.log': 'May  6 08:15:44 ip-10-20-30-40 kubelet: hello\n' });
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `"$0" "$1" analyze "$2" --format json | true`, process.execPath, CLI, folder],
    {
      encoding: 'utf8',
      timeout: WITHIN_MS,
    },
  );
  assert.deepEqual([status, stderr], [0, '']);
});

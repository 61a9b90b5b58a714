import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { run } from '../../src/run.ts';
import type { Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess, type FakeOptions } from '../cli/fake-process.ts';

const CAPTURE = fileURLToPath(new URL('../scenarios/al2-ecr-login-hang/capture', import.meta.url));
const schema = JSON.parse(readFileSync(new URL('../../docs/verdict.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function analyze(args: readonly string[], options?: FakeOptions): Promise<Outcome> {
  // Whoever runs the tests: their own surroundings must not decide.
  const process = fakeProcess(['analyze', '--prefix', 'never', ...args], options);
  const code = await run(process);
  return { code, out: process.out(), err: process.err() };
}

async function verdict(...args: string[]): Promise<Verdict> {
  return JSON.parse((await analyze([...args, '--format', 'json'])).out) as Verdict;
}

function logs(t: TestContext, files: Readonly<Record<string, string>>): string {
  return tempFolder(t, files);
}

test('a captured node: status, cause, proof and fix as text, and the exit code', async () => {
  const { code, out, err } = await analyze([CAPTURE]);
  assert.deepEqual([code, err], [11, '']);
  assert.match(out, /^STALLED: .+ \(ecr-login-hang, confidence high\)\n/);
  for (const part of ['\nProof\n', 'aws ecr get-login-password', '\nBoot\n', '\nFix\n  1. '])
    assert.ok(out.includes(part), part);
  assert.ok(out.length < 6_000 && !out.includes('\u001b'));
});

test('a cause that lies in AWS: the script for an administrator, on its own, in JSON, and offered in text', async () => {
  const { code, out } = await analyze([CAPTURE, '--format', 'aws-checks']);
  assert.equal(code, 11);
  assert.match(out, /^#!\/bin\/sh\n[^]*for this verdict: stalled, ecr-login-hang, confidence high\.\n/);
  const whole = JSON.parse((await analyze([CAPTURE, '--format', 'json'])).out) as { awsChecks?: string };
  assert.ok(validate(whole), JSON.stringify(validate.errors));
  assert.equal(whole.awsChecks, out);
  assert.match((await analyze([CAPTURE])).out, /--format aws-checks prints a read-only script/);
  const other = fileURLToPath(new URL('../scenarios/al2023-disk-full/capture', import.meta.url));
  assert.ok(!('awsChecks' in (await verdict(other))));
});

test('of a long line of the process list the proof shows the words that hang', async (t) => {
  const folder = tempFolder(t, {});
  cpSync(CAPTURE, folder, { recursive: true });
  const list = join(folder, 'system', 'ps.txt');
  writeFileSync(
    list,
    readFileSync(list, 'utf8').replace('aws ecr get-login', `/usr/bin/env ${'x'.repeat(400)} aws ecr get-login`),
  );
  assert.match((await analyze([folder])).out, /^ +….*aws ecr get-login-password/m);
});

test('the same as JSON follows the published schema', async () => {
  const found = await verdict(CAPTURE);
  validate(found);
  assert.deepEqual(validate.errors, null);
  assert.deepEqual(
    [found.cause?.id, found.node.instanceId, found.node.cluster],
    ['ecr-login-hang', 'i-0a1b2c3d4e5f60718', 'shop-staging'],
  );
});

test('a capture gives the same verdict each time', async () =>
  assert.deepEqual(await verdict(CAPTURE), await verdict(CAPTURE)));

test('colour on a terminal, unless it is not wanted', async () => {
  assert.ok((await analyze([CAPTURE], { isTTY: true })).out.startsWith('\u001b[31mSTALLED'));
  for (const [args, env] of [
    [['--no-color'], {}],
    [[], { NO_COLOR: '1' }],
    [[], { TERM: 'dumb' }],
  ] as const)
    assert.ok(!(await analyze([CAPTURE, ...args], { isTTY: true, env })).out.includes('\u001b'));
});

test('--prefix puts the name of the tool before every line', async () => {
  const { out } = await analyze([CAPTURE, '--prefix', 'always']);
  assert.ok(
    out
      .trimEnd()
      .split('\n')
      .every((line) => line.startsWith('eks-bootstrap-analyzer:')),
  );
});

test('its own text in a log is an earlier verdict, not evidence', async (t) => {
  const { out } = await analyze([CAPTURE, '--prefix', 'always']);
  const found = await verdict(logs(t, { 'cloud-init-output.log': `hello\n${out}` }));
  assert.equal(found.cause, null);
  assert.deepEqual(found.evidence, []);
});

test('--output writes the file instead', async (t) => {
  const file = join(tempFolder(t, {}), 'verdict.json');
  const { code, out } = await analyze([CAPTURE, '--format', 'json', '--output', file]);
  assert.deepEqual([code, out], [11, '']);
  assert.equal((JSON.parse(readFileSync(file, 'utf8')) as Verdict).cause?.id, 'ecr-login-hang');
});

test('--output to a place that cannot be written is said, and the exit code stays the verdict’s', async () => {
  const { code, err } = await analyze([CAPTURE, '--output', '/no/such/folder/v.json']);
  assert.equal(code, 11);
  assert.match(
    err,
    /^eks-bootstrap-analyzer: The answer could not be written to \/no\/such\/folder\/v\.json: ENOENT[^\n]*\n$/,
  );
});

test('one unreadable input is noted and does not hide the others', async () => {
  const found = await verdict(CAPTURE, '/does/not/exist');
  assert.equal(found.cause?.id, 'ecr-login-hang');
  assert.ok(found.notChecked.some(({ what, code }) => what === '/does/not/exist' && code === 'missing'));
});

test('nothing but empty or missing inputs: exit code 3 and why', async (t) => {
  const folder = logs(t, { 'empty.log': '' });
  const { code, out, err } = await analyze([join(folder, 'empty.log'), join(folder, 'none.log')]);
  assert.deepEqual([code, out], [3, '']);
  assert.match(err, /^eks-bootstrap-analyzer: Nothing could be read\. [^\n]*empty\.log: [^\n]*none\.log: [^\n]*\n$/);
});

test('a log without any known line: unknown, and honest about it', async (t) => {
  const { code, out } = await analyze([logs(t, { 'app.log': 'hello world\n'.repeat(100) })]);
  assert.equal(code, 11);
  assert.match(out, /^UNKNOWN: no known cause in what was read\n/);
});

test('escapes, bidi and secrets of a log do not reach the output', async (t) => {
  const folder = logs(t, {});
  const line =
    'E0506 08:15:44.123456 3214 run.go:74] "command failed" err="bad \u001b]0;x\u0007 \u202e password=hunter2 AKIAIOSFODNN7EXAMPLE \ud800"';
  writeFileSync(join(folder, 'kubelet.log'), Buffer.concat([Buffer.from(`${line}\n`), Buffer.from([0xff, 0x0a])]));
  for (const format of ['text', 'json']) {
    const { out } = await analyze([folder, '--format', format]);
    assert.ok(out.includes('[redacted:password] [redacted:aws-access-key]'), out);
    assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]|hunter2/u);
  }
});

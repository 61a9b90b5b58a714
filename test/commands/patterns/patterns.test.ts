import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../src/run.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import { fakeProcess } from '../../cli/fake-process.ts';

const PATTERNS = fileURLToPath(new URL('../../../patterns', import.meta.url));
const MINE = `id: mirror-of-a-test
title: The registry mirror is down
kind: cause
phase: sandbox-image
severity: fatal
repair: fix-first
summary: The pull from the mirror {host} was refused.
signatures:
  - id: mirror-refused
    streams: [containerd]
    regex: 'mirror (?<host>\\S+) refused the pull'
    decisive: true
    samples:
      match:
        - {line: 'mirror m.example.com refused the pull', captures: {host: m.example.com}, source: seen our nodes}
      reject:
        - {line: 'mirror m.example.com refused to pull', because: another message}
remedy:
  - {text: Start the mirror.}
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function patterns(...args: string[]): Promise<Outcome> {
  const process = fakeProcess(['patterns', ...args]);
  const code = await run(process);
  return { code, out: process.out(), err: process.err() };
}

test('list: a table, and the same as JSON', async () => {
  const { code, out } = await patterns('list');
  assert.equal(code, 0);
  assert.match(out, /^ID +KIND +PHASE +SEVERITY +TITLE\n/);
  assert.match(out, /^ecr-login-hang +cause +sandbox-image +fatal +\S/m);
  const listed = JSON.parse((await patterns('list', '--format', 'json')).out) as { id: string }[];
  assert.equal(listed.length, out.trimEnd().split('\n').length - 1);
});

test('show: everything of one cause', async () => {
  const { code, out } = await patterns('show', 'ecr-login-hang');
  assert.equal(code, 0);
  for (const part of ['ecr-login-hang: ', '\nStall ', '\nFix\n  1. ', '\nReferences\n'])
    assert.ok(out.includes(part), part);
  assert.equal(
    (JSON.parse((await patterns('show', 'ecr-login-hang', '--format', 'json')).out) as { id: string }).id,
    'ecr-login-hang',
  );
});

test('show: an unknown id, with what was probably meant', async () => {
  const { code, err } = await patterns('show', 'ecr-login-hangs');
  assert.equal(code, 2);
  assert.match(err, /no cause "ecr-login-hangs"\. Did you mean ecr-login-hang\?/);
});

test('check: a folder with one good file', async (t) => {
  const { code, out, err } = await patterns('check', tempFolder(t, { 'mirror-of-a-test.yaml': MINE }));
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^ok: 1 files in \S+ \(1 added, 0 replaced, 0 disabled\); with them \d+ causes/);
});

test('check: every fault with file and line, samples included', async (t) => {
  const folder = tempFolder(t, {
    'broken.yaml': 'id: broken\nkind: cause\n',
    'mirror-of-a-test.yaml': MINE.replace('host: m.example.com}', 'host: other}').replace(
      'refused to pull',
      'refused the pull',
    ),
  });
  const { code, out } = await patterns('check', folder);
  assert.equal(code, 2);
  assert.ok(out.includes(`${folder}/broken.yaml:1: title is missing`), out);
  assert.ok(
    out.includes(
      `${folder}/mirror-of-a-test.yaml:15: mirror-of-a-test/mirror-refused: the sample gives host="m.example.com", not "other"`,
    ),
    out,
  );
  assert.ok(
    out.includes(
      `${folder}/mirror-of-a-test.yaml:17: mirror-of-a-test/mirror-refused: the sample matches, but must not: another message`,
    ),
    out,
  );
  assert.ok(out.includes(`${folder}/broken.yaml:1: remedy is missing`), out);
  assert.match(out, /\n7 complaints: /);
});

test('check: a whole pack, milestones included', async (t) => {
  const folder = tempFolder(t, { 'own/mirror-of-a-test.yaml': MINE });
  for (const name of ['streams.yaml', 'phases.yaml']) cpSync(join(PATTERNS, name), join(folder, name));
  assert.match((await patterns('check', folder)).out, /^ok: 1 causes, 0 symptoms, 1 signatures, \d+ milestones/);
  rmSync(join(folder, 'phases.yaml'));
  const { code, out } = await patterns('check', folder);
  assert.equal(code, 2);
  assert.match(out, /^phases\.yaml:1: is missing\n/);
});

test('check: a stream with a form of expression that is not allowed is a complaint with its line', async (t) => {
  const folder = tempFolder(t, { 'own/mirror-of-a-test.yaml': MINE });
  cpSync(join(PATTERNS, 'phases.yaml'), join(folder, 'phases.yaml'));
  const streams = readFileSync(join(PATTERNS, 'streams.yaml'), 'utf8');
  writeFileSync(join(folder, 'streams.yaml'), streams.replace("'^containerd: '", "'^containerd(?=: )'"));
  const { code, out, err } = await patterns('check', folder);
  assert.deepEqual([code, err], [2, '']);
  assert.match(out, /^streams\.yaml:\d+: containerd: lookaround is not allowed at character 12\n1 complaints: /);
});

test('check: what is no folder', async () => {
  const { code, err } = await patterns('check', '/no/such/folder');
  assert.equal(code, 2);
  assert.match(err, /\/no\/such\/folder is not a folder\./);
});

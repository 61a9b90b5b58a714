// The SSM document: what its parameters let through, what its script does with them, and what the first characters of its output hold.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { run } from '../../src/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';
import { judged, readDocument, runScript, scriptsOf, type Invocation } from './ssm-runner.ts';

const TEXT = readFileSync(join(ROOT, 'deploy/ssm-document.yaml'), 'utf8');
const DOCUMENT = readDocument(TEXT);
const NAME = 'eks-bootstrap-analyzer';
const FROM = 'https://releases.example.com/eba';
/** Every way to say who this machine is. */
const MACHINE = { x64: 'linux-x64', arm64: 'linux-arm64' }[process.arch as string];
const SUM = MACHINE === 'linux-x64' ? 'Sha256X64' : 'Sha256Arm64';
const VERDICT = `FAILED: Swap is on (swap-enabled, confidence high)
The kubelet refuses to run.

Fix
  1. Switch it off.
     node$ swapoff -a
  2. Build the image without.

Proof
  kubelet  08:00:20Z  journal
    running with swap on is not supported

Boot
  ok       Kernel and systemd
`;

interface Bench {
  readonly places: readonly string[];
  readonly given: Readonly<Record<string, string>>;
  run(given?: Readonly<Record<string, string>>, before?: string, shell?: readonly [string, ...string[]]): Invocation;
  asked(): string;
}

/** A machine without the analyzer, on which curl brings a release whose program says the verdict and ends with the code. */
function bench(t: TestContext, exitCode = 10, says = VERDICT): Bench {
  const folder = tempFolder(t, {
    [`release/${NAME}-1.0.0-${MACHINE}/bin/${NAME}`]: `#!/bin/sh\necho "$*" >>"$ASKED"\ncat "$VERDICT"\nexit ${exitCode}\n`,
    'verdict.txt': says,
    'bin/curl': '#!/bin/sh\nwhile [ "$1" != --output ]; do shift; done\ncp "$ARCHIVE" "$2"\n',
  });
  const archive = join(folder, 'a.tar.gz');
  execFileSync('tar', ['-C', join(folder, 'release'), '-czf', archive, `${NAME}-1.0.0-${MACHINE}`]);
  const places = ['one', 'two'].map((place) => join(folder, place));
  for (const place of places) mkdirSync(place);
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const given = { From: FROM, Version: '1.0.0', [SUM]: sum };
  return {
    places,
    given,
    run(more = {}, before = '', shell = ['sh', '-s']) {
      const [script] = scriptsOf(DOCUMENT, judged(DOCUMENT, { ...given, ...more }));
      const here = script!.replace('/opt /var/lib /root /run /dev/shm;', `${places.join(' ')};`);
      assert.notEqual(here, script);
      const env = {
        PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
        ARCHIVE: archive,
        VERDICT: join(folder, 'verdict.txt'),
        ASKED: join(folder, 'asked'),
      };
      return runScript(`${before}\n${here.replaceAll('/usr/local/bin/', '/nowhere/')}`, env, shell);
    },
    asked: () => (existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : ''),
  };
}

const leftIn = ({ places }: Bench): string[] => places.flatMap((place) => readdirSync(place));

test('it is of schema 2.2, and every parameter has a limit, stands in single quotes, and is used once', () => {
  assert.equal(DOCUMENT.schemaVersion, '2.2');
  assert.deepEqual(
    DOCUMENT.mainSteps.map(({ action }) => action),
    ['aws:runShellScript'],
  );
  for (const [name, { type, allowedPattern, allowedValues }] of Object.entries(DOCUMENT.parameters)) {
    assert.equal(type, 'String');
    assert.ok(allowedValues !== undefined || /^\^.*\$$/.test(allowedPattern ?? ''), name);
    assert.equal(TEXT.split(`'{{ ${name} }}'`).length, 2, name);
  }
  assert.equal(TEXT.match(/\{\{/g)?.length, Object.keys(DOCUMENT.parameters).length);
});

const ATTACKS = [
  '$(id)',
  '`id`',
  "'; id; '",
  'a"b',
  'a\nb',
  'a;b',
  'a|b',
  'a&b',
  'a>b',
  '*',
  '\\',
  'a\u0000b',
  '{{ Options }}',
];

describe('parameters', () => {
  for (const attack of ATTACKS)
    test(`none takes ${JSON.stringify(attack)}`, () => {
      for (const name of Object.keys(DOCUMENT.parameters))
        for (const value of [attack, `${FROM}${attack}`, `true\n${attack}`])
          assert.throws(
            () => judged(DOCUMENT, { [name]: value }),
            new RegExp(`^Error: the parameter ${name} is not allowed$`),
          );
    });

  test('what got past the patterns would be a word and no command', (t) => {
    const folder = tempFolder(t, {});
    const attack = `$(touch ${folder}/hit) \`touch ${folder}/hit\` "; touch ${folder}/hit;\ntouch ${folder}/hit`;
    for (const name of Object.keys(DOCUMENT.parameters)) {
      const values = judged(DOCUMENT, {}).set(name, attack);
      const [script] = scriptsOf(DOCUMENT, values);
      runScript(script!.replaceAll('/usr/local/bin/', '/nowhere/'), { PATH: '/usr/bin:/bin' });
      assert.deepEqual(readdirSync(folder), [], name);
    }
  });
});

test('status, cause, proof and fix stand first, then all of it; nothing is left behind', (t) => {
  const machine = bench(t);
  assert.deepEqual(machine.run({ Options: '--log-group /eks/x' }), {
    code: 0,
    out: `FAILED: Swap is on (swap-enabled, confidence high)
The kubelet refuses to run.

Proof
  kubelet  08:00:20Z  journal
    running with swap on is not supported

Fix
  1. Switch it off.
     node$ swapoff -a

The whole verdict

${VERDICT}`,
    err: '',
  });
  assert.equal(machine.asked(), 'diagnose --quiet --prefix never --deliver all --log-group /eks/x\n');
  assert.deepEqual(leftIn(machine), []);
});

for (const [code, wanted] of [
  [0, 0],
  [10, 10],
  [11, 11],
  [12, 12],
] as const)
  test(`a verdict with exit code ${code} is a success, unless the code is asked for`, (t) => {
    const machine = bench(t, code);
    assert.equal(machine.run().code, 0);
    assert.equal(machine.run({ ExitWithVerdict: 'true' }).code, wanted);
  });

test('no verdict is a failure with its reason', (t) => {
  const machine = bench(t, 3);
  assert.deepEqual(machine.run(), { code: 1, out: '', err: `${NAME}: no verdict (exit code 3)\n` });
  assert.deepEqual(leftIn(machine), []);
});

test('another sum, or none, and a machine that cannot be reached run nothing', (t) => {
  const machine = bench(t);
  const archive = `${FROM}/${NAME}-1.0.0-${MACHINE}.tar.gz`;
  assert.equal(
    machine.run({ [SUM]: '0'.repeat(64) }).err,
    `${NAME}: ${archive} does not have the sum that was given\n`,
  );
  assert.equal(
    machine.run({ [SUM]: '' }).err,
    `${NAME}: the parameters Version and the sum for ${MACHINE} are needed\n`,
  );
  assert.equal(machine.run({ From: '' }).err, `${NAME}: it is not installed here, and the parameter From is empty\n`);
  const down = machine.run({}, 'curl() { echo "curl: (7) Failed to connect"; return 7; }');
  assert.deepEqual([down.code, down.err], [1, `${NAME}: cannot fetch ${archive}: curl: (7) Failed to connect\n`]);
  assert.deepEqual([machine.asked(), leftIn(machine)], ['', []]);
});

test('a full disk is passed over, and where all are full that is said', (t) => {
  const machine = bench(t);
  const full = (place: string): string =>
    `df() { echo x; case $2 in ${place}) echo a b c 1000 ;; *) echo a b c 900000 ;; esac; }`;
  assert.equal(machine.run({}, full(machine.places[0]!)).code, 0);
  const { code, err } = machine.run({}, full('*'));
  assert.equal(code, 1);
  assert.match(err, /^eks-bootstrap-analyzer: no folder has 130 MB free and lets programs run/);
  assert.deepEqual(leftIn(machine), []);
});

test('a folder without execution is passed over', (t) => {
  const machine = bench(t);
  const [noexec] = machine.places;
  const mount = `mount -t tmpfs -o noexec,size=300m tmpfs ${noexec}`;
  if (spawnSync('unshare', ['-m', 'sh', '-c', mount]).status !== 0) return t.skip('mounts cannot be made here');
  const { code, out } = machine.run({}, '', ['unshare', '-m', 'sh', '-c', `${mount} && exec sh -s`]);
  assert.equal(code, 0);
  assert.match(out, /^FAILED: Swap is on/);
  assert.deepEqual(leftIn(machine), []);
});

describe('the first 2,000 characters of real verdicts', () => {
  for (const scenario of ['al2-ecr-login-hang', 'al2023-cluster-ca-mismatch', 'al2-cni-iam-denied'])
    test(scenario, async (t) => {
      const process = fakeProcess(['analyze', '--quiet', join(ROOT, 'test/scenarios', scenario, 'capture')]);
      await run(process);
      const stdout = process.out();
      const { out } = bench(t, 10, stdout).run();
      const [, proof = ''] = /\nProof\n(?<first>.*)\n/.exec(stdout) ?? [];
      const [, fix = ''] = /\nFix\n(?<first>.*)\n/.exec(stdout) ?? [];
      const start = out.slice(0, 2_000);
      for (const part of [stdout.split('\n')[0]!, proof, fix.slice(0, 500)])
        assert.ok(part !== '' && start.includes(part), part);
      assert.ok(out.endsWith(stdout) && out.length <= 24_000, String(out.length));
    });
});

test('the script is clean shell', (t) => {
  const { error, stdout } = spawnSync('shellcheck', ['--shell=sh', '--exclude=SC1091', '-'], {
    input: scriptsOf(DOCUMENT, judged(DOCUMENT, {})).join('\n'),
    encoding: 'utf8',
  });
  if (error !== undefined) return t.skip('shellcheck is not here');
  assert.equal(stdout, '');
});

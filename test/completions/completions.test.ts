// The scripts in the shells that they are for: bash is everywhere, zsh and fish where they are installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { renderBash } from '../../src/completions/bash.ts';
import { renderFish } from '../../src/completions/fish.ts';
import { renderZsh } from '../../src/completions/zsh.ts';
import { COMMANDS, OPTIONS, TOOL_NAME } from '../../src/options.ts';
import { tempFolder } from '../build/temp-folder.ts';

const NAMES = { probes: ['swap-off', 'clock-right'], causes: ['swap-enabled', 'clock-skew'] };
const LIMIT_MS = 30_000;

function run(t: TestContext, shell: string, args: readonly string[], cwd?: string): string | null {
  const { error, status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', timeout: LIMIT_MS, cwd });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    t.skip(`${shell} is not installed`);
    return null;
  }
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  return stdout;
}

/** What a shell offers for the last word of each line. */
const OFFERED: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['', [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!)), 'help']],
  ['an', ['analyze']],
  ['patterns ', ['check', 'list', 'new', 'show']],
  ['patterns show sw', ['swap-enabled']],
  ['analyze x.log --fo', ['--format']],
  ['analyze no', ['node.log']],
  ['analyze --format ', OPTIONS.find(({ name }) => name === 'format')!.values!],
  ['watch --format ', ['text', 'json']],
  ['diagnose --probe sw', ['swap-off']],
  ['watch --dea', ['--deadline']],
  ['analyze --dea', []],
  ['completions ', ['bash', 'fish', 'zsh']],
  ['help pro', ['probes']],
];

const sorted = (words: readonly string[]): string[] => words.filter((word) => word !== '').toSorted();

test('bash offers what the tables hold', (t) => {
  const folder = tempFolder(t, { script: renderBash(NAMES), 'node.log': '' });
  const ask = `source ./script; IFS=' '; read -r -a COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _eks_bootstrap_analyzer; printf '%s\\n' "\${COMPREPLY[@]}"`;
  for (const [line, offered] of OFFERED) {
    const answer = run(t, 'bash', ['--norc', '-c', ask, 'bash', `${TOOL_NAME} ${line}`], folder);
    assert.deepEqual(sorted(answer?.split('\n') ?? []), sorted(offered), line);
  }
});

test('bash goes on with a list behind its comma, and with a value behind =', (t) => {
  const folder = tempFolder(t, { script: renderBash(NAMES) });
  const ask = (...words: string[]) =>
    run(
      t,
      'bash',
      [
        '--norc',
        '-c',
        'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _eks_bootstrap_analyzer; echo "${COMPREPLY[*]}"',
        'bash',
        TOOL_NAME,
        ...words,
      ],
      folder,
    );
  assert.equal(ask('watch', '--probe', 'swap-off,clo'), 'swap-off,clock-right\n');
  assert.equal(ask('analyze', '--format', '=', 'j'), 'json\n');
  assert.match(ask('analyze', '--format', '=')!, /^text json/);
  assert.equal(ask('--format', 'json', 'wa'), 'watch\n');
});

test('fish offers what the tables hold', (t) => {
  const folder = tempFolder(t, { script: renderFish(NAMES), 'node.log': '' });
  for (const [line, offered] of OFFERED) {
    const ask = `source ./script; complete -C '${TOOL_NAME} ${line}'`;
    const answer = run(t, 'fish', ['--no-config', '-c', ask], folder);
    if (answer === null) return;
    assert.deepEqual(sorted(answer.split('\n').map((row) => row.split('\t')[0]!)), sorted(offered), line);
  }
});

test('zsh reads the script and binds it', (t) => {
  const folder = tempFolder(t, { [`_${TOOL_NAME}`]: renderZsh(NAMES) });
  if (run(t, 'zsh', ['-n', join(folder, `_${TOOL_NAME}`)]) === null) return;
  const ask = `autoload -U compinit; compinit -D -u; source ./_${TOOL_NAME}; print -r -- $_comps[${TOOL_NAME}]`;
  assert.equal(run(t, 'zsh', ['-f', '-c', ask], folder), `_${TOOL_NAME}\n`);
});

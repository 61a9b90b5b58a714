import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT_CODES, exitCodeOf } from '../../src/exit-codes.ts';
import { renderHelp, wholeLine } from '../../src/help.ts';
import { nearest } from '../../src/nearest.ts';
import { renderOptionsTable } from '../../build/readme-tables.ts';
import { COMMANDS, OPTIONS } from '../../src/options.ts';
import { parseArguments } from '../../src/parse-arguments.ts';

test('the help names every command, option and exit code, in lines of a terminal', () => {
  const help = renderHelp([]);
  for (const { name } of COMMANDS) assert.ok(help.includes(`  ${name}`), name);
  for (const { name } of OPTIONS) assert.ok(help.includes(`--${name}`), name);
  for (const { meaning } of EXIT_CODES) assert.ok(help.includes(meaning), meaning);
  assert.ok(help.split('\n').every((line) => line.length <= 100));
});

test('the help of a command names its own options only', () => {
  const help = renderHelp(COMMANDS.filter(({ name }) => name === 'patterns list'));
  assert.ok(help.startsWith('Usage: eks-bootstrap-analyzer patterns list [options]\n'));
  assert.ok(help.includes('--format') && !help.includes('--root') && !help.includes('--quiet'));
});

test('the help of a command names the formats that it takes and no others', () => {
  const operands = { 'PATH…': ['x'], ID: ['swap-enabled'], '[DIR]': [], 'GROUP/ID': ['a/b'], SHELL: ['bash'] };
  for (const command of COMMANDS) {
    const [shown = ''] = /How the answer is written\.[^]*? Default:/.exec(renderHelp([command])) ?? [];
    const words = [...command.name.split(' '), ...(command.operands === null ? [] : operands[command.operands])];
    for (const format of OPTIONS[0]!.values!) {
      const take = (): unknown => parseArguments([...words, '--format', format]);
      if (shown.includes(format)) take();
      else assert.throws(take, /does not belong/, `${command.name} ${format}`);
    }
  }
});

test('the help of a first word names what may follow, and every example is a command that is taken', () => {
  const patterns = COMMANDS.filter(({ name }) => name.startsWith('patterns '));
  assert.match(renderHelp(patterns), /^Usage:\n {2}patterns list +List/);
  const lines = COMMANDS.flatMap(({ examples }) => examples.map(([line]) => wholeLine(line)));
  for (const line of lines) {
    const words = /eks-bootstrap-analyzer (?<words>[^|)]+)/.exec(line.replace(/.*\|\n\s*/, ''))!.groups!['words']!;
    assert.equal(parseArguments(words.trim().split(' ')).kind, 'command', line);
  }
});

test('the Markdown table has a row for each option', () => {
  const rows = renderOptionsTable().split('\n').slice(2);
  assert.deepEqual(
    rows.map((row) => /^\| `--(?<name>[\w-]+)/.exec(row)?.groups?.['name']),
    OPTIONS.map(({ name }) => name),
  );
});

test('exit codes follow the status', () => {
  assert.deepEqual(
    (['ready', 'failed', 'stalled', 'unknown', 'bootstrapping'] as const).map(exitCodeOf),
    [0, 10, 11, 11, 12],
  );
});

test('a near miss is suggested, a far one is not', () => {
  assert.equal(nearest('--fromat', ['--format', '--output']), '--format');
  assert.equal(nearest('diag', ['analyze', 'diagnose']), 'diagnose');
  assert.equal(nearest('zzz', ['analyze', 'diagnose']), null);
  assert.equal(nearest('x'.repeat(100_000), ['analyze']), null);
});

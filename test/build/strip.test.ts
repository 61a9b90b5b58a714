// What is taken off the Node binary: all that a running program never maps, and nothing else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutSymbols } from '../../build/strip.ts';
import { tempFolder } from './temp-folder.ts';

test('this Node runs without its symbols, is a tenth smaller, and a second time changes nothing', (t) => {
  const whole = readFileSync(process.execPath);
  const stripped = withoutSymbols(whole);
  assert.ok(stripped.length < whole.length * 0.9, String(stripped.length / whole.length));
  assert.ok(withoutSymbols(stripped).equals(stripped));
  const file = join(tempFolder(t, {}), 'node');
  writeFileSync(file, stripped, { mode: 0o755 });
  const { stdout, stderr } = spawnSync(file, ['--print', 'process.version'], { encoding: 'utf8' });
  assert.deepEqual({ stdout, stderr }, { stdout: `${process.version}\n`, stderr: '' });
});

test('what is no such program is refused', () => {
  assert.throws(() => withoutSymbols(Buffer.from('#!/bin/sh\n')), /not a little-endian 64-bit ELF file/);
});

test('a file whose mapped sections do not come first is refused: the numbers of sections would change', () => {
  const elf = Buffer.alloc(64 + 3 * 64);
  elf.write('\x7fELF\x02\x01', 'latin1');
  elf.writeBigUInt64LE(64n, 0x28);
  elf.writeUInt16LE(3, 0x3c);
  elf.writeBigUInt64LE(2n, 64 + 2 * 64 + 8);
  assert.throws(() => withoutSymbols(elf), /not mapped stands before one that is/);
});

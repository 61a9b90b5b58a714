import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REASONS } from '../../src/commands/print-verdict.ts';
import { ROOT } from '../../build/project.ts';

/** Codes as they stand in the source: `code: 'entries-cut'` in a note. */
const IN_NOTES = /what[^\n{}]*\bcode: '(?<code>[a-z-]+)'/g;

test('every code that a verdict can hold has its sentence', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const codes = files.flatMap((file) =>
    [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(IN_NOTES)].map((match) => match.groups!['code']!),
  );
  assert.ok(codes.length > 5);
  assert.deepEqual(
    codes.filter((code) => REASONS[code as keyof typeof REASONS] === undefined),
    [],
  );
});

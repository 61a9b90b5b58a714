// What is left of the language data in a Node binary: enough for English and for every text that the analyzer reads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withSmallIcu } from '../../build/small-icu.ts';
import { withoutSymbols } from '../../build/strip.ts';
import { tempFolder } from './temp-folder.ts';

/** German is a language that was there. */
const PROGRAM = `
const utf16 = (name) => new TextDecoder(name).decode(name === 'utf-16le' ? Uint8Array.of(0xe9, 0) : Uint8Array.of(0, 0xe9));
console.log(JSON.stringify({
  dates: ['en', 'de'].map((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(0)),
  texts: ['utf-16le', 'utf-16be'].map(utf16),
  properties: /^\\p{Cf}\\p{Lu}$/u.test('\\u200bÉ'),
  normal: 'ﬁ'.normalize('NFKC'),
  order: ['b', 'ä', 'a'].toSorted((one, other) => one.localeCompare(other)),
  lower: 'İI'.toLocaleLowerCase('tr'),
}));`;

test('without the other languages a Node runs, is 25 MB smaller, and answers in English', (t) => {
  const stripped = withoutSymbols(readFileSync(process.execPath));
  const small = withSmallIcu(stripped);
  assert.ok(stripped.length - small.length > 25e6, String(stripped.length - small.length));
  const file = join(tempFolder(t, {}), 'node');
  writeFileSync(file, small, { mode: 0o755 });
  const { stdout, stderr } = spawnSync(file, ['-e', PROGRAM], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.deepEqual(JSON.parse(stdout), {
    dates: ['Thursday, January 1, 1970', 'Thursday, January 1, 1970'],
    texts: ['é', 'é'],
    properties: true,
    normal: 'fi',
    order: ['a', 'ä', 'b'],
    lower: 'iı',
  });
  assert.throws(() => withSmallIcu(small), /ends with what is needed/);
});

test('what holds no such data is refused', () => {
  assert.throws(() => withSmallIcu(Buffer.from('CmnD and nothing before it'.padStart(80))), /no data of ICU/);
});

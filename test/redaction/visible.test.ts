import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible, visibleLines } from '../../src/redaction/visible.ts';

const CASES: readonly (readonly [string, string, string])[] = [
  ['a terminal escape', 'a\u001b[2Jb', 'a\\x1b[2Jb'],
  ['a line break', 'a\nb\r\nc', 'a\\nb\\r\\nc'],
  ['NUL and DEL', 'a\0b\u007f', 'a\\x00b\\x7f'],
  ['C1 controls', '\u009b31m', '\\x9b31m'],
  ['bidi controls', 'a\u202etxt.exe\u2066', 'a\\u202etxt.exe\\u2066'],
  ['zero width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
  ['line separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
  ['invalid UTF-8', 'a\ufffdb', 'a\\ufffdb'],
  ['a lone surrogate', 'a\ud83db', 'a\\ud83db'],
  ['tag characters', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['plain text, tabs, accents, CJK and emoji', 'a\tb é 漢字 😀', 'a\tb é 漢字 😀'],
];

for (const [name, text, expected] of CASES) test(name, () => assert.equal(visible(text), expected));

test('lines of the pack keep their breaks', () => assert.equal(visibleLines('a\nb\u001b'), 'a\nb\\x1b'));

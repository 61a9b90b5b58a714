import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINE_MAX_BYTES, LineCutter } from '../../../src/sources/follow/line-splitter.ts';

/** All that comes out of the chunks, and how many lines were cut. */
function cut(chunks: readonly string[]): { readonly pushes: readonly string[]; readonly cutLines: number } {
  const pushes: string[] = [];
  let cutLines = 0;
  const cutter = new LineCutter(
    (lines) => pushes.push(lines.toString('latin1')),
    () => cutLines++,
  );
  for (const chunk of chunks) cutter.take(Buffer.from(chunk, 'latin1'));
  cutter.end();
  return { pushes, cutLines };
}

const WIDE = 'x'.repeat(LINE_MAX_BYTES);

test('whole lines are pushed together, a part is held until its end comes', () => {
  assert.deepEqual(cut(['a\nb\nc', 'c', 'c\nd\n\n']).pushes, ['a\nb\n', 'ccc\n', 'd\n\n']);
  assert.deepEqual(cut(['a', '\n', '\n']).pushes, ['a\n', '\n']);
});

test('a last line without an end is pushed at the end', () => {
  assert.deepEqual(cut(['a\nb']).pushes, ['a\n', 'b\n']);
  assert.deepEqual(cut(['a\n']).pushes, ['a\n']);
  assert.deepEqual(cut([]).pushes, []);
});

test('a line is at most 1 MiB long, wherever its chunks end', () => {
  assert.deepEqual(cut([WIDE, '\nb\n']), { pushes: [`${WIDE}\n`, 'b\n'], cutLines: 0 });
  assert.deepEqual(cut([WIDE, 'y', 'y\nb\n']), { pushes: [`${WIDE}\n`, 'b\n'], cutLines: 1 });
  assert.deepEqual(cut([WIDE.slice(1), 'xy\nb\n']), { pushes: [`${WIDE}\n`, 'b\n'], cutLines: 1 });
  assert.deepEqual(cut([`a\n${WIDE}`, 'y', '\n', `${WIDE}y`]), {
    pushes: ['a\n', `${WIDE}\n`, `${WIDE}\n`],
    cutLines: 2,
  });
});

test('a line that comes byte by byte', () => {
  const line = `${'x'.repeat(300)}\n`;
  assert.deepEqual(cut(line.repeat(2).split('')).pushes, [line, line]);
});

test('a hole before a line is left out', () => {
  assert.deepEqual(cut(['\0\0\0', '\0\0a\n', '\0b', '\n']).pushes, ['a\n', 'b\n']);
  assert.deepEqual(cut(['a\n\0\0', '\0b\n\0']).pushes, ['a\n', 'b\n']);
});

test('a line that has begun is shown as it stands, and comes again as a whole', () => {
  const pushes: string[] = [];
  const cutter = new LineCutter(
    (lines) => pushes.push(lines.toString('latin1')),
    () => {},
  );
  const play = (...steps: readonly (string | null)[]): string[] => {
    for (const step of steps)
      if (step === null) cutter.show();
      else cutter.take(Buffer.from(step, 'latin1'));
    cutter.end();
    return pushes.splice(0);
  };
  assert.deepEqual(play('a\nha', null, null, 'lf\nb'), ['a\n', 'ha\n', 'half\n', 'b\n']);
  assert.deepEqual(play('half', null, '\nb\n'), ['half\n', 'b\n'], 'only its end was missing');
  assert.deepEqual(play('half', null), ['half\n'], 'not once more at the end');
  assert.deepEqual(play('ha', null, 'lf'), ['ha\n', 'half\n']);
  assert.deepEqual(play('a\n', null), ['a\n']);
  assert.equal(play(...Array.from({ length: 100 }, () => ['.', null]).flat()).length, 9, 'a row of dots');
});

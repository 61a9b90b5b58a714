import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeStream } from '../../../src/sinks/local/stream.ts';
import { errorWithCode, fakeStream } from '../../cli/fake-process.ts';

test('resolves when the text is written', async () => {
  const stream = fakeStream(false);
  await writeStream(stream, 'a\n');
  assert.equal(stream.text(), 'a\n');
});

test('a reader that went away is no error', async () => {
  await writeStream(fakeStream(false, errorWithCode('EPIPE')), 'a\n');
});

test('any other failure is', async () => {
  await assert.rejects(writeStream(fakeStream(false, errorWithCode('ENOSPC')), 'a\n'), /ENOSPC/);
});

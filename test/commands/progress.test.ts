import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from '../../src/commands/progress.ts';
import { fakeStream } from '../cli/fake-process.ts';

const MB = 1e6;

test('a terminal gets one line that is rewritten and taken away', () => {
  const stream = fakeStream(true);
  const progress = createProgress(stream, 100 * MB, false);
  for (let read = 0; read <= 100; read++) progress.at(read * MB, 'bundle.tar.gz!messages');
  progress.end();
  assert.match(
    stream.text().replaceAll('\u001b[K', '<clear>'),
    /^\r<clear>eks-bootstrap-analyzer: read \d+ MB of 100 MB, now bundle\.tar\.gz!messages[^\n]*\r<clear>$/,
  );
});

test('a log gets a line each 200 MB', () => {
  const stream = fakeStream(false);
  const progress = createProgress(stream, 1_000 * MB, false);
  for (let read = 0; read <= 500; read += 50) progress.at(read * MB, read < 300 ? 'messages' : 'kubelet.log');
  progress.end();
  assert.equal(
    stream.text(),
    'eks-bootstrap-analyzer: read 200 MB of 1000 MB, now messages\neks-bootstrap-analyzer: read 400 MB of 1000 MB, now kubelet.log\n',
  );
});

test('sizes that nobody announced count as they are read', () => {
  const stream = fakeStream(false);
  createProgress(stream, 0, false).at(450 * MB, 'messages');
  assert.equal(stream.text(), 'eks-bootstrap-analyzer: read 450 MB, now messages\n');
});

test('silent for small inputs and when asked to be quiet', () => {
  const streams = [fakeStream(true), fakeStream(true), fakeStream(false)] as const;
  for (const [stream, total, quiet] of [
    [streams[0], 40, false],
    [streams[1], 500, true],
    [streams[2], 500, true],
  ] as const) {
    const progress = createProgress(stream, total * MB, quiet);
    progress.at(total * MB, 'messages');
    progress.end();
    assert.equal(stream.text(), '');
  }
});

test('a file name can neither move the cursor nor break the line, and never takes a second row', () => {
  const stream = fakeStream(true);
  createProgress(stream, 100 * MB, false).at(60 * MB, `\u001b[2J\n${'x'.repeat(500)}`);
  const [, line] = stream.text().split('\r\u001b[K');
  assert.match(line!, /^eks-bootstrap-analyzer: read 60 MB of 100 MB, now [ -~…]+$/);
  assert.equal(line!.length, 79);
});

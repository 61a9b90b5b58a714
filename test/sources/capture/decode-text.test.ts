import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentKind } from '../../../src/sources/capture/content-kind.ts';
import { decodeText } from '../../../src/sources/capture/decode-text.ts';
import { bytesSource, readUpTo } from '../../../src/sources/capture/peek.ts';

async function decoded(bytes: Buffer): Promise<string> {
  return (await readUpTo(await decodeText(bytesSource(bytes)), 4 * 1024 * 1024)).toString('utf8');
}

const LINES = 'first line\r\nzweite Zeile: ünïcode 😀\r\n';

test('UTF-16 with a mark becomes UTF-8, in both byte orders', async () => {
  const little = Buffer.from(`\ufeff${LINES}`, 'utf16le');
  assert.equal(await decoded(little), LINES);
  assert.equal(await decoded(Buffer.from(little).swap16()), LINES);
});

test('UTF-16 without a mark is told by its zeros, in both byte orders', async () => {
  const line = 'Nov 20 11:22:33 ip-10-0-0-1 kubelet[1840]: zweite Zeile: ünïcode 😀\r\n';
  const little = Buffer.from(line.repeat(200), 'utf16le');
  assert.equal(await decoded(little), line.repeat(200));
  assert.equal(await decoded(Buffer.from(little).swap16()), line.repeat(200));
  assert.deepEqual(contentKind(little), { is: 'text', exported: false });
  assert.deepEqual(contentKind(Buffer.from('__CURSOR=s=1\n__REALTIME_TIMESTAMP=17410\n', 'utf16le')).is, 'text');
});

test('what only resembles UTF-16 without a mark is left as it is', async () => {
  const numbers = Buffer.alloc(4096);
  for (let at = 0; at < numbers.length; at += 2) numbers.writeUInt16LE((at * 7) % 300, at);
  assert.equal(contentKind(numbers).is, 'binary');
  const short = Buffer.from('short', 'utf16le');
  assert.equal(await decoded(short), short.toString('utf8'));
  const padded = Buffer.from(`plain text, then zeros${'\0'.repeat(40)}`);
  assert.equal(await decoded(padded), padded.toString('utf8'));
});

test('UTF-16 longer than one chunk keeps the characters that the chunks cut', async () => {
  const long = '😀x'.repeat(300_000);
  assert.equal(await decoded(Buffer.from(`\ufeff${long}`, 'utf16le')), long);
});

test('a mark of UTF-8 is dropped, nothing else is touched', async () => {
  assert.equal(await decoded(Buffer.from(`\ufeff${LINES}`, 'utf8')), LINES);
  assert.equal(await decoded(Buffer.from(LINES)), LINES);
  assert.equal(await decoded(Buffer.alloc(0)), '');
});

const CONSOLE = `[    0.000000] Linux version 6.1\n${'[    1.000000] something\n'.repeat(40)}`;

test('a console output comes out of its JSON, encoded or not', async () => {
  const json = (output: string): Buffer =>
    Buffer.from(
      JSON.stringify({ InstanceId: 'i-0123456789abcdef0', Output: output, Timestamp: '2025-04-01T00:00:00Z' }, null, 4),
    );
  // EC2 says when it took the output: until then nothing more was printed.
  const taken = '-- Logs begin at the start of this boot, end at Tue 2025-04-01 00:00:00 UTC. --\n';
  assert.equal(await decoded(json(CONSOLE)), taken + CONSOLE);
  assert.equal(await decoded(json(Buffer.from(CONSOLE).toString('base64'))), taken + CONSOLE);
  assert.equal(await decoded(Buffer.from(JSON.stringify({ Output: CONSOLE }))), CONSOLE);
});

test('a console output comes out of bare base64, wrapped or not', async () => {
  const encoded = Buffer.from(CONSOLE).toString('base64');
  assert.equal(await decoded(Buffer.from(encoded)), CONSOLE);
  assert.equal(await decoded(Buffer.from(encoded.replaceAll(/.{76}/g, '$&\n'))), CONSOLE);
});

test('what only looks like one is left as it is', async () => {
  for (const text of [
    '{"Output":"cut off in the mid',
    `{"Output":"x"}\n{"Output":"y"}\n`,
    `{"Output":["x"]}`,
    'a'.repeat(1000),
    `{"MESSAGE":"the field \\"Output\\": is mentioned"}\n`,
    `{"Output":"${'x'.repeat(3 * 1024 * 1024)}`,
  ])
    assert.equal(await decoded(Buffer.from(text)), text);
});

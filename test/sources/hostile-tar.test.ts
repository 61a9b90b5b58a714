// Every field of a tar header and of a pax header with values that no tar writes: never a crash, and the sound member beside
// the hostile one still gives a verdict.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../src/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';
import { ended, HEADER_FIELDS, type HeaderField, paxHeader, tarMember } from './hostile-tar.ts';

const LOG = Buffer.from('Feb  3 10:00:00 ip-10-0-0-1 kubelet[7]: hello\n');
const BASE_256 = (bytes: number, fill: number): Buffer =>
  Buffer.concat([Buffer.from([0x80]), Buffer.alloc(bytes - 1, fill)]);
const WRITTEN = [
  '',
  ' ',
  'abc',
  '-1',
  '1e400',
  '-1e400',
  'NaN',
  'Infinity',
  '9'.repeat(40),
  '0x7f',
  '1.5',
  '\u0000\u0001',
  '../../etc/passwd',
  '/',
  '\ud800',
];
const HUGE_SECONDS = Buffer.from([0x80, 0, 0, 0, 0, 0x1f, 0xf9, 0x73, 0xca, 0xfa, 0x80, 0]);

function valuesOf(field: HeaderField): Buffer[] {
  const bytes = HEADER_FIELDS[field][1];
  return [
    ...WRITTEN.map((text) => Buffer.from(text)),
    Buffer.from('7'.repeat(bytes)),
    BASE_256(bytes, 0xff),
    Buffer.alloc(bytes, 0xff),
    HUGE_SECONDS,
  ];
}

const SOUND = tarMember('var/log/messages', LOG);
const CASES: readonly (readonly [title: string, tar: Buffer])[] = [
  ...(Object.keys(HEADER_FIELDS) as HeaderField[]).flatMap((field) =>
    valuesOf(field).map(
      (value, n) => [`${field} ${n}`, ended(SOUND, tarMember('var/log/syslog', LOG, { [field]: value }))] as const,
    ),
  ),
  ...[
    'mtime',
    'atime',
    'size',
    'path',
    'linkpath',
    'uid',
    'hdrcharset',
    'GNU.sparse.realsize',
    '__proto__',
    'constructor',
  ].flatMap((key) =>
    (['x', 'g'] as const).flatMap((type) =>
      WRITTEN.map(
        (value, n) =>
          [
            `pax ${type} ${key} ${n}`,
            ended(SOUND, paxHeader({ [key]: value }, type), tarMember('var/log/syslog', LOG)),
          ] as const,
      ),
    ),
  ),
];

test(`no header field of a tar makes a crash (${CASES.length} archives)`, async (t) => {
  const folder = tempFolder(t, {});
  const file = join(folder, 'bundle.tar');
  let fine = 0;
  for (const [title, tar] of CASES) {
    writeFileSync(file, tar);
    const process = fakeProcess(['analyze', file, '--format', 'json', '--prefix', 'never', '--quiet']);
    const code = await run(process);
    assert.ok([10, 11, 12].includes(code), `${title}: exit ${code}: ${process.err()}`);
    fine++;
  }
  console.log(`tried ${CASES.length}, fine ${fine}`);
});

// Every sample of the pack in every wrapping, alone and in another one, gives the lines that it holds, and so the same cause.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from '../../build/project.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { undoWrapping } from '../../src/sources/capture/wrapping/undo-wrapping.ts';
import { readAlone } from './read-lines.ts';
import { matchSample, streamOf } from './sample-checks.ts';
import { type Subject, subjectsOf } from './subjects.ts';
import { type Wrapping, WRAPPINGS } from './wrappings.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
/** Lists of one moment are no logs: they are read as they are. */
const snapshots = new Set(pack.streamTable.streams.filter(({ snapshot }) => snapshot).map(({ name }) => name));
const samples = subjectsOf(sources, pack).flatMap((subject) =>
  subject.samples.match.flatMap(({ line, ...sample }, index) =>
    snapshots.has(streamOf(subject, sample) ?? '') ? [] : [{ subject, index, text: `${line}\n` }],
  ),
);
/** Of every sample, so many pairs; over all samples each pair comes often. */
const PAIRS_EACH = 4;
const pairs = WRAPPINGS.flatMap((inner) =>
  WRAPPINGS.flatMap((outer) => (isPossible(inner, outer) ? [[inner, outer] as const] : [])),
);

/** Nothing is boxed twice, a window breaks lines once, and what a page shows it does not break in the middle of a character's name. */
function isPossible(inner: Wrapping, outer: Wrapping): boolean {
  const isBreak = ({ name }: Wrapping): boolean => name.startsWith('hard-wrapped');
  const isBox = ({ name }: Wrapping): boolean => name.endsWith('box');
  return (
    inner !== outer &&
    !(isBox(inner) && isBox(outer)) &&
    !inner.isDocument &&
    !(isBreak(outer) && (isBreak(inner) || inner.name === 'HTML entities'))
  );
}

function complaintOf(
  { subject, index, text }: (typeof samples)[number],
  wrappings: readonly Wrapping[],
): string | null {
  const wrapped = wrappings.reduce((inner, wrapping) => wrapping.wrap(inner), text);
  const undone = undoWrapping(wrapped) ?? wrapped;
  return isSame(undone, text) || matches(subject, index, undone)
    ? null
    : `${subject.pattern.key} ${index}: ${wrappings.map(({ name }) => name).join(', then ')}\n${wrapped}→\n${undone}`;
}

function isSame(undone: string, text: string): boolean {
  return bare(undone) === bare(text);
}

function bare(text: string): string {
  return text.replace(/^20\d\d-\S+Z stdout F /gm, '').replace(/[ \r]+$/gm, '');
}

function matches(subject: Subject, index: number, text: string): boolean {
  const plain = matchSample(pack, subject, index);
  const stream = streamOf(subject, subject.samples.match[index]!);
  const seen = readAlone(pack, subject.pattern, {
    bytes: Buffer.from(text),
    stream: stream === 'unknown' ? null : stream,
    exported: false,
  });
  return (
    seen !== undefined &&
    plain !== undefined &&
    isDeepStrictEqual(Object.keys(seen.captures), Object.keys(plain.captures))
  );
}

function none(complaints: readonly string[], of: number): void {
  assert.ok(
    complaints.length === 0,
    `${complaints.length} of ${of}\n${complaints.slice(0, Number(process.env['SHOWN'] ?? 12)).join('\n')}`,
  );
}

test('every sample in every wrapping', () => {
  none(
    samples.flatMap((sample) => WRAPPINGS.flatMap((wrapping) => complaintOf(sample, [wrapping]) ?? [])),
    samples.length * WRAPPINGS.length,
  );
});

test('every sample in a wrapping in another', () => {
  const complaints = samples.flatMap((sample, s) =>
    Array.from({ length: PAIRS_EACH }, (_, i) =>
      complaintOf(sample, pairs[((s * PAIRS_EACH + i) * 31) % pairs.length]!),
    ).filter((complaint) => complaint !== null),
  );
  none(complaints, samples.length * PAIRS_EACH);
});

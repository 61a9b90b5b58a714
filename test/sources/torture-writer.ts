// The writer of the follower's torture test: a process of its own that writes numbered lines, and renames, empties and copies
// the file under way, at moments that its seed gives. Reports which lines were in which filling.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Filling, type FillingEnd, lineOf, type Plan, randomOf, type ToReader } from './torture.ts';

const plan = JSON.parse(process.argv[2]!) as Plan;
const random = randomOf(plan.seed);
const path = join(plan.folder, plan.file);
const fillings: Filling[] = [];
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let written = 0;
let filledFrom = 0;
let file = -1;
let position = 0;

function upTo(max: number): number {
  return Math.floor(random() * max);
}

function tell(message: ToReader): void {
  process.send!(message);
}

function open(): void {
  file = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  position = 0;
}

function write(text: string): void {
  position += writeSync(file, text, position, 'latin1');
}

function writeLines(count: number): void {
  const lines: string[] = [];
  for (let at = 0; at < count; at++) lines.push(`${lineOf(written++)}\n`);
  const text = lines.join('');
  // Now and then the reader finds half a line.
  const cut = upTo(4) === 0 ? upTo(text.length) : 0;
  if (cut > 0) write(text.slice(0, cut));
  write(text.slice(cut));
}

function endFilling(by: FillingEnd): void {
  fillings.push({ first: filledFrom, end: written, by });
  filledFrom = written;
}

/** As logrotate does it: every older file moves up by one. */
function makeRoom(): void {
  let last = 1;
  while (existsSync(`${path}.${last}`)) last++;
  for (let at = last; at > 1; at--) renameSync(`${path}.${at - 1}`, `${path}.${at}`);
}

function rename(): void {
  makeRoom();
  renameSync(path, `${path}.1`);
  const old = file;
  const oldPosition = position;
  open();
  if (upTo(2) === 0) {
    // The program behind the log goes on with the old file until it is told.
    const fresh = file;
    file = old;
    position = oldPosition;
    writeLines(upTo(30));
    file = fresh;
    position = 0;
  }
  closeSync(old);
  endFilling('renamed');
}

async function empty(): Promise<void> {
  const kind = (['waited', 'emptied', 'emptied', 'copied'] as const)[upTo(4)]!;
  if (kind === 'waited' && written > filledFrom) {
    tell({ kind: 'wait-for', line: written - 1 });
    await once(process, 'message');
  }
  if (kind === 'copied') {
    makeRoom();
    copyFileSync(path, `${path}.1`);
  }
  ftruncateSync(file, 0);
  // A program that does not append goes on at its old place: a hole comes before its next line.
  if (upTo(4) > 0) position = 0;
  endFilling(kind);
}

interface Moment {
  readonly line: number;
  readonly act: () => void | Promise<void>;
}

/** Line numbers at which something happens, in order. */
const moments: readonly Moment[] = [
  ...Array.from({ length: plan.renames }, () => ({ line: upTo(plan.lines), act: rename })),
  ...Array.from({ length: plan.truncations }, () => ({ line: upTo(plan.lines), act: empty })),
].sort((a, b) => a.line - b.line);

Atomics.wait(sleeper, 0, 0, upTo(30));
mkdirSync(plan.folder, { recursive: true });
open();
const last: Moment = { line: plan.lines, act: () => endFilling('last') };
for (const { line, act } of [...moments, last]) {
  while (written < line) {
    writeLines(Math.min(line - written, 1 + upTo(upTo(10) === 0 ? 2_000 : 60)));
    if (upTo(8) === 0) Atomics.wait(sleeper, 0, 0, 1 + upTo(4));
  }
  await act();
}
tell({ kind: 'done', fillings });
process.disconnect();

// Makes the logs of the benchmark under dist/bench, the same bytes for the same pack, and reuses those that are there.
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DIST } from '../../build/project.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
import type { PackSources } from '../../src/signatures/compile.ts';
import type { Pack } from '../../src/types.ts';
import { createRandom } from '../matching/random.ts';
import { exportForm, type Line, shortForm } from './line.ts';
import { benignLines, interestingLines } from './telling-lines.ts';
import { CONTAINERD, IPAMD, KUBELET, SYSTEM } from './templates.ts';
import { createFiller, type Filler } from './values.ts';

const FOLDER = join(DIST, 'bench');
const MB = 1_000_000;
const BASE_BYTES = 200 * MB;
/** All fields of a journal make it six times as large: a quarter of the log will do. */
const PART_BYTES = 50 * MB;
const REPEATS = 5;
const STEP_MS = 90;
const START_MS = Date.UTC(2025, 4, 6, 8, 15, 44);
const INTERESTING_PER_10000 = 5;
const BENIGN_PER_10000 = 100;

export interface LogFiles {
  /** One literal a line. */
  readonly literals: string;
  readonly mixed: string;
  /** The same repeated to 1 GB. */
  readonly large: string;
  /** The same entries as a journal in export form, with the fields that the analyzer asks for. */
  readonly exported: string;
  /** The first quarter, and the same with every field of a real journal. */
  readonly part: string;
  readonly partAllFields: string;
}

export function makeLogFiles(sources: PackSources, pack: Pack): LogFiles {
  const key = keyOf(pack);
  const path = (name: string, extension: string): string => join(FOLDER, `${name}-${key}.${extension}`);
  const files: LogFiles = {
    literals: path('literals', 'txt'),
    mixed: path('mixed-200', 'log'),
    large: path('mixed-1000', 'log'),
    exported: path('mixed-200', 'export'),
    part: path('mixed-50', 'log'),
    partAllFields: path('mixed-50', 'export'),
  };
  mkdirSync(FOLDER, { recursive: true });
  const wanted = new Set(Object.values(files));
  for (const name of readdirSync(FOLDER)) if (!wanted.has(join(FOLDER, name))) rmSync(join(FOLDER, name));
  if ([...wanted].every((file) => existsSync(file))) return files;

  const literals = [...new Set(patternsOf(pack).flatMap((pattern) => pattern.literals))];
  writeFileSync(files.literals, `${literals.join('\n')}\n`);
  writeLines(entries(sources, pack, BASE_BYTES), [
    [files.mixed, shortForm],
    [files.exported, (line, index) => exportForm(line, index, false)],
  ]);
  writeLines(entries(sources, pack, PART_BYTES), [
    [files.part, shortForm],
    [files.partAllFields, (line, index) => exportForm(line, index, true)],
  ]);
  repeat(files.mixed, files.large);
  return files;
}

/** Changes with the pack and with everything that makes the lines. */
function keyOf(pack: Pack): string {
  const hash = createHash('sha256').update(pack.digest);
  for (const name of readdirSync(import.meta.dirname).sort())
    hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Lines until their short form has as many bytes as asked for. */
function* entries(sources: PackSources, pack: Pack, bytes: number): Generator<Line> {
  const random = createRandom(20250506);
  const filler = createFiller(random);
  const interesting = interestingLines(sources, pack);
  const benign = benignLines(pack);
  const idle = idleTemplates(filler, pack);
  let nowMs = START_MS;
  for (let written = 0; written < bytes; nowMs += random.int(2 * STEP_MS)) {
    const lot = random.int(10_000);
    const line =
      lot < INTERESTING_PER_10000
        ? { ...random.pick(interesting), nowMs }
        : lot < INTERESTING_PER_10000 + BENIGN_PER_10000
          ? { ...random.pick(benign), nowMs }
          : random.pick(idle)(nowMs);
    written += Buffer.byteLength(shortForm(line));
    yield line;
  }
}

type Template = (nowMs: number) => Line;

/** Templates of lines without a literal, as often as a node at work writes them. */
function idleTemplates(filler: Filler, pack: Pack): Template[] {
  const kubelet = KUBELET.map((text): Template => (nowMs) => ({
    name: 'kubelet[2291]',
    unit: 'kubelet.service',
    nowMs,
    text: klog(filler, text, nowMs),
  }));
  const containerd = CONTAINERD.map((text): Template => (nowMs) => ({
    name: 'containerd[1827]',
    unit: 'containerd.service',
    nowMs,
    text: filler.fill(`time="{stamp}" ${text}`, nowMs),
  }));
  const ipamd = IPAMD.map((text): Template => (nowMs) => ({
    name: null,
    unit: null,
    nowMs,
    text: filler.fill(`{"level":"debug","ts":"{stamp}",${text}}`, nowMs),
  }));
  const system = SYSTEM.map(([name, text]): Template => (nowMs) => ({
    name: filler.fill(name, nowMs),
    unit: name.startsWith('systemd') ? 'init.scope' : null,
    nowMs,
    text: filler.fill(text, nowMs),
  }));
  const literals = patternsOf(pack).flatMap((pattern) =>
    pattern.literals.map((literal) => (pattern.ignoreCase ? literal.toLowerCase() : literal)),
  );
  const all = [...kubelet, ...kubelet, ...containerd, ...containerd, ...ipamd, ...system];
  const idle = all.filter((template) => !literals.some((literal) => shortForm(template(START_MS)).includes(literal)));
  if (idle.length < all.length)
    console.log(`${all.length - idle.length} of ${all.length} templates hold a literal of the pack and are left out`);
  return idle;
}

function klog(filler: Filler, text: string, nowMs: number): string {
  const iso = new Date(nowMs).toISOString();
  return filler.fill(`I${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000    2291 ${text}`, nowMs);
}

const WRITE_CHARS = 8 * MB;

/** Writes each line in several forms; a file gets its name when it is whole. */
function writeLines(
  lines: Iterable<Line>,
  forms: readonly (readonly [file: string, form: (line: Line, index: number) => string])[],
): void {
  const outputs = forms.map(([file, form]) => ({ file, form, handle: openSync(`${file}.part`, 'w'), text: '' }));
  let index = 0;
  for (const line of lines) {
    index++;
    for (const output of outputs) {
      output.text += output.form(line, index);
      if (output.text.length < WRITE_CHARS) continue;
      writeSync(output.handle, output.text);
      output.text = '';
    }
  }
  for (const { file, handle, text } of outputs) {
    writeSync(handle, text);
    closeSync(handle);
    renameSync(`${file}.part`, file);
  }
}

function repeat(from: string, to: string): void {
  copyFileSync(from, `${to}.part`);
  const handle = openSync(`${to}.part`, 'a');
  const bytes = readFileSync(from);
  for (let copy = 1; copy < REPEATS; copy++) writeSync(handle, bytes);
  closeSync(handle);
  renameSync(`${to}.part`, to);
}

export function megabytes(file: string): number {
  return statSync(file).size / MB;
}

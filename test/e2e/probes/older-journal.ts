// Two gigabytes of a persistent journal of boots that are over, as files to be bound into a node. Made once and kept beside the
// nodes' root file system: it takes a minute or two.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MadeBoot, makeJournal } from '../../sources/make-journal.ts';
import { CACHE } from '../base-rootfs.ts';

export const MACHINE_ID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const ON_NODE = `/var/log/journal/${MACHINE_ID}`;
const RECIPES = [import.meta.filename, join(import.meta.dirname, '../../sources/make-journal.ts')];
const PREFIX = 'journal-';
const DIGEST_LENGTH = 16;

const BOOTS = 8;
/** About 255 MB. */
const ENTRIES = 500_000;
const EVERY_US = 20_000;
const FIRST_BOOT_MS = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;

/** What a node takes that has these boots behind it. */
export async function olderJournal(): Promise<{
  readonly binds: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}> {
  const folder = await madeFolder();
  const binds = Object.fromEntries(readdirSync(folder).map((name) => [`${ON_NODE}/${name}`, join(folder, name)]));
  return { binds, files: { '/etc/machine-id': `${MACHINE_ID}\n` } };
}

async function madeFolder(): Promise<string> {
  const digest = createHash('sha256')
    .update(RECIPES.map((file) => readFileSync(file)).join(''))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
  const folder = join(CACHE, `${PREFIX}${digest}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const outdated = readdirSync(CACHE).filter((name) => name.startsWith(PREFIX));
  for (const name of outdated) rmSync(join(CACHE, name), { recursive: true });
  const part = `${folder}.part`;
  // One a core.
  const half = BOOTS / 2;
  await Promise.all([0, 1].map((at) => makeJournal(join(part, `system@older${at}.journal`), boots(at * half, half))));
  renameSync(part, folder);
  return folder;
}

function boots(first: number, count: number): MadeBoot[] {
  return Array.from({ length: count }, (_, at) => ({
    bootId: (first + at + 1).toString(16).padStart(32, 'b'),
    startMs: FIRST_BOOT_MS + (first + at) * DAY_MS,
    entries: ENTRIES,
    everyUs: EVERY_US,
  }));
}

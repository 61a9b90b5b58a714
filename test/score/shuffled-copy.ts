// Copies a capture with everything invented in it replaced; files keep their names and relative ages.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createShuffle, type Shuffle } from './shuffled-text.ts';

/** Runs a task with the copy's folder, and removes the copy afterwards. */
export async function withShuffledCopy<T>(
  folder: string,
  seed: number,
  task: (copy: string) => Promise<T>,
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'shuffled-'));
  try {
    copyShuffled(folder, copy, seed);
    return await task(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function copyShuffled(folder: string, copy: string, seed: number): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map((file) => readFileSync(file, 'latin1'));
  const shuffle = createShuffle(texts.join('\n'), seed);
  for (const [index, file] of files.entries()) {
    const target = copy + file.slice(folder.length);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, shuffled(texts[index]!, shuffle), 'latin1');
    const seconds = (statSync(file).mtimeMs + shuffle.shiftMs) / 1000;
    utimesSync(target, seconds, seconds);
  }
}

/** Messages that a journal export gives as numbers are turned into text and back. */
function shuffled(text: string, shuffle: Shuffle): string {
  const plain = text.replace(/"MESSAGE" ?: ?\[(?<bytes>[\d, ]+)\]/g, (_all, bytes: string) => {
    const message = Buffer.from(JSON.parse(`[${bytes}]`) as number[]).toString('latin1');
    return `"MESSAGE":[${[...Buffer.from(shuffle.text(message), 'latin1')].join(',')}]`;
  });
  return shuffle.text(plain);
}

// Reads a folder of labelled captures: one folder a case, with `case.json` (the label) and `logs/` (what is analyzed).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PracticeCase {
  readonly id: string;
  readonly os: string;
  readonly shape: string;
  readonly difficulty: string;
  /** How the analyzer gets the logs: the folder (`file`), or the bytes of its one file on standard input. */
  readonly how?: 'file' | 'stdin';
  /** Can an expert tell from these lines alone? Where not, saying nothing is right too. */
  readonly enough?: 'yes' | 'partly' | 'no';
  /** Ids of which each is right; `none`: no cause may be named; `unlisted:NAME`: no id fits, so naming none is right. */
  readonly truth: readonly string[];
  readonly acceptable: readonly string[];
  readonly logs: string;
}

export function readCases(folder: string): PracticeCase[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'case.json')))
    .map((name) => {
      const label = JSON.parse(readFileSync(join(folder, name, 'case.json'), 'utf8')) as Omit<PracticeCase, 'logs'>;
      return { ...label, id: name, logs: join(folder, name, 'logs') };
    });
}

export function isNone({ truth }: PracticeCase): boolean {
  return truth.includes('none');
}

/** Is it right to name no cause? */
export function maySayNothing({ truth, acceptable, enough = 'yes' }: PracticeCase): boolean {
  return enough !== 'yes' || [...truth, ...acceptable].some((id) => id === 'none' || id.startsWith('unlisted:'));
}

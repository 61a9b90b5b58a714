// Reads a folder of labelled captures: one folder a case, with `case.json` (the label) and `logs/` (what is analyzed).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PracticeCase {
  readonly id: string;
  readonly os: string;
  readonly shape: string;
  readonly difficulty: string;
  /** Ids of which each is right; `none` alone: no cause may be named. */
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

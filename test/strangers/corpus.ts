// Error lines of software that is not ours: every program of programs.yaml meets every fault of its language, and lines.yaml adds what no
// table makes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Stranger {
  /** Its identifier in the journal, its container in a pod. */
  readonly name: string;
  readonly line: string;
}

const VALUES: Readonly<Record<string, string>> = {
  host: 'sts.eu-west-1.amazonaws.com',
  path: '/var/lib/data/cache.db',
  addr: '10.0.7.21',
  role: 'arn:aws:sts::111122223333:assumed-role/app/session',
};

function read(file: string): unknown {
  return parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

function readStrangers(): Stranger[] {
  const faults = read('faults.yaml') as Readonly<Record<string, readonly string[]>>;
  const programs = read('programs.yaml') as readonly {
    readonly name: string;
    readonly language: string;
    readonly line: string;
  }[];
  const lines = read('lines.yaml') as Readonly<Record<string, readonly string[]>>;
  const filled = (text: string): string =>
    text.replaceAll(/\{(?<name>host|path|addr|role)\}/g, (_all, name: string) => VALUES[name]!);
  return [
    ...programs.flatMap(({ name, language, line }) =>
      faults[language]!.map((fault) => ({ name, line: line.replace('{fault}', filled(fault)) })),
    ),
    ...Object.entries(lines).flatMap(([name, texts]) => texts.map((line) => ({ name, line }))),
  ];
}

export const STRANGERS: readonly Stranger[] = readStrangers();

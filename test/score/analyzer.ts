// Finds the analyzer that is to be judged, the built one if there is one, and runs it on a capture.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE, executablePath, ROOT, tool } from '../../build/project.ts';
import type { Verdict } from '../../src/types.ts';

export interface Analyzer {
  readonly command: readonly [file: string, ...args: string[]];
  /** Set if it is not the built executable. */
  readonly note: string | null;
}

const LIMIT_MS = 120_000;
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

export function findAnalyzer(): Analyzer {
  const executable = executablePath('x64');
  if (process.arch === 'x64' && existsSync(executable)) return { command: [executable], note: null };
  if (existsSync(BUNDLE))
    return { command: [tool('node'), BUNDLE], note: 'there is no executable for this machine: dist’s .cjs is judged' };
  return {
    command: [tool('node'), join(ROOT, 'src', 'cli.ts')],
    note: 'nothing is built (npm run build): the source is judged',
  };
}

/** Codes that come with a verdict: ready, failed, stalled or unknown, bootstrapping. */
const VERDICT_CODES: ReadonlySet<number> = new Set([0, 10, 11, 12]);

/** Analyzes a folder; `stdin` gives the bytes of its one file instead. @throws if the analyzer gives no verdict, with what it said instead. */
export async function analyze(
  { command: [file, ...args] }: Analyzer,
  path: string,
  how: 'file' | 'stdin' = 'file',
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const given = [...args, 'analyze', how === 'stdin' ? '-' : path, '--format', 'json'];
    const child = execFile(file, given, { timeout: LIMIT_MS, maxBuffer: OUTPUT_MAX_BYTES }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number' && VERDICT_CODES.has(code)) return resolve(JSON.parse(stdout) as Verdict);
      return reject(
        new Error(`no verdict (${String(code ?? error?.signal)}): ${stderr.trim().split('\n').slice(-3).join(' | ')}`),
      );
    });
    // Closed early by a program that has heard enough, which its exit code tells.
    child.stdin!.on('error', () => {});
    if (how === 'stdin') child.stdin!.end(onlyFileOf(path));
    else child.stdin!.end();
  });
}

function onlyFileOf(folder: string): Buffer {
  const names = readdirSync(folder);
  if (names.length !== 1) throw new Error(`${folder} holds ${names.length} files; standard input takes one`);
  return readFileSync(join(folder, names[0]!));
}

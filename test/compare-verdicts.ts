// `node test/compare-verdicts.ts OLDER [FOLDER…]` diagnoses every capture below the folders with an older executable or bundle
// and with these sources, and prints where the JSON verdicts differ; then it exits 1. Version and pack digest may differ.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../build/project.ts';

const DEFAULT_FOLDERS = ['test/scenarios', 'test/healthy', '../shared/practice', '../../shared/practice'];
/** What a case calls the folder of its logs. */
const LOGS = ['capture', 'logs'];
const AT_ONCE = 2;
const TIME_LIMIT_MS = 60_000;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const IS_SCRIPT = /\.(?:[cm]?js|ts)$/;
const MAY_DIFFER = /"(?:version|packDigest)": "[^"]*"/g;
const DIFFERENCES_SHOWN = 3;

const [older, ...folders] = process.argv.slice(2);
if (older === undefined || !existsSync(older)) {
  console.error('usage: node test/compare-verdicts.ts OLDER-EXECUTABLE [FOLDER…]');
  process.exit(2);
}
const places = (folders.length > 0 ? folders : DEFAULT_FOLDERS.map((folder) => join(ROOT, folder))).filter((folder) =>
  existsSync(folder),
);
const cases = places.flatMap(capturesIn);
const waiting = cases.values();
let different = 0;
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${cases.length} captures, ${different} differ`);
process.exitCode = different > 0 || cases.length === 0 ? 1 : 0;

async function work(): Promise<void> {
  for (const folder of waiting) {
    const before = await verdictOf(resolve(older!), folder);
    const after = await verdictOf(join(ROOT, 'src/cli.ts'), folder);
    if (before === after) continue;
    different++;
    console.log([relative(ROOT, folder), ...differences(before.split('\n'), after.split('\n'))].join('\n'));
  }
}

/** The folder itself where it has none of the usual shape. */
function capturesIn(folder: string): string[] {
  const found = readdirSync(folder)
    .sort()
    .flatMap((name) => LOGS.map((logs) => join(folder, name, logs)).filter((place) => existsSync(place)));
  return found.length > 0 ? found : [folder];
}

/** What it prints, its complaints and its exit code. */
async function verdictOf(program: string, folder: string): Promise<string> {
  const [command, args] = IS_SCRIPT.test(program) ? [process.execPath, [program]] : [program, []];
  const run = promisify(execFile)(command, [...args, 'analyze', '--quiet', '--format', 'json', folder], {
    timeout: TIME_LIMIT_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  const ended = await run.then(
    (end) => ({ ...end, code: 0 }),
    (error: { readonly stdout: string; readonly stderr: string; readonly code: unknown }) => error,
  );
  return `${ended.stdout.replaceAll(MAY_DIFFER, '')}${ended.stderr}exit code ${String(ended.code)}`;
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  const lines = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at);
  const changed = lines.filter((at) => before[at] !== after[at]).slice(0, DIFFERENCES_SHOWN);
  return changed.flatMap((at) => [`  - ${before[at] ?? ''}`, `  + ${after[at] ?? ''}`]);
}

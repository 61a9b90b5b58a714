// `npm run bench`: the built analyzer against ripgrep and grep on the same logs with the pack's own literals; memory and
// start-up; what `watch` costs a node. Records the bars.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installedBinary } from '../../build/base-binary.ts';
import { atMost, type Bar, fact, recordBar } from '../../build/bars.ts';
import { ROOT } from '../../build/project.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { findAnalyzer } from '../score/analyzer.ts';
import { hangHunt } from './hang-hunt.ts';
import { makeLogFiles, megabytes } from './log-files.ts';
import { makeBundles } from './many-bundles.ts';
import { type Command, cpuTimeOf, median, peakMemoryOf, timesInTurns } from './measure.ts';
import { placeOnDisk } from './place-on-disk.ts';
import { watchCost, watchCostObstacle } from './watch-cost.ts';

const RUNS = 5;
const LARGE_RUNS = 3;
const STARTS = 20;
const SMALL_CAPTURE = join(ROOT, 'test/scenarios/al2-ecr-login-hang/capture');
const HUNT_RUNS = 500;
const VERDICT_CODES = [0, 10, 11, 12];
const FOUND_CODES = [0, 1];

const analyzer = findAnalyzer();
if (analyzer.note !== null) console.error(`bench: ${analyzer.note}; the figures are not the executable's`);
const [file, ...first] = analyzer.command;
const folder = mkdtempSync(join(tmpdir(), 'eba-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const executable = analyzer.note === null ? await placeOnDisk(file, folder) : file;

function program(...args: readonly string[]): Command {
  return { file: executable, args: [...first, ...args], codes: VERDICT_CODES };
}

function analyze(log: string): Command {
  return program('analyze', log, '--format', 'json', '--quiet');
}

function rg(literals: string, log: string): Command {
  return { file: 'rg', args: ['--no-config', '-j1', '-c', '-F', '-f', literals, log], codes: FOUND_CODES };
}

function grep(literals: string, log: string, env: Readonly<Record<string, string>>): Command {
  return { file: 'grep', args: ['-c', '-F', '-f', literals, log], codes: FOUND_CODES, env };
}

function row(title: string, times: readonly number[], bytesMb: number): void {
  const ms = median(times);
  console.log(
    `  ${title.padEnd(28)} ${ms.toFixed(0).padStart(6)} ms  ${((bytesMb / ms) * 1000).toFixed(0).padStart(5)} MB/s   (${times.map((t) => t.toFixed(0)).join(' ')})`,
  );
}

/** Memory does not depend on the machine's speed: a miss fails at once. */
function strict(bar: Bar): Bar {
  return { ...bar, failed: !bar.ok };
}

const sources = loadFolder(join(ROOT, 'patterns'));
const startMs = performance.now();
const pack = compilePack(sources);
const files = makeLogFiles(sources, pack);
console.log(
  `logs in ${((performance.now() - startMs) / 1000).toFixed(1)} s: ${Object.values(files)
    .map((file) => `${basename(file)} ${megabytes(file).toFixed(1)} MB`)
    .join(', ')}`,
);

const bars: Bar[] = [];

console.log(`\n200 MB, ${RUNS} runs each`);
const mixed = timesInTurns(
  {
    analyze: analyze(files.mixed),
    rg: rg(files.literals, files.mixed),
    grep: grep(files.literals, files.mixed, {}),
    grepC: grep(files.literals, files.mixed, { LC_ALL: 'C' }),
    exported: analyze(files.exported),
  },
  RUNS,
);
row('analyze', mixed.analyze, megabytes(files.mixed));
row('rg -j1 -c -F -f', mixed.rg, megabytes(files.mixed));
row('grep -c -F -f', mixed.grep, megabytes(files.mixed));
row('grep -c -F -f, LC_ALL=C', mixed.grepC, megabytes(files.mixed));
row('analyze, journal export', mixed.exported, megabytes(files.exported));
const analyzeMs = median(mixed.analyze);
bars.push(
  atMost({ bar: 'bench: 200 MB against rg', unit: '×', wanted: 0.9, seen: analyzeMs / median(mixed.rg) }),
  atMost({ bar: 'bench: 200 MB against grep', unit: '×', wanted: 1.3, seen: analyzeMs / median(mixed.grep) }),
  atMost({
    bar: 'bench: journal export against its plain form',
    unit: '×',
    wanted: 2,
    seen: median(mixed.exported) / analyzeMs,
  }),
);

console.log(`\n50 MB, ${RUNS} runs each`);
const part = timesInTurns({ plain: analyze(files.part), all: analyze(files.partAllFields) }, RUNS);
row('analyze', part.plain, megabytes(files.part));
row('analyze, export of all fields', part.all, megabytes(files.partAllFields));
console.log(
  `  export of all fields against plain: ${(median(part.all) / median(part.plain)).toFixed(2)} × (for information)`,
);

console.log(`\n1 GB, ${LARGE_RUNS} runs each`);
const large = timesInTurns({ analyze: analyze(files.large), rg: rg(files.literals, files.large) }, LARGE_RUNS);
row('analyze', large.analyze, megabytes(files.large));
row('rg -j1 -c -F -f', large.rg, megabytes(files.large));
bars.push(
  atMost({ bar: 'bench: 1 GB against rg', unit: '×', wanted: 1.5, seen: median(large.analyze) / median(large.rg) }),
);

const [memory, largeMemory, exportMemory] = [
  await peakMemoryOf(analyze(files.mixed)),
  await peakMemoryOf(analyze(files.large)),
  await peakMemoryOf(analyze(files.exported)),
];
console.log(
  `\npeak memory: ${memory.toFixed(0)} MB on 200 MB, ${largeMemory.toFixed(0)} MB on 1 GB, ${exportMemory.toFixed(0)} MB on the journal export`,
);
bars.push(
  strict(
    atMost({ bar: 'bench: peak memory', unit: 'MB', wanted: 150, seen: Math.max(memory, largeMemory, exportMemory) }),
  ),
  // A difference of two peaks: each depends on when garbage was collected.
  atMost({
    bar: 'bench: memory of 1 GB beside that of 200 MB',
    unit: 'MB',
    wanted: 15,
    seen: Math.abs(largeMemory - memory),
  }),
);

const bundles = makeBundles();
const pages = join(bundles.folder, 'pages');
const [oneMb, manyMb] = [
  await peakMemoryOf(program('analyze', bundles.one, '--format', 'html')),
  await peakMemoryOf(program('analyze', bundles.many, '--each', '--format', 'html', '--output', pages)),
];
const written = readdirSync(pages).length - 1;
bundles.remove();
console.log(`peak memory: ${oneMb.toFixed(0)} MB on one bundle, ${manyMb.toFixed(0)} MB on ${written} with --each\n`);
bars.push(
  atMost({
    bar: 'bench: memory of 200 bundles with --each beside one',
    unit: 'MB',
    wanted: 15,
    seen: manyMb - oneMb,
  }),
  fact('bench: pages of 200 bundles', '200', String(written)),
);
const small = median(Array.from({ length: STARTS }, () => cpuTimeOf(analyze(SMALL_CAPTURE))));
bars.push(atMost({ bar: 'bench: processor time for one small capture', unit: 'ms', wanted: 120, seen: small }));

const start = timesInTurns(
  { version: { ...program('--version'), codes: [0] }, node: { file: installedBinary(), args: ['-e', '0'] } },
  STARTS,
);
console.log(
  `start: --version ${median(start.version).toFixed(0)} ms, bare Node -e 0 ${median(start.node).toFixed(0)} ms\n`,
);
bars.push(
  atMost({
    bar: 'bench: start of --version against bare Node',
    unit: '×',
    wanted: 2,
    seen: median(start.version) / median(start.node),
  }),
);

const obstacle = watchCostObstacle();
if (obstacle === null) {
  const { memoryMb, cpuSeconds, idlePercent, entries } = await watchCost(pack);
  console.log(
    `watch on a node: ${memoryMb.toFixed(0)} MB and ${cpuSeconds.toFixed(2)} s over a good boot of ${entries} entries, ${idlePercent.toFixed(2)} % at rest\n`,
  );
  bars.push(
    atMost({ bar: 'watch: peak memory over a good boot, one delivery by TLS', unit: 'MB', wanted: 85, seen: memoryMb }),
    atMost({
      bar: 'watch: processor time of a good boot, children included',
      unit: 's',
      wanted: 0.8,
      seen: cpuSeconds,
    }),
    atMost({
      bar: 'watch: processor time at rest, children included',
      unit: '% of a core',
      wanted: 0.3,
      seen: idlePercent,
    }),
  );
  const { times, leaving, late } = await hangHunt(HUNT_RUNS);
  const sorted = times.toSorted((a, b) => a - b);
  const slowest = sorted.at(-1)! / 1_000;
  console.log(
    `diagnose, ${times.length} runs: median ${(median(times) / 1_000).toFixed(2)} s, slowest ${slowest.toFixed(2)} s, ${Math.max(...leaving).toFixed(0)} ms from the last word\n`,
  );
  for (const stand of late) console.log(`a run was late; its threads were at:\n${stand}\n`);
  bars.push(
    strict(
      atMost({
        bar: `diagnose: slowest of ${HUNT_RUNS} runs, until the process is gone`,
        unit: 's',
        wanted: 12,
        seen: slowest,
      }),
    ),
  );
} else console.log(`watch on a node: not measured, ${obstacle}\n`);

for (const bar of bars) {
  recordBar(bar);
  if (bar.failed) process.exitCode = 1;
}

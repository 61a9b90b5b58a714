// `node test/mutate/code.ts` breaks the code in places where a fault once stayed unseen, one at a time, and runs the tests that
// must tell. What none of them tells is printed; then it exits 1. Each file is put back afterwards.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';

interface CodeMutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
}

const MUTANTS: readonly CodeMutant[] = [
  {
    file: 'src/diagnosis/ranking.ts',
    from: 'agreed(b) - agreed(a) ||',
    to: '',
    test: 'test/diagnosis/probes.test.ts',
  },
  {
    file: 'src/commands/live/live-session.ts',
    from: 'this.#sequence = sequence + 1;',
    to: '',
    test: 'test/commands/watch.test.ts',
  },
  {
    file: 'src/commands/live/live-session.ts',
    from: 'value ?? earlier[name as keyof NodeFacts]',
    to: 'value',
    test: 'test/commands/watch.test.ts',
  },
  {
    file: 'src/commands/live/live-session.ts',
    from: '{ ...match, bootWallMs: bootWallMs(clock) }',
    to: 'match',
    test: 'test/commands/diagnose.test.ts',
  },
  {
    file: 'src/sinks/limits.ts',
    from: 'LAST_DELIVERY_WHEN_STOPPED_MS = 700',
    to: 'LAST_DELIVERY_WHEN_STOPPED_MS = 70_000',
    test: 'test/sinks/limits.test.ts',
  },
  {
    file: 'src/run.ts',
    from: 'stoppedBy === null || finishMs !== null',
    to: 'stoppedBy === null',
    test: 'test/commands/watch.test.ts',
  },
  {
    file: 'src/sinks/local/own-folder.ts',
    from: 'WRITABLE_BY_OTHERS = 0o022',
    to: 'WRITABLE_BY_OTHERS = 0o002',
    test: 'test/sinks/local/own-folder.test.ts',
  },
  {
    file: 'src/sinks/local/folder-lock.ts',
    from: 'if (held.has(key)) return null;',
    to: '',
    test: 'test/sinks/local/folder-lock.test.ts',
  },
];

let survivors = 0;
for (const { file, from, to, test } of MUTANTS) {
  const path = join(ROOT, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(from).length !== 2) throw new Error(`${file} does not hold this once: ${from}`);
  try {
    writeFileSync(
      path,
      before.replace(from, () => to),
    );
    const { status } = spawnSync(process.execPath, ['--test', '--test-timeout=20000', join(ROOT, test)], {
      stdio: 'ignore',
    });
    if (status !== 0) continue;
    survivors++;
    console.log(`${file}: ${from}`);
  } finally {
    writeFileSync(path, before);
  }
}
console.log(`${MUTANTS.length} mutants, ${survivors} survive`);
process.exitCode = survivors > 0 ? 1 : 0;

// Places of the code where a fault once stayed unseen, each with the test that must tell.

export interface CodeMutant {
  readonly file: string;
  /** Stands there once. */
  readonly from: string;
  readonly to: string;
  /** The file that must turn red. */
  readonly test: string;
}

export const MUTANTS: readonly CodeMutant[] = [
  {
    file: 'src/diagnosis/ranking.ts',
    from: 'agreed(b) - agreed(a) ||',
    to: '',
    test: 'test/diagnosis/probes.test.ts',
  },
  {
    file: 'src/reporting/said-in-boot.ts',
    from: 'before.sequence + 1',
    to: 'before.sequence',
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
    file: 'src/host/files/open-file.ts',
    from: 'refuseUnlessFile(kindOfStats(stats), path);',
    to: '',
    test: 'test/host/files/open-file.test.ts',
  },
  {
    file: 'src/host/files/open-file.ts',
    from: 'const real = await kernelsNameOf(file.handle);',
    to: 'const real = root === "-" ? await kernelsNameOf(file.handle) : null;',
    test: 'test/host/files/open-file.test.ts',
  },
  {
    file: 'src/host/processes/run-child.ts',
    from: 'setTimeout(() => abandon(child), DEATH_LIMIT_MS).unref();',
    to: '',
    test: 'test/host/processes/run-child.test.ts',
  },
  {
    file: 'src/host/processes/run-child.ts',
    from: 'setTimeout(() => settle(null), DEATH_LIMIT_MS).unref();',
    to: '',
    test: 'test/host/processes/run-child.test.ts',
  },
  {
    file: 'src/host/processes/run-child.ts',
    from: '  child.unref();',
    to: '',
    test: 'test/host/processes/run-child.test.ts',
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

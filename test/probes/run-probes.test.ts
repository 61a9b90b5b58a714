import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostError, type RefusalCode } from '../../src/host/host.ts';
import type { Probe } from '../../src/probes/probe.ts';
import { runProbes } from '../../src/probes/run-probes.ts';
import { fakeContext, fakeSystem, waiting } from './fakes.ts';

const { signal, ...parts } = fakeContext({ known: { region: 'from-logs' } });

function probe(name: string, ask: Probe['ask'], more: Partial<Probe> = {}): Probe {
  return {
    name,
    stage: 'questions',
    answers: { ok: { outcome: 'ok', sentence: 'Fine.' }, bad: { outcome: 'fail', sentence: 'Bad.' } },
    ask,
    ...more,
  };
}

const never = (): Promise<never> => new Promise(() => {});

test('results come in the order of the probes, several of one probe together', async () => {
  const slow = probe('slow', async ({ signal }) => {
    await new Promise((resolve) => setImmediate(resolve, signal));
    return [
      { code: 'bad', facts: { unit: 'a' } },
      { code: 'bad', facts: { unit: 'b' } },
    ];
  });
  const { results } = await runProbes([slow, probe('quick', async () => ({ code: 'ok', facts: {} }))], parts, {
    signal,
  });
  assert.deepEqual(
    results.map(({ probe, outcome, code, facts }) => [probe, outcome, code, facts]),
    [
      ['slow', 'fail', 'bad', { unit: 'a' }],
      ['slow', 'fail', 'bad', { unit: 'b' }],
      ['quick', 'ok', 'ok', {}],
    ],
  );
});

test('facts are known before the questions are asked, and those of the first probe count', async () => {
  const seen: (string | undefined)[] = [];
  const question = probe('question', async ({ known }) => {
    seen.push(known.get('region'), known.get('cluster'), known.get('ready'));
    return { code: 'ok', facts: {} };
  });
  const first = probe('first', async () => ({ code: 'ok', facts: { region: 'eu-west-1', ready: true } }), {
    stage: 'facts',
  });
  const second = probe('second', async () => ({ code: 'bad', facts: { region: 'us-east-1', cluster: 'c' } }), {
    stage: 'facts',
  });
  const { known, results } = await runProbes([question, first, second], parts, { signal });
  assert.deepEqual(seen, ['eu-west-1', 'c', 'true']);
  assert.equal(known.get('region'), 'eu-west-1');
  assert.equal(results[0]?.probe, 'question');
});

test('probes of one asking read a file and a folder once, in each form, and the next asking reads them again', async () => {
  const reads: string[] = [];
  const system = fakeSystem({
    system: {
      readSmall: async (path, encoding) => String(reads.push(`${path} ${encoding}`)),
      listFolder: async (path) => [String(reads.push(path))],
    },
  });
  const reader = (name: string, stage: Probe['stage']): Probe =>
    probe(
      name,
      async ({ system: given }) => {
        const texts = await Promise.all([given.readSmall('/a'), given.readSmall('/a', 'latin1')]);
        return { code: 'ok', facts: { texts: [...texts, ...(await given.listFolder('/b'))].join(' ') } };
      },
      { stage },
    );
  const probes = [reader('first', 'facts'), reader('second', 'facts'), reader('third', 'questions')];
  const { results } = await runProbes(probes, { ...parts, system }, { signal });
  assert.deepEqual(
    results.map(({ facts }) => facts['texts']),
    ['1 2 3', '1 2 3', '1 2 3'],
  );
  assert.deepEqual(reads, ['/a utf8', '/a latin1', '/b']);
  await runProbes(probes, { ...parts, system }, { signal });
  assert.equal(reads.length, 6);
});

test('one that does not answer in time is timed out, whether it heeds its signal or not', async () => {
  const own: AbortSignal[] = [];
  const heeds = probe('heeds', ({ signal }) => {
    own.push(signal);
    return waiting(signal);
  });
  const { results, notChecked } = await runProbes([heeds, probe('ignores', never)], parts, { signal, limitMs: 10 });
  assert.deepEqual(
    results.map(({ outcome, code }) => [outcome, code]),
    [
      ['timeout', 'time-limit'],
      ['timeout', 'time-limit'],
    ],
  );
  assert.equal(own[0]?.aborted, true);
  assert.deepEqual(notChecked, []);
});

test('all together never take longer than the total, a stage that hangs included', async () => {
  const startMs = performance.now();
  const stuck = [
    probe('facts', never, { stage: 'facts' }),
    probe('question', never),
    probe('patient', never, { limitMs: 60_000 }),
  ];
  const { results } = await runProbes(stuck, parts, { signal, limitMs: 30, totalMs: 50 });
  assert.ok(performance.now() - startMs < 1_000);
  assert.deepEqual(new Set(results.map(({ code }) => code)), new Set(['time-limit']));
});

test('a probe that throws, answers nothing, or answers what is not in its table, is broken and the others go on', async () => {
  const broken = [
    probe('throws', async () => {
      throw new Error('bug');
    }),
    probe('silent', async () => []),
    probe('unknown', async () => ({ code: 'toString', facts: {} })),
    probe('fine', async () => ({ code: 'ok', facts: {} })),
  ];
  const { results, notChecked } = await runProbes(broken, parts, { signal });
  assert.deepEqual(
    results.map(({ outcome, code }) => `${outcome} ${code}`),
    ['skipped broken', 'skipped broken', 'skipped broken', 'ok ok'],
  );
  assert.deepEqual(notChecked, [
    { what: 'throws', code: 'probe-broken', detail: 'bug' },
    { what: 'silent', code: 'probe-broken', detail: 'it gave no answer' },
    { what: 'unknown', code: 'probe-broken', detail: 'its answer toString is not in its table' },
  ]);
});

test('a mount that does not answer is named, and so is what cannot be read', async () => {
  const refused = (code: RefusalCode, detail: string): Probe =>
    probe(code, async () => {
      throw new HostError(code, detail);
    });
  const { results, notChecked } = await runProbes(
    [refused('mount-stuck', '/var/lib/kubelet'), refused('read-failed', '/etc/x (ENOTCONN)')],
    parts,
    { signal },
  );
  assert.deepEqual(
    results.map(({ outcome, code, facts }) => [outcome, code, facts]),
    [
      ['timeout', 'mount-stuck', { path: '/var/lib/kubelet' }],
      ['skipped', 'unreadable', { path: '/etc/x (ENOTCONN)' }],
    ],
  );
  assert.deepEqual(notChecked, []);
});

test('an abort from outside ends it with that reason', async () => {
  const stop = new AbortController();
  const running = runProbes([probe('ignores', never)], parts, { signal: stop.signal });
  stop.abort(new Error('stopped'));
  await assert.rejects(running, /stopped/);
});

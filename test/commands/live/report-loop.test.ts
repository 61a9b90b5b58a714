// The loop of a live run, on a clock that a script of the boot moves: what it says, what it asks, and when it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Judgement, reportUntilOver } from '../../../src/commands/live/report-loop.ts';
import type { Status } from '../../../src/types.ts';

interface State {
  readonly status: Status;
  readonly cause?: string;
  readonly isUrgent?: boolean;
  readonly repeatsMs?: number;
  readonly needsAnswers?: boolean;
  readonly isReadyByLogs?: boolean;
}

interface Script {
  /** What there is to know at a time in seconds since boot, given what the node answered so far and how often all was brought up to date. */
  readonly state: (seconds: number, answers: number, looks: number) => State;
  readonly startSeconds?: number;
  readonly askSeconds?: number;
  readonly stopAtSeconds?: number;
  readonly isMachineEnding?: boolean;
}

/** Plays a boot to its end; each line is `seconds what`. */
async function play({
  state,
  startSeconds = 5,
  askSeconds = 1,
  stopAtSeconds = Infinity,
  isMachineEnding = false,
}: Script): Promise<string[]> {
  let nowMs = startSeconds * 1_000;
  let answers = 0;
  let looks = 0;
  const stop = new AbortController();
  const story: string[] = [];
  const arrivals: { readonly atMs: number; readonly arrive: () => void }[] = [];
  const seconds = (): number => nowMs / 1_000;
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    for (const arrival of arrivals.splice(0))
      if (arrival.atMs <= nowMs) arrival.arrive();
      else arrivals.push(arrival);
    if (seconds() >= stopAtSeconds) stop.abort();
    await new Promise(setImmediate);
  };
  await reportUntilOver<Judgement>({
    clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
    alarm: { ring: () => undefined, ringNow: () => undefined, next: () => pass(1_000) },
    deadlineMs: 720_000,
    signal: stop.signal,
    said: null,
    judge() {
      const {
        status,
        cause,
        isUrgent = false,
        repeatsMs = 0,
        needsAnswers = false,
        isReadyByLogs = status === 'ready',
      } = state(seconds(), answers, looks);
      const named =
        cause === undefined
          ? null
          : {
              id: cause,
              title: cause,
              confidence: 'high' as const,
              possible: false,
              repair: 'fix-first' as const,
              summary: '',
              check: [],
              remedy: [],
              references: [],
            };
      return {
        verdict: { status, cause: named },
        isUrgent,
        repeatsMs,
        needsAnswers,
        isReadyForSure: true,
        isReadyByLogs,
      };
    },
    async makeSure() {
      looks++;
      if (stop.signal.aborted) story.push('settle');
    },
    isMachineEnding: async () => isMachineEnding,
    ask(purpose) {
      story.push(`${seconds()} ask ${purpose}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      arrivals.push({
        atMs: nowMs + askSeconds * 1_000,
        arrive() {
          answers++;
          resolve();
        },
      });
      return promise;
    },
    async report({ verdict: { status, cause } }, isFinal) {
      story.push(`${seconds()} ${isFinal ? 'final' : 'interim'} ${[status, cause?.id].filter(Boolean).join(' ')}`);
      return status === 'unknown';
    },
  });
  return story;
}

test('a healthy boot says one thing, once the API server agrees', async () => {
  const story = await play({ state: (now) => ({ status: now < 45 ? 'bootstrapping' : 'ready' }) });
  assert.deepEqual(story, ['45 ask ready', '46 final ready']);
});

test('an urgent cause is said before anybody is asked', async () => {
  const story = await play({
    state: (now) =>
      now < 20 ? { status: 'bootstrapping' } : { status: 'failed', cause: 'swap-enabled', isUrgent: true },
  });
  assert.deepEqual(story.slice(0, 2), ['20 interim failed swap-enabled', '20 ask all']);
  assert.deepEqual(story.at(-1), '720 final failed swap-enabled');
});

test('a node that recovers after an urgent cause ends Ready', async () => {
  const story = await play({
    state: (now) =>
      now < 20
        ? { status: 'bootstrapping' }
        : now < 60
          ? { status: 'failed', cause: 'node-unauthorized', isUrgent: true }
          : { status: 'ready' },
  });
  assert.deepEqual(story, ['20 interim failed node-unauthorized', '20 ask all', '60 ask ready', '61 final ready']);
});

test('the log says Ready, the API server does not: asked again until it does', async () => {
  const story = await play({
    state: (now, answers) =>
      now < 45
        ? { status: 'bootstrapping' }
        : { status: answers === 1 || answers === 2 ? 'bootstrapping' : 'ready', isReadyByLogs: true },
  });
  assert.deepEqual(story, ['45 ask ready', '50 ask ready', '55 ask ready', '56 final ready']);
});

test('a report that says it was the last word ends the run', async () => {
  const story = await play({ state: (now) => ({ status: now < 170 ? 'bootstrapping' : 'unknown' }) });
  assert.deepEqual(story, ['180 ask all', '181 interim unknown']);
});

test('a boot that hangs is asked about and reported at three minutes and at the deadline', async () => {
  const story = await play({ state: () => ({ status: 'bootstrapping' }) });
  assert.deepEqual(story.slice(0, 2), ['180 ask all', '181 interim bootstrapping']);
  assert.deepEqual(
    story.filter((line) => !line.includes('ask')),
    ['181 interim bootstrapping', '720 final bootstrapping'],
  );
  assert.ok(
    Number.parseFloat(story.findLast((line) => line.includes('ask'))!) >= 711 - 60,
    'asked shortly before the deadline',
  );
});

test('answers alone may name the cause', async () => {
  const story = await play({
    state: (_now, answers) =>
      answers === 0 ? { status: 'bootstrapping' } : { status: 'failed', cause: 'node-unauthorized', isUrgent: true },
  });
  assert.deepEqual(story.slice(0, 2), ['180 ask all', '181 interim failed node-unauthorized']);
});

test('what the node answered while the network came up proves nothing a minute later', async () => {
  const story = await play({
    state(now, answers) {
      if (now < 20) return { status: 'bootstrapping' };
      if (now < 40) return { status: 'failed', cause: 'swap-enabled', isUrgent: true };
      if (now < 90 || answers > 2) return { status: 'bootstrapping' };
      return { status: 'failed', cause: 'api-server-unreachable', isUrgent: true, needsAnswers: true };
    },
  });
  assert.ok(story.includes('90 ask all'), 'asked again');
  assert.ok(!story.join().includes('api-server-unreachable'), story.join('\n'));
});

test('questions that take for ever hold up no last word', async () => {
  const story = await play({ state: () => ({ status: 'bootstrapping' }), askSeconds: 10_000 });
  assert.deepEqual(story, ['180 ask all', '720 final bootstrapping']);
});

test('nor the word that it is Ready', async () => {
  const story = await play({ state: (now) => ({ status: now < 45 ? 'bootstrapping' : 'ready' }), askSeconds: 10_000 });
  assert.deepEqual(story, ['45 ask ready', '54 final ready']);
});

test('started on a node that booted long ago, it asks, speaks and ends', async () => {
  const story = await play({ state: () => ({ status: 'failed', cause: 'disk-full' }), startSeconds: 5_000 });
  assert.deepEqual(story, ['5000 ask all', '5001 final failed disk-full']);
});

test('when the machine ends the last word comes at once, after a look at all that has come', async () => {
  const story = await play({ state: () => ({ status: 'bootstrapping' }), stopAtSeconds: 30, isMachineEnding: true });
  assert.deepEqual(story, ['settle', '30 final bootstrapping']);
});

test('when the run alone is stopped its word is none of the last', async () => {
  const stopped = { stopAtSeconds: 30, isMachineEnding: false };
  assert.deepEqual(await play({ state: () => ({ status: 'bootstrapping' }), ...stopped }), [
    'settle',
    '30 interim bootstrapping',
  ]);
  const ready = await play({ state: (now) => ({ status: now < 30 ? 'bootstrapping' : 'ready' }), ...stopped });
  assert.deepEqual(ready, ['settle', '30 final ready'], 'unless the boot is over');
});

test('before the last word all that was written is looked at, and may change it', async () => {
  const late = (_now: number, _answers: number, looks: number): State =>
    looks === 0 ? { status: 'bootstrapping' } : { status: 'failed', cause: 'disk-full' };
  const stopped = await play({ state: late, stopAtSeconds: 30, isMachineEnding: true });
  assert.deepEqual(stopped, ['settle', '30 final failed disk-full']);
  assert.equal((await play({ state: late })).at(-1), '720 final failed disk-full');
});

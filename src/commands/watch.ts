// `watch`: follows this boot from its beginning, speaks when pacing says so, and ends with a final verdict.
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asFinal, assess, diagnose } from '../diagnosis/diagnose.ts';
import type { Facts } from '../diagnosis/facts.ts';
import { probesFor } from '../diagnosis/hypotheses.ts';
import { createHost } from '../host/create-host.ts';
import { createSystem } from '../host/create-system.ts';
import { createNetwork } from '../host/network/create-network.ts';
import type { Host } from '../host/host.ts';
import { keepEngineSmall } from '../host/processes/engine-limits.ts';
import { createMatcher } from '../matching/matcher.ts';
import { TOOL_NAME } from '../options.ts';
import type { CommandContext } from './command-context.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { SYSLOG_FILES } from '../sources/collect-live-inputs.ts';
import { followFiles } from '../sources/follow/follow-files.ts';
import { followJournal } from '../sources/journal/follow-journal.ts';
import type { Following, LiveEvents } from '../sources/live.ts';
import { liveProcesses } from '../sources/live-processes.ts';
import type { StreamTable, Verdict } from '../types.ts';
import { VERSION } from '../version.ts';
import { bootWallMs, earliestBootWallMs } from './live/boot-wall.ts';
import { guardFor } from './guard-for.ts';
import { ANSWERS, CLUSTER, createInquiry, IDENTITY, type Inquiry, READINESS } from './live/inquiry.ts';
import { type Judgement, keepWatch } from './live/keep-watch.ts';
import { createLiveMatcher } from './live/live-matcher.ts';
import { openDelivery } from './live/open-delivery.ts';
import { loadPack } from './pack.ts';
import { showable, tryToSay } from './say-verdict.ts';
import { createWake } from './live/wake.ts';

/** After the signal the last verdict must be out before systemd or the machine loses patience. */
const LAST_WORD_MS = 1_800;
/** A final verdict waits this long for CloudWatch before it stays in the spool. */
const LAST_DELIVERY_MS = 15_000;
/** Nothing of a run takes longer than this past its deadline; if it does, systemd starts another one. */
const OVERTIME_MS = 60_000;
const CLOSING_MS = 500;
/** The network may come up after us. */
const IDENTITY_PAUSE_MS = 3_000;
const IDENTITY_TRIES = 20;
/** A verdict that could be said at once waits this long to know under which name it is delivered. */
const IDENTITY_HEAD_MS = 1_000;

/** What has come is looked at when its writer pauses: what was read last may be what ended the trouble before it. */
const LOOKED_AT_MS = 100;

interface LiveJudgement extends Judgement {
  readonly verdict: Verdict;
}

export async function watch(context: CommandContext): Promise<number> {
  const { signal, settings } = context;
  context.finishWithin(LAST_WORD_MS);
  const engine = keepEngineSmall();
  const host = createHost();
  const { clock } = host;
  const system = createSystem({ root: null });
  const { pack, notChecked } = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const bootId = await host.bootId();
  const matcher = createMatcher(pack, {
    referenceMs: clock.wallMs(),
    guard: await guardFor(pack),
    bootWallMs: earliestBootWallMs(clock),
    bootId,
    ownExecutable: ownExecutable(),
    isLive: true,
  });
  for (const entry of notChecked) matcher.note(entry);

  let facts: Facts = new Map();
  const where = settings.deliver ?? 'all';
  const inquiry = createInquiry({ host, system, network: createNetwork({ root: host.root }) }, settings.probe);
  const fact = (name: string): string | null => facts.get(name) ?? inquiry.fact(name);
  const delivery = where === 'none' ? null : await openDelivery({ host, bootId, context, where, fact, note: (note) => matcher.note(note) });
  if (delivery?.isDone === true) {
    context.process.stderr.write(`${TOOL_NAME}: The final verdict of this boot was said before; there is nothing left to do.\n`, () => undefined);
    await inquiry.ask({ names: IDENTITY, withBase: false, known: facts, signal });
    await delivery.finish(LAST_DELIVERY_MS);
    return 0;
  }

  const wake = createWake();
  const live = createLiveMatcher(
    matcher,
    () => wake.ring(),
    (bytes) => engine.took(bytes),
  );
  let sequence = delivery?.nextSequence ?? 0;

  const judge = (): LiveJudgement => {
    if (signal.aborted) live.settle();
    const read = matcher.result();
    const match = { ...read, bootWallMs: bootWallMs(clock) };
    const answers = inquiry.results();
    const at = { nowMs: clock.wallMs(), uptimeSeconds: Math.round(clock.monotonicMs() / 1_000), version: VERSION, sequence, final: false };
    const { verdict, isUrgent, needsAnswers, isReadyForSure, facts: known } = assess(pack, match, answers, at);
    // Who the node is does not change, though its metadata service may be silent the next time.
    facts = new Map([...facts, ...known]);
    const isReadyByLogs = answers.length === 0 ? verdict.status === 'ready' : diagnose(pack, match, [], at).status === 'ready';
    return { verdict, isUrgent, needsAnswers, isReadyForSure, isReadyByLogs };
  };
  const ask = async (purpose: 'ready' | 'all'): Promise<void> => {
    const asked =
      purpose === 'ready'
        ? inquiry.ask({ names: READINESS, withBase: false, known: facts, signal })
        : inquiry.ask({ names: probesFor(judge().verdict, pack), known: facts, signal });
    if (purpose === 'all') await live.replace(liveProcesses(system), signal).catch(() => undefined);
    await asked;
    for (const entry of inquiry.notes()) matcher.note(entry);
  };
  /** The log group is the cluster's, which a young boot learns late. The answer stays the one that was decided on. */
  const withCluster = async (decided: Verdict): Promise<Verdict> => {
    if (delivery === null || fact('cluster') !== null || signal.aborted) return decided;
    await inquiry.ask({ names: CLUSTER, withBase: false, known: facts, signal });
    const { verdict } = judge();
    return verdict.status === decided.status && verdict.cause?.id === decided.cause?.id ? verdict : decided;
  };
  const speak = async (judgement: LiveJudgement, isFinal: boolean): Promise<void> => {
    const verdict = await withCluster(judgement.verdict);
    sequence++;
    const said = showable(isFinal ? asFinal(verdict) : verdict, context);
    const [unsaid] = await Promise.all([tryToSay(said, { pack, context, answers: ANSWERS, isOneOfMany: true }), delivery?.deliver(said)]);
    if (unsaid !== null) matcher.note(unsaid);
  };

  const end = new AbortController();
  const { deadlineMs } = settings;
  const stopped = aborted(signal);
  void stopped.then(() => wake.ringNow());
  const followed = await Promise.race([follow(host, pack.streamTable, live, end.signal), stopped.then(() => [])]);
  const identity = learnIdentity(inquiry, end.signal, () => inquiry.fact('instance_id') !== null);
  const head = Promise.race([identity, sleep(IDENTITY_HEAD_MS, null, { ref: false })]);
  await Promise.race([
    Promise.all([head, ...followed.map(({ caughtUp }) => caughtUp)]).then(() => sleep(LOOKED_AT_MS)),
    stopped,
    sleep(Math.max(0, deadlineMs - clock.monotonicMs()), null, { ref: false }),
  ]);
  await within(deadlineMs - clock.monotonicMs() + OVERTIME_MS, keepWatch({ clock, wake, deadlineMs, signal, judge, ask, speak }));
  end.abort();
  await delivery?.finish(LAST_DELIVERY_MS);
  await Promise.race([Promise.all(followed.map(({ ended }) => ended)), sleep(CLOSING_MS, null, { ref: false })]);
  return 0;
}

/** Verdicts are delivered under the instance's name, so it is asked for from the start. */
async function learnIdentity(inquiry: Inquiry, signal: AbortSignal, isKnown: () => boolean): Promise<void> {
  for (let tries = 0; tries < IDENTITY_TRIES && !signal.aborted && !isKnown(); tries++) {
    await inquiry.ask({ names: IDENTITY, withBase: false, known: new Map(), signal });
    if (!isKnown()) await sleep(IDENTITY_PAUSE_MS, null, { signal, ref: false }).catch(() => undefined);
  }
}

/** Resolves when the signal is aborted, at once if it was before. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Without a journal the syslog files take its place. */
async function follow(host: Host, table: StreamTable, events: LiveEvents, signal: AbortSignal): Promise<Following[]> {
  const journal = await followJournal(host, events, { signal });
  const globs = [...(journal === null ? SYSLOG_FILES : []), ...table.streams.flatMap((stream) => stream.liveFiles)];
  return [...(journal === null ? [] : [journal]), followFiles(host, table, globs, events, { signal })];
}

/** @throws Error after the limit: the unit fails then and systemd starts another run. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const guard = Promise.withResolvers<never>();
  const timer = setTimeout(() => guard.reject(new Error('the run went on past its deadline')), Math.max(OVERTIME_MS, limitMs));
  try {
    await Promise.race([work, guard.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Null if the program is run by an interpreter that other programs may use too. */
function ownExecutable(): string | null {
  return basename(process.execPath).startsWith(TOOL_NAME) ? process.execPath : null;
}

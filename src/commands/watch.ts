// `watch`: follows this boot from its beginning, speaks when it is time to report, and ends with a final verdict.
import { once } from 'node:events';
import type { Assessment } from '../diagnosis/diagnose.ts';
import { keepEngineSmall, type SmallEngine } from '../host/processes/engine-limits.ts';
import { type After, pause } from '../lib/after.ts';
import { within } from '../lib/within.ts';
import { createMatcher, type Matcher } from '../matching/matcher.ts';
import { ownName } from '../own-name.ts';
import { ownExecutable } from '../own-program.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { CLOSING_LIMIT_MS, STOP_LIMIT_MS } from '../sinks/limits.ts';
import { liveProcesses } from '../sources/live-processes.ts';
import type { Verdict } from '../types.ts';
import type { CommandContext, Machine } from './command-context.ts';
import { guardFor } from './guard-for.ts';
import { type Alarm, createAlarm } from './live/alarm.ts';
import { earliestBootWallMs } from './live/boot-wall.ts';
import { bystanderVerdict } from './live/bystander.ts';
import { followBoot } from './live/follow-boot.ts';
import { createLiveMatcher, type LiveMatcher } from './live/live-matcher.ts';
import { type LiveSession, openSession } from './live/live-session.ts';
import { learnOs } from './live/learn-os.ts';
import { isMachineEnding } from './live/machine-ending.ts';
import { makeSure } from './live/make-sure.ts';
import { ANSWERS, CLUSTER, IDENTITY, READINESS } from './live/probing.ts';
import { reportUntilOver } from './live/report-loop.ts';
import { lockWatch } from './live/watch-lock.ts';
import { loadPack, type LoadedPack } from './pack.ts';
import { tryToPrint } from './print-verdict.ts';

/** Nothing of a run takes longer than this past its deadline; if it does, systemd starts another one. */
const OVERTIME_MS = 60_000;
/** The network may come up after us. */
const IDENTITY_PAUSE_MS = 3_000;
const IDENTITY_TRIES = 20;
/** A verdict that could be said at once waits this long to know under which name it is delivered. */
const IDENTITY_HEAD_MS = 1_000;
/** What has come is looked at when its writer pauses: what was read last may be what ended the trouble before it. */
const LOOKED_AT_MS = 100;
const STDERR = 2;

/** What a run works with. */
interface Watch {
  readonly context: CommandContext;
  readonly machine: Machine;
  readonly loaded: LoadedPack;
  readonly matcher: Matcher;
  readonly session: LiveSession;
}

export async function watch(context: CommandContext): Promise<number> {
  const { settings, doors } = context;
  context.finishWithin(STOP_LIMIT_MS);
  const engine = keepEngineSmall();
  const where = settings.deliver ?? 'all';
  const unlock = where === 'none' ? undefined : await lockWatch(doors.places);
  if (unlock === null) return tell(context, 'Another run watches this boot; there is nothing left to do.');
  try {
    const machine = await doors.machine(null);
    const loaded = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
    const bootId = await machine.host.bootId();
    const print = (said: Parameters<typeof tryToPrint>[0]) =>
      tryToPrint(said, { pack: loaded.pack, context, answers: ANSWERS, isOneOfMany: true });
    const session = await openSession({
      context,
      machine,
      pack: loaded.pack,
      bootId,
      probe: settings.probe,
      where,
      isLive: true,
      follows: true,
      print,
    });
    const run: Watch = { context, machine, loaded, session, matcher: await openMatcher(machine, loaded, bootId) };
    session.judgeBy((extent) => run.matcher.result(extent));
    await (isSaid(run) ? deliverTheRest(run) : watchBoot(run, engine));
    return 0;
  } finally {
    await unlock?.();
  }
}

/** A last word that was said because a run was stopped is none while the boot goes on. */
function isSaid({ session: { said }, machine, context }: Watch): boolean {
  return (
    said.lastWord === 'ready' ||
    (said.lastWord !== null && machine.host.clock.monotonicMs() >= context.settings.deadlineMs)
  );
}

async function deliverTheRest({ context, session }: Watch): Promise<void> {
  tell(context, 'The final verdict of this boot was said before; there is nothing left to do.');
  await session.probe({ names: IDENTITY, withBase: false });
  session.flush();
  await session.finish();
}

function tell({ process }: CommandContext, sentence: string): number {
  process.stderr.write(`${ownName(process.env, STDERR)}${sentence}\n`, () => undefined);
  return 0;
}

async function openMatcher(
  { host, system }: Machine,
  { pack, notChecked }: LoadedPack,
  bootId: string | null,
): Promise<Matcher> {
  const matcher = createMatcher(pack, {
    referenceMs: host.clock.wallMs(),
    guard: await guardFor(pack),
    bootWallMs: earliestBootWallMs(host.clock),
    bootId,
    ownExecutable: ownExecutable(),
    isLive: true,
  });
  for (const entry of notChecked) matcher.note(entry);
  await learnOs(system, matcher);
  return matcher;
}

async function watchBoot(run: Watch, engine: SmallEngine): Promise<void> {
  const { context, machine, loaded, matcher, session } = run;
  const { after } = context.doors;
  const { clock } = machine.host;
  const { deadlineMs } = context.settings;
  const alarm = createAlarm(after);
  let bytes = 0;
  const live = createLiveMatcher(
    matcher,
    () => alarm.ring(),
    (more) => engine.reached((bytes += more)),
  );
  const end = new AbortController();
  const stopped = aborted(context.signal);
  void stopped.then(() => alarm.ringNow());
  const followed = await Promise.race([followBoot(machine.host, loaded.pack.streamTable, live, end.signal), stopped]);
  const known = learnIdentity(session, end.signal, after);
  void learnCluster(session, known, end.signal, after).catch(() => undefined);
  const head = Promise.race([known, pause(after, IDENTITY_HEAD_MS, end.signal)]);
  const caughtUp = Promise.all([head, followed?.caughtUp]).then(() => pause(after, LOOKED_AT_MS, end.signal));
  await Promise.race([caughtUp, stopped, pause(after, deadlineMs - clock.monotonicMs(), end.signal)]);
  const patience = Promise.withResolvers<never>();
  const limitMs = OVERTIME_MS + Math.max(0, deadlineMs - clock.monotonicMs());
  const callOff = after(limitMs, () => patience.reject(new Error('the run went on past its deadline')));
  const sure = async (): Promise<void> => {
    if (followed !== undefined) await makeSure(followed, context.signal);
    live.settle();
  };
  await Promise.race([reportBoot(run, live, alarm, sure), patience.promise]).finally(callOff);
  end.abort();
  await session.finish();
  await within(followed?.ended ?? Promise.resolve(), CLOSING_LIMIT_MS);
}

async function reportBoot(
  { context, machine, loaded, session }: Watch,
  live: LiveMatcher,
  alarm: Alarm,
  sure: () => Promise<void>,
): Promise<void> {
  const { signal, settings } = context;
  const before = session.said.answer;
  const ofBystander = async (verdict: Verdict): Promise<Verdict | null> =>
    signal.aborted || settings.probe === 'none' ? null : bystanderVerdict(verdict, loaded.pack, machine, signal);
  await reportUntilOver<Assessment>({
    clock: machine.host.clock,
    alarm,
    deadlineMs: settings.deadlineMs,
    signal,
    said: before === null ? null : { ...before, answer: before.text, causes: new Set(before.causes) },
    judge: (extent) => session.judge(extent),
    makeSure: sure,
    async ask(purpose) {
      const asked = purpose === 'ready' ? session.probe({ names: READINESS, withBase: false }) : session.probe();
      if (purpose === 'all')
        await live.replace(liveProcesses(machine.system, loaded.pack.streamTable), signal).catch(() => undefined);
      await asked;
    },
    async report({ verdict }, isFinal) {
      const known = signal.aborted ? verdict : await withCluster(session, verdict);
      const unasked = await ofBystander(known);
      await session.report(unasked ?? known, isFinal || unasked !== null, { isShipped: unasked === null });
      return unasked !== null;
    },
    isMachineEnding: () => isMachineEnding(machine.system),
  });
}

/** The log group is the cluster's, which a young boot learns late. The answer stays the one that was decided on. */
async function withCluster(session: LiveSession, decided: Verdict): Promise<Verdict> {
  if (session.node?.cluster !== null) return decided;
  await session.probe({ names: CLUSTER, withBase: false });
  const { verdict } = session.judge('whole');
  return verdict.status === decided.status && verdict.cause?.id === decided.cause?.id ? verdict : decided;
}

/** Verdicts are delivered under the instance's name, so it is asked for from the start. */
async function learnIdentity({ probing }: LiveSession, signal: AbortSignal, after: After): Promise<void> {
  for (let tries = 0; tries < IDENTITY_TRIES && !signal.aborted; tries++) {
    await probing.ask({ names: IDENTITY, withBase: false, known: new Map(), signal });
    if (probing.fact('instance_id') !== null) return;
    await pause(after, IDENTITY_PAUSE_MS, signal);
  }
}

/** That the boot has begun goes to the log group of its cluster: where that is not known for a minute, the first verdict tells it. */
async function learnCluster(
  session: LiveSession,
  identity: Promise<void>,
  signal: AbortSignal,
  after: After,
): Promise<void> {
  await identity;
  for (let tries = 0; tries < IDENTITY_TRIES && !signal.aborted; tries++) {
    await session.probe({ names: CLUSTER, withBase: false });
    const { instanceId, cluster } = session.judge().verdict.node;
    if (instanceId === null) return;
    if (cluster !== null) return session.begin();
    await pause(after, IDENTITY_PAUSE_MS, signal);
  }
}

/** Resolves when the signal is aborted, at once if it was before. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

// `diagnose`: a verdict from the machine that the tool runs on, or from a root file system that is mounted there.
import { EXIT_NOTHING_READ, exitCodeOf } from '../exit-codes.ts';
import { HostError } from '../host/host.ts';
import { keepHeapSmall, type SmallEngine, startShort } from '../host/processes/engine-limits.ts';
import { OperatorError } from '../operator-error.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { collectLiveInputs } from '../sources/collect-live-inputs.ts';
import type { Collected } from '../sources/input.ts';
import { liveProcesses } from '../sources/live-processes.ts';
import { NOT_ROOT } from '../render/headline.ts';
import type { NotChecked, RedactedVerdict, StreamTable } from '../types.ts';
import type { CommandContext, Machine } from './command-context.ts';
import { type LiveSession, openSession } from './live/live-session.ts';
import { ANSWERS } from './live/probing.ts';
import { loadPack, type LoadedPack } from './pack.ts';
import { nothingRead, printVerdict, REASONS } from './print-verdict.ts';
import { createProgress } from './progress.ts';
import { readInputs } from './read-inputs.ts';

const ONLY_LIVE = ['kernel', 'processes', 'clock', 'network'];
/** The questions that the logs suggest are asked once these are read; what is left of this is theirs. */
const QUESTIONS_END_MS = 9_500;
const QUESTIONS_MIN_MS = 1_000;
const NONE: ReadonlySet<string> = new Set();

interface Diagnosis {
  readonly context: CommandContext;
  readonly machine: Machine;
  readonly engine: SmallEngine;
  readonly isLive: boolean;
  readonly lacksRights: boolean;
  readonly bootId: string | null;
  readonly loaded: LoadedPack;
  readonly session: LiveSession;
}

const ROOT_ID = 0;

export async function diagnoseNode(context: CommandContext): Promise<number> {
  const { settings } = context;
  const engine = startShort(keepHeapSmall);
  const machine = await openMachine(context);
  const isLive = await machine.host.isRootOfThisBoot();
  const bootId = isLive ? await machine.host.bootId() : null;
  const loaded = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const lacksRights = isLive && context.doors.userId() !== ROOT_ID;
  let printing: Promise<void> = Promise.resolve();
  const session = await openSession({
    context,
    machine,
    pack: loaded.pack,
    bootId,
    probe: isLive ? settings.probe : 'none',
    where: isLive ? (settings.deliver ?? 'none') : 'none',
    isLive,
    lacksRights,
    async print(said: RedactedVerdict) {
      printing = printVerdict(said, { pack: loaded.pack, context, answers: ANSWERS });
      await printing.catch(() => undefined);
      return null;
    },
  });
  const status = await diagnose({ context, machine, engine, isLive, lacksRights, bootId, loaded, session });
  await session.finish();
  await printing;
  return exitCodeOf(status);
}

async function diagnose(diagnosis: Diagnosis): Promise<RedactedVerdict['status']> {
  const { context, machine, isLive, loaded, session } = diagnosis;
  const { signal } = context;
  const startMs = performance.now();
  const base = session.probing.ask({ names: NONE, known: new Map(), signal });
  const collected = await collectLiveInputs(machine.host, loaded.pack.streamTable, { signal });
  try {
    await read(diagnosis, collected, base);
    if (isLive) {
      const totalMs = Math.max(QUESTIONS_MIN_MS, QUESTIONS_END_MS - (performance.now() - startMs));
      await session.probe({ totalMs, onlyNew: true });
    }
    const { verdict } = session.judge('whole');
    await session.report(verdict, false);
    return verdict.status;
  } finally {
    await collected.cleanup();
  }
}

/** @throws OperatorError if there is nothing at all to judge */
async function read(
  { context, machine, engine, isLive, lacksRights, bootId, loaded, session }: Diagnosis,
  collected: Collected,
  base: Promise<void>,
): Promise<void> {
  const { process, settings, signal } = context;
  const { pack } = loaded;
  const offline: NotChecked[] = isLive ? [] : ONLY_LIVE.map((what) => ({ what, code: 'offline-root', detail: '' }));
  const noRights: NotChecked[] = lacksRights ? [{ what: 'this machine', code: NOT_ROOT, detail: '' }] : [];
  const inputs = isLive ? [...collected.inputs, liveProcesses(machine.system, pack.streamTable)] : collected.inputs;
  const { result, bytes } = await readInputs({
    pack,
    collected: { ...collected, inputs },
    notChecked: [...noRights, ...offline, ...loaded.notChecked],
    nowMs: machine.host.clock.wallMs(),
    bootId,
    signal,
    engine,
    progress: (totalBytes) => createProgress(process.stderr, totalBytes, settings.quiet),
  });
  await base;
  if (bytes === 0 && session.probing.results().length === 0)
    throw nothingRead(tried(pack.streamTable), result.notChecked.slice(noRights.length + offline.length));
  session.judgeBy(() => result);
}

function tried({ streams }: StreamTable): string[] {
  return ['the journal', ...streams.flatMap((stream) => stream.liveFiles)];
}

/** The way to the root may lead over a mount that does not answer: it is followed before anything else touches it. */
async function openMachine({ doors, settings: { root } }: CommandContext): Promise<Machine> {
  try {
    return await doors.machine(root);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new OperatorError(`--root ${root} cannot be read. ${REASONS[error.code] ?? error.code}`, EXIT_NOTHING_READ);
  }
}

// `diagnose`: a verdict from the machine that the tool runs on, or from a root file system that is mounted there.
import { assess, type Assessment } from '../diagnosis/diagnose.ts';
import type { Facts } from '../diagnosis/facts.ts';
import { probesFor } from '../diagnosis/hypotheses.ts';
import { EXIT_NOTHING_READ, exitCodeOf } from '../exit-codes.ts';
import { createHost } from '../host/create-host.ts';
import { createSystem } from '../host/create-system.ts';
import { createNetwork } from '../host/network/create-network.ts';
import { type Host, HostError } from '../host/host.ts';
import { keepHeapSmall } from '../host/processes/engine-limits.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandContext } from './command-context.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { collectLiveInputs } from '../sources/collect-live-inputs.ts';
import { liveProcesses } from '../sources/live-processes.ts';
import type { NotChecked } from '../types.ts';
import { NOT_ROOT } from '../render/headline.ts';
import { VERSION } from '../version.ts';
import { bootWallMs } from './live/boot-wall.ts';
import { ANSWERS, createInquiry } from './live/inquiry.ts';
import { openDelivery } from './live/open-delivery.ts';
import { loadPack } from './pack.ts';
import { createProgress } from './progress.ts';
import { readInputs } from './read-inputs.ts';
import { nothingRead, REASONS, sayVerdict, showable } from './say-verdict.ts';

const ONLY_LIVE = ['kernel', 'processes', 'clock', 'network'];
/** The questions that the logs suggest are asked once these are read; what is left of this is theirs. */
const QUESTIONS_END_MS = 9_500;
const QUESTIONS_MIN_MS = 1_000;
const LAST_DELIVERY_MS = 15_000;
const NONE: ReadonlySet<string> = new Set();

export async function diagnoseNode(context: CommandContext): Promise<number> {
  const { signal, settings, process } = context;
  const startMs = performance.now();
  keepHeapSmall();
  const host = await openHost(settings.root);
  const { pack, notChecked } = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const system = createSystem({ root: host.root });
  const live = await host.isRootOfThisBoot();
  const lacksRights = live && (process.geteuid?.() ?? 0) !== 0;
  const noRights: NotChecked[] = lacksRights ? [{ what: 'this machine', code: NOT_ROOT, detail: '' }] : [];
  const offline: NotChecked[] = live ? [] : ONLY_LIVE.map((what) => ({ what, code: 'offline-root', detail: '' }));
  const inquiry = createInquiry({ host, system, network: createNetwork({ root: host.root }) }, live ? settings.probe : 'none');
  const base = inquiry.ask({ names: NONE, known: new Map(), signal });
  const collected = await collectLiveInputs(host, pack.streamTable, { signal });
  try {
    const inputs = live ? [...collected.inputs, liveProcesses(system)] : collected.inputs;
    const progress = (totalBytes: number) => createProgress(process.stderr, totalBytes, settings.quiet);
    const nowMs = host.clock.wallMs();
    const bootId = live ? await host.bootId() : null;
    const reading = await readInputs({
      pack,
      collected: { ...collected, inputs },
      notChecked: [...noRights, ...offline, ...notChecked],
      nowMs,
      bootId,
      signal,
      progress,
    });
    await base;
    const { result, bytes } = reading;
    const tried = ['the journal', ...pack.streamTable.streams.flatMap((stream) => stream.liveFiles)];
    if (bytes === 0 && inquiry.results().length === 0) throw nothingRead(tried, result.notChecked.slice(noRights.length + offline.length));
    let facts: Facts = new Map();
    const where = settings.deliver ?? 'none';
    const notes: NotChecked[] = [];
    const delivery =
      where === 'none' || !live
        ? null
        : await openDelivery({ host, bootId, context, where, fact: (name) => facts.get(name) ?? null, note: (note) => notes.push(note) });
    const judge = (): Assessment => {
      const match = { ...result, notChecked: [...result.notChecked, ...inquiry.notes(), ...notes] };
      const assessment = assess(pack, live ? { ...match, bootWallMs: bootWallMs(host.clock) } : match, inquiry.results(), {
        nowMs: live ? host.clock.wallMs() : null,
        uptimeSeconds: live ? Math.round(host.clock.monotonicMs() / 1_000) : null,
        lacksRights,
        version: VERSION,
        sequence: delivery?.nextSequence ?? 0,
        final: false,
      });
      facts = assessment.facts;
      return assessment;
    };
    const leftMs = Math.max(QUESTIONS_MIN_MS, QUESTIONS_END_MS - (performance.now() - startMs));
    await inquiry.ask({ names: probesFor(judge().verdict, pack), known: facts, signal, totalMs: leftMs, onlyNew: true });
    const { verdict } = judge();
    const said = showable(verdict, context);
    const saying = sayVerdict(said, { pack, context, answers: ANSWERS });
    await Promise.allSettled([saying, delivery?.deliver(said)]);
    await delivery?.finish(LAST_DELIVERY_MS);
    await saying;
    return exitCodeOf(verdict.status);
  } finally {
    await collected.cleanup();
  }
}

/** The way to the root may lead over a mount that does not answer: it is followed before anything else touches it. */
async function openHost(root: string | null): Promise<Host> {
  try {
    const machine = createHost();
    return root === null ? machine : createHost({ root: await machine.realPath(root) });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new OperatorError(`--root ${root} cannot be read. ${REASONS[error.code] ?? error.code}`, EXIT_NOTHING_READ);
  }
}

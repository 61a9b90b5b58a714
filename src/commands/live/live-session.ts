// One run on a node: what it knows by now (facts, answers, notes), what it makes of it, and how it says that in its turn, under the
// next number of the boot. Reads no logs itself and does not decide when to speak.
import { assess, type Assessment, restate } from '../../diagnosis/diagnose.ts';
import type { Facts } from '../../diagnosis/facts.ts';
import { probesFor } from '../../diagnosis/hypotheses.ts';
import { within, withinSignal } from '../../lib/within.ts';
import type { Settings } from '../../parse-arguments.ts';
import { beginIn, countIn, NOTHING_SAID } from '../../reporting/said-in-boot.ts';
import type { Delivery, DeliveryReport } from '../../sinks/delivery.ts';
import {
  GIVE_BACK_LIMIT_MS,
  LAST_DELIVERY_MS,
  LAST_DELIVERY_WHEN_STOPPED_MS,
  STATE_LIMIT_MS,
} from '../../sinks/limits.ts';
import { wasReadyBefore } from '../../sinks/local/ready-mark.ts';
import { saidBefore, takeTurn } from '../../sinks/local/verdict-turn.ts';
import { latest } from '../../sinks/local/said-file.ts';
import type {
  Extent,
  MatchResult,
  NodeFacts,
  NotChecked,
  Pack,
  RedactedVerdict,
  SaidInBoot,
  Verdict,
} from '../../types.ts';
import { VERSION } from '../../version.ts';
import type { CommandContext, Machine } from '../command-context.ts';
import { redactFor } from '../print-verdict.ts';
import { bootWallMs } from './boot-wall.ts';
import { createComplaints } from './complain.ts';
import { shipLogs } from './logs/ship-logs.ts';
import { openDelivery } from './open-delivery.ts';
import { createProbing, type Probing, type ProbingRequest } from './probing.ts';

export interface SessionRequest {
  readonly context: CommandContext;
  readonly machine: Machine;
  readonly pack: Pack;
  readonly bootId: string | null;
  readonly probe: Settings['probe'];
  readonly where: 'all' | 'local' | 'none';
  /** False for a root file system that is only mounted: it has no time and no processes. */
  readonly isLive: boolean;
  /** True for the run that follows the boot: only its word is the last one, and it counts that the boot began. */
  readonly follows?: boolean;
  /** True for a run that may not read what is root's: without a cause it knows nothing. */
  readonly lacksRights?: boolean;
  /** Writes a verdict out for whoever started the run; a note if it was not taken. Never rejects. */
  readonly print: (verdict: RedactedVerdict) => Promise<NotChecked | null>;
}

export async function openSession(request: SessionRequest): Promise<LiveSession> {
  const { where, context, bootId, machine } = request;
  if (where === 'none') return new LiveSession(request, null, null);
  const said = await within(saidBefore(bootId, context.doors.places), STATE_LIMIT_MS);
  return new LiveSession(request, openDelivery(context, machine, where), said.late ? null : said.value);
}

export class LiveSession {
  readonly probing: Probing;
  readonly #request: SessionRequest;
  readonly #delivery: Delivery | null;
  readonly #complain: (note: NotChecked) => void;
  readonly #notes = new Map<string, NotChecked>();
  readonly #end = new AbortController();
  #read: (extent: Extent) => MatchResult = () => {
    throw new Error('nothing to judge yet');
  };
  #facts: Facts = new Map();
  /** Who the node is does not change, though its metadata service may be silent the next time. */
  #node: NodeFacts | null = null;
  #said: SaidInBoot;
  /** Read once: what happens in this boot does not change it. */
  #wasReady: { readonly instanceId: string; readonly before: boolean } | null = null;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(request: SessionRequest, delivery: Delivery | null, before: SaidInBoot | null) {
    this.#request = request;
    this.#delivery = delivery;
    this.#complain = createComplaints(request.context);
    this.#said = before ?? { ...NOTHING_SAID, bootId: request.bootId ?? '' };
    this.probing = createProbing(request.machine, request.probe);
  }

  /** What was said in this boot so far, as this run knows it. */
  get said(): SaidInBoot {
    return this.#said;
  }

  /** Who the node is, as the latest judgement has it; null before there is one. */
  get node(): NodeFacts | null {
    return this.#node;
  }

  /** What was read so far, from now on. */
  judgeBy(read: (extent: Extent) => MatchResult): void {
    this.#read = read;
  }

  /** To decide by; what is said is judged as a `whole`. */
  judge(extent: Extent = 'times'): Assessment {
    const { pack, isLive, machine, lacksRights = false } = this.#request;
    const { clock } = machine.host;
    const read = this.#read(extent);
    const match = { ...read, notChecked: [...read.notChecked, ...this.probing.notes(), ...this.#notes.values()] };
    const assessment = assess(
      pack,
      isLive ? { ...match, bootWallMs: bootWallMs(clock) } : match,
      this.probing.results(),
      {
        nowMs: isLive ? clock.wallMs() : null,
        uptimeSeconds: isLive ? Math.round(clock.monotonicMs() / 1_000) : null,
        lacksRights,
        version: VERSION,
        sequence: this.#said.sequence,
        final: false,
      },
    );
    this.#facts = new Map([...this.#facts, ...assessment.facts]);
    this.#node = merged(assessment.verdict.node, this.#node);
    return assessment;
  }

  /** Asks what these names say; without them what the verdict so far raises. Resolves when the next `judge` knows the answers. */
  async probe(request: Partial<ProbingRequest> = {}): Promise<void> {
    const names = request.names ?? probesFor(this.judge().verdict, this.#request.pack);
    await this.probing.ask({ ...request, names, known: this.#facts, signal: this.#request.context.signal });
  }

  /** Resolves soon, once it is said and outlives the process; it is delivered in the background, and a later verdict takes along what waits. */
  async report(verdict: Verdict, isFinal: boolean, { isShipped = true } = {}): Promise<void> {
    const { context, print, follows = false } = this.#request;
    const end = await this.#turn();
    const { sequence } = this.#said;
    const node = merged(verdict.node, this.#node);
    const worded = restate(verdict, { sequence, final: isFinal, node });
    const { counts, said } = countIn(this.#said, worded, { follows, isReboot: await this.#isReboot(node) });
    const shipsLogs = isShipped && this.#shipsLogs(worded);
    this.#said = shipsLogs ? { ...said, logs: true } : said;
    const redacted = redactFor(worded, context);
    const printing = print(redacted);
    if (isShipped)
      await this.#deliver((delivery, onKept) => {
        const occasion = { counts, said: this.#record(), onKept };
        const delivering = delivery.deliver(redacted, this.#end.signal, occasion);
        return shipsLogs ? this.#withLogs(redacted, delivering) : delivering;
      });
    await end();
    const note = await printing;
    if (note !== null) this.#keep(note);
  }

  /** Sends that the boot has begun, unless that was sent, by itself or with a verdict. */
  async begin(): Promise<void> {
    const { verdict } = this.judge();
    if (this.#delivery === null || (await this.#isReboot(verdict.node))) return;
    const end = await this.#turn();
    if (!this.#said.tally.started) {
      this.#said = beginIn(this.#said);
      const redacted = redactFor({ ...verdict, node: merged(verdict.node, this.#node) }, this.#request.context);
      await this.#deliver((delivery, onKept) =>
        delivery.begin(redacted, this.#end.signal, { said: this.#record(), onKept }),
      );
    }
    await end();
  }

  /** Delivers what earlier runs left in the spool. */
  flush(): void {
    const { node } = this.judge().verdict;
    this.#inBackground(this.#delivery?.flush(node, this.#end.signal) ?? null);
  }

  /** Waits for what is under way, only shortly once the run is stopped, and ends it. */
  async finish(): Promise<void> {
    const { signal } = this.#request.context;
    const working = this.#underWay;
    await withinSignal(within(working, LAST_DELIVERY_MS), signal, LAST_DELIVERY_WHEN_STOPPED_MS);
    this.#end.abort();
    await within(working, GIVE_BACK_LIMIT_MS);
    this.#delivery?.close();
  }

  /** From now on this run alone speaks for the boot, and knows what the others said, until it ends the turn. */
  async #turn(): Promise<() => Promise<void>> {
    const { context, bootId } = this.#request;
    if (this.#delivery === null) return async () => {};
    const { said, end } = await takeTurn(bootId, context.doors.places, context.signal);
    this.#said = latest([said, this.#said])!;
    return end;
  }

  /** Written down with the verdict, before anything is shipped: a run that is started again ships nothing twice. */
  #shipsLogs({ status, final, uptimeSeconds }: Verdict): boolean {
    const { context, where, follows = false } = this.#request;
    const { shipLogs, deadlineMs } = context.settings;
    if (shipLogs === 'never' || where !== 'all' || this.#record() === null || this.#said.logs) return false;
    const isFailure = status === 'failed' || status === 'stalled';
    return follows
      ? final && (isFailure || (status !== 'ready' && (uptimeSeconds ?? 0) * 1_000 >= deadlineMs))
      : isFailure;
  }

  async #withLogs(
    verdict: RedactedVerdict,
    delivering: Promise<DeliveryReport>,
  ): Promise<Pick<DeliveryReport, 'notes'>> {
    const { context, machine, pack } = this.#request;
    const delivered = delivering.then(({ accepted }) => accepted);
    const request = { context, machine, pack, bootId: this.#said.bootId, verdict, delivered, signal: this.#end.signal };
    const [{ notes }, more] = await Promise.all([delivering, shipLogs(request)]);
    return { notes: [...notes, ...more] };
  }

  /** Null where boots have no id: then nobody could tell whose it is. */
  #record(): SaidInBoot | null {
    return this.#said.bootId === '' ? null : this.#said;
  }

  /** The instance had been Ready in an earlier boot. */
  async #isReboot({ instanceId }: NodeFacts): Promise<boolean> {
    const { bootId, context } = this.#request;
    if (this.#delivery === null || instanceId === null || bootId === null) return false;
    if (this.#wasReady?.instanceId === instanceId) return this.#wasReady.before;
    const read = await within(wasReadyBefore({ instanceId, bootId }, context.doors.places), STATE_LIMIT_MS);
    if (!read.late) this.#wasReady = { instanceId, before: read.value };
    return !read.late && read.value;
  }

  async #deliver(
    work: (delivery: Delivery, onKept: () => void) => Promise<{ readonly notes: readonly NotChecked[] }>,
  ): Promise<void> {
    if (this.#delivery === null) return;
    const kept = Promise.withResolvers<void>();
    this.#inBackground(work(this.#delivery, kept.resolve).finally(kept.resolve));
    await kept.promise;
  }

  #inBackground(work: Promise<{ readonly notes: readonly NotChecked[] }> | null): void {
    const told = work?.then(
      ({ notes }) => notes.forEach((note) => this.#tell(note)),
      (error: unknown) => this.#tell({ what: 'delivery', code: 'delivery-broken', detail: String(error) }),
    );
    this.#underWay = Promise.all([this.#underWay, told]);
  }

  #tell(note: NotChecked): void {
    this.#keep(note);
    this.#complain(note);
  }

  #keep(note: NotChecked): void {
    this.#notes.set(JSON.stringify([note.what, note.code]), note);
  }
}

function merged(node: NodeFacts, earlier: NodeFacts | null): NodeFacts {
  if (earlier === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, value ?? earlier[name as keyof NodeFacts]]),
  ) as unknown as NodeFacts;
}

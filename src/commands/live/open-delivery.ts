// Puts the ladder together for one run: what this boot has said before, where verdicts go, and who the node is by then.
import { createFindContext } from '../../host/network/authorities.ts';
import { createNetwork } from '../../host/network/create-network.ts';
import { createSystem } from '../../host/create-system.ts';
import type { Host } from '../../host/host.ts';
import { type ProxySettings, proxySettingsOf } from '../../host/network/proxy.ts';
import type { System } from '../../host/system.ts';
import { TOOL_NAME } from '../../options.ts';
import { readProxySettings } from '../../probes/machine/proxy-settings.ts';
import { createIdentifierMask } from '../../redaction/identifiers.ts';
import { redactText } from '../../redaction/redact.ts';
import { renderCloudWatchEvent } from '../../render/cloudwatch-event.ts';
import { renderConsoleLine } from '../../render/console-line.ts';
import { renderJson } from '../../render/json.ts';
import { wordNotChecked } from '../../render/not-checked.ts';
import { renderVerdictLine } from '../../render/verdict-line.ts';
import type { CommandContext } from '../command-context.ts';
import { defaultLogGroup, logStreamOf } from '../../sinks/cloudwatch/names.ts';
import { type EarlierVerdicts, readLastVerdict, wasReadyBefore } from '../../sinks/local/earlier-verdicts.ts';
import { createLadder, type Ladder } from '../../sinks/ladder.ts';
import type { Shipper } from '../../sinks/shipping.ts';
import { writeStream } from '../../sinks/local/stream.ts';
import { within, withinSignal } from '../../lib/within.ts';
import type { NotChecked, RedactedVerdict } from '../../types.ts';
import { REASONS } from '../say-verdict.ts';

export interface Delivery {
  /** True if the final verdict of this boot was said by an earlier run. */
  readonly isDone: boolean;
  /** Goes on where an earlier run of this boot ended. */
  readonly nextSequence: number;
  /** Resolves soon, once the verdict outlives the process; delivers in the background, and a later verdict takes along what still waits. */
  deliver(verdict: RedactedVerdict): Promise<void>;
  /** Waits for what is under way, at most this long and no longer than 700 ms once the run is stopped, and ends it. */
  finish(limitMs: number): Promise<void>;
}

export interface DeliveryRequest {
  readonly host: Host;
  readonly bootId: string | null;
  readonly context: CommandContext;
  readonly where: 'all' | 'local';
  /** As the API server, the instance metadata and the logs name it by now. */
  readonly fact: (name: string) => string | null;
  /** Gets what went wrong, for the verdicts that follow. The last one has none: standard error gets it too. */
  readonly note: (note: NotChecked) => void;
}

const LAST_DELIVERY_WHEN_STOPPED_MS = 700;
/** For what the disk remembers; one that is stuck must not keep a verdict back. */
const STATE_LIMIT_MS = 1_000;

export async function openDelivery(request: DeliveryRequest): Promise<Delivery> {
  const { bootId, fact } = request;
  const complain = complainerOf(request.context);
  const note = (entry: NotChecked): void => {
    request.note(entry);
    complain(entry);
  };
  const read = await within(readLastVerdict(bootId), STATE_LIMIT_MS);
  const earlier: EarlierVerdicts = read.late ? { last: null, notes: [{ what: 'earlier verdicts', code: 'write-slow', detail: '' }] } : read.value;
  for (const entry of earlier.notes) note(entry);
  const isDone = earlier.last?.final === true;
  const node: { wasReady: boolean } = { wasReady: false };
  const ladder = ladderOf(request, node);
  const end = new AbortController();
  let underWay: Promise<unknown> = Promise.resolve();

  const bring = async (verdict: RedactedVerdict, onKept: () => void): Promise<void> => {
    const instanceId = fact('instance_id');
    if (verdict.final && instanceId !== null && bootId !== null) {
      const was = await within(wasReadyBefore({ instanceId, bootId }), STATE_LIMIT_MS);
      node.wasReady = !was.late && was.value;
    }
    const { notes } = await ladder.deliver(verdict, end.signal, onKept);
    for (const entry of notes) note(entry);
  };
  return {
    isDone,
    nextSequence: earlier.last === null ? 0 : earlier.last.sequence + 1,
    deliver(verdict) {
      const kept = Promise.withResolvers<void>();
      const brought = bring(verdict, kept.resolve).catch((error: unknown) => note({ what: 'delivery', code: 'delivery-broken', detail: String(error) }));
      underWay = Promise.all([underWay, brought.finally(kept.resolve)]);
      return kept.promise;
    },
    async finish(limitMs) {
      const work = async (): Promise<void> => {
        await underWay;
        if (isDone) for (const entry of (await ladder.flush(end.signal)).notes) note(entry);
      };
      const working = work();
      await withinSignal(within(working, limitMs), request.context.signal, LAST_DELIVERY_WHEN_STOPPED_MS);
      end.abort();
      await working;
      ladder.close();
    },
  };
}

/** Says each thing once. */
function complainerOf({ process, settings }: CommandContext): (note: NotChecked) => void {
  const mask = settings.redactIdentifiers ? createIdentifierMask() : (text: string): string => text;
  const said = new Set<string>();
  return (note) => {
    for (const sentence of wordNotChecked([note], REASONS)) {
      if (said.has(sentence)) continue;
      said.add(sentence);
      void writeStream(process.stderr, `${TOOL_NAME}: ${mask(redactText(sentence))}\n`).catch(() => undefined);
    }
  };
}

function ladderOf({ host, context: { settings }, where, fact }: DeliveryRequest, node: { readonly wasReady: boolean }): Ladder {
  const group = (): string => settings.logGroup ?? defaultLogGroup(fact('cluster'));
  const stream = (): string => logStreamOf(fact('instance_id'));
  const findTrust = createFindContext('', process.env['SSL_CERT_FILE']);
  const openShipper = async (): Promise<Shipper> => {
    const { createCloudWatchShipper } = await import('../../sinks/cloudwatch/cloudwatch.ts');
    return createCloudWatchShipper({
      logGroup: group(),
      logStream: stream(),
      createLogGroup: settings.createLogGroup,
      retentionDays: settings.retentionDays,
      region: fact('region'),
      account: fact('account'),
      network: createNetwork(),
      proxy: await proxyOf(createSystem({ root: null })),
      systemTrust: () => findTrust('system'),
      environment: process.env,
      wallMs: () => host.clock.wallMs(),
    });
  };
  return createLadder({
    host,
    words: {
      file: (verdict) => renderJson(verdict, ''),
      line: renderVerdictLine,
      event: (verdict) => renderCloudWatchEvent(verdict, { nowMs: host.clock.wallMs(), wasReadyBefore: node.wasReady }),
      console: renderConsoleLine,
    },
    openShipper: where === 'all' ? openShipper : null,
    destination: () => `${group()} ${stream()} ${fact('region')}`,
    instanceId: () => fact('instance_id'),
  });
}

/** The environment of this run before what the node's services are told. */
async function proxyOf(system: System): Promise<ProxySettings> {
  const own = proxySettingsOf(process.env);
  if (own.httpsProxy !== null) return own;
  return (await readProxySettings(system).catch(() => null))?.settings ?? own;
}

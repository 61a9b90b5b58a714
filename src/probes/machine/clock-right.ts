// Is the clock right? Requests to AWS are refused when it is minutes off, and certificates seem expired or not yet valid. Asks
// the time service of this machine, and where that knows nothing, the Date of an answer from nearby.
import { NetworkError } from '../../host/network/network.ts';
import type { System } from '../../host/system.ts';
import { readClusterAccess } from '../cluster/cluster-access.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe, ProbeContext } from '../probe.ts';

type Code = 'ok' | 'clock-off' | 'not-synchronized' | 'unknown';

/** AWS allows 5 minutes; a clock in order is right to the millisecond. */
const OFF_SECONDS = 60;
const ANSWER_LIMIT_MS = 1_000;
const TIMESYNCD_MARK = '/run/systemd/timesync/synchronized';
const METADATA_HOST = '169.254.169.254';
/** A Date is cut to full seconds. */
const HALF_SECOND_MS = 500;

export const clockRight: Probe<Code> = {
  name: 'clock-right',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'The clock is right (to {offset_seconds} s, by {source}).' },
    'clock-off': { outcome: 'fail', sentence: 'The clock is {offset_seconds} s off (by {source}).' },
    'not-synchronized': {
      outcome: 'ok',
      sentence: 'The clock is right by {source} (to {offset_seconds} s), but no time service keeps it so.',
    },
    unknown: { outcome: 'skipped', sentence: 'Neither a time service nor an answer from nearby told the time.' },
  },
  async ask(context) {
    const service = await askService(context.system, context.signal);
    if (service?.synchronized === true) return judged(service.offsetSeconds, service.source, 'ok');
    const nearby = await askNearby(context);
    if (nearby === null) return { code: 'unknown', facts: {} };
    return judged(nearby.offsetSeconds, nearby.source, service === null ? 'ok' : 'not-synchronized');
  },
};

function judged(
  offsetSeconds: number | null,
  source: string,
  good: Code,
): { readonly code: Code; readonly facts: ReturnType<typeof compactFacts> } {
  const isOff = offsetSeconds !== null && Math.abs(offsetSeconds) >= OFF_SECONDS;
  return { code: isOff ? 'clock-off' : good, facts: compactFacts({ offset_seconds: offsetSeconds, source }) };
}

interface Service {
  readonly synchronized: boolean;
  /** Positive: this clock is ahead. Null: it does not say. */
  readonly offsetSeconds: number | null;
  readonly source: string;
}

/** Null if no time service is known. */
async function askService(system: System, signal: AbortSignal): Promise<Service | null> {
  const chrony = (await system.runTool('chronyc', ['-n', 'tracking'], signal))?.stdout ?? '';
  const leap = /^Leap status\s*: (?<leap>.+?)\s*$/m.exec(chrony)?.groups?.['leap'];
  if (leap !== undefined)
    return { synchronized: leap !== 'Not synchronised', offsetSeconds: chronyOffset(chrony), source: 'chrony' };
  return (await system.kindOf(TIMESYNCD_MARK)) === null
    ? null
    : { synchronized: true, offsetSeconds: null, source: 'systemd-timesyncd' };
}

/** `System time     : 0.000012345 seconds slow of NTP time`. */
function chronyOffset(tracking: string): number | null {
  const groups = /^System time\s*: (?<seconds>\d+(?:\.\d+)?) seconds (?<way>fast|slow) /m.exec(tracking)?.groups;
  if (groups === undefined) return null;
  const seconds = Math.round(Number(groups['seconds']) * 1_000) / 1_000;
  return groups['way'] === 'fast' ? seconds : -seconds || 0;
}

interface Nearby {
  readonly offsetSeconds: number;
  readonly source: string;
}

/** The instance metadata first, then the cluster, each without a proxy. Any status will do: what counts is the Date. */
async function askNearby(context: ProbeContext): Promise<Nearby | null> {
  const metadata = await offsetBy(context, { host: METADATA_HOST, port: 80, trust: null });
  if (metadata !== null) return { offsetSeconds: metadata, source: 'instance metadata' };
  const access = await readClusterAccess(context.system);
  if (access === null) return null;
  const { hostname, port } = new URL(access.server);
  const cluster = await offsetBy(context, {
    host: hostname,
    port: Number(port || 443),
    trust: { authorities: access.caPem },
  });
  return cluster === null ? null : { offsetSeconds: cluster, source: 'cluster endpoint' };
}

type Target = Pick<Parameters<ProbeContext['network']['request']>[0], 'host' | 'port' | 'trust'>;

async function offsetBy({ network, host, signal }: ProbeContext, target: Target): Promise<number | null> {
  try {
    const { dateMs } = await network.request({
      ...target,
      proxy: null,
      method: 'GET',
      path: '/',
      headers: {},
      timeLimitMs: ANSWER_LIMIT_MS,
      signal,
    });
    return dateMs === null ? null : Math.round((host.clock.wallMs() - dateMs - HALF_SECOND_MS) / 1_000) || 0;
  } catch (error) {
    if (error instanceof NetworkError) return null;
    throw error;
  }
}

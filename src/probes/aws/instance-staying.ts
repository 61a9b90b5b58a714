// Is this instance going to stay? Asks for a spot interruption, a scheduled event, and a termination by its auto scaling group.
import { fieldsOf, firstLine } from '../../lib/answer-text.ts';
import { parseList } from '../../lib/parse-json.ts';
import { compactFacts } from '../compact-facts.ts';
import { type Metadata, MetadataError, openMetadata } from '../../aws/instance-metadata.ts';
import type { Probe, ProbeAnswer } from '../probe.ts';

type Code = 'ok' | 'spot-interruption' | 'scheduled-termination' | 'rebalance-recommended' | 'no-metadata';

/** Of scheduled events; the others (system-maintenance) leave the instance where it is. */
const ENDING_EVENTS = new Set(['instance-stop', 'instance-retirement', 'instance-reboot', 'system-reboot']);

export const instanceStaying: Probe<Code> = {
  name: 'instance-staying',
  stage: 'facts',
  answers: {
    ok: { outcome: 'ok', sentence: 'Nothing is announced that would end this instance.' },
    'spot-interruption': { outcome: 'fail', sentence: 'EC2 takes this spot instance back: {action} at {time}.' },
    'scheduled-termination': {
      outcome: 'fail',
      sentence: 'The end of this instance has been announced: {action} (at {time}).',
    },
    'rebalance-recommended': {
      outcome: 'ok',
      sentence: 'EC2 sees a higher risk that this spot instance is taken back (since {time}).',
    },
    'no-metadata': {
      outcome: 'skipped',
      sentence: 'The instance metadata service did not say whether this instance stays.',
    },
  },
  async ask({ network, signal }) {
    try {
      return await announced(await openMetadata(network, signal));
    } catch (error) {
      if (error instanceof MetadataError) return { code: 'no-metadata', facts: {} };
      throw error;
    }
  },
};

async function announced(metadata: Metadata): Promise<ProbeAnswer<Code>> {
  const [spot, group, events, rebalance] = await Promise.all([
    metadata.get('meta-data/spot/instance-action'),
    metadata.find('meta-data/autoscaling/target-lifecycle-state'),
    metadata.find('meta-data/events/maintenance/scheduled'),
    metadata.find('meta-data/events/recommendations/rebalance'),
  ]);
  if (spot !== null) return answer('spot-interruption', firstLine(fieldsOf(spot)['action']), fieldsOf(spot)['time']);
  const event = endingEvent(events ?? '');
  if (event !== null) return answer('scheduled-termination', firstLine(event['Code']), event['NotBefore']);
  if (/^(?:Warmed:)?Terminated$/.test(group?.trim() ?? '')) return answer('scheduled-termination', 'terminate', null);
  if (rebalance !== null) return answer('rebalance-recommended', null, fieldsOf(rebalance)['noticeTime']);
  return { code: 'ok', facts: {} };
}

function answer(code: Code, action: string | null, time: unknown): ProbeAnswer<Code> {
  return { code, facts: compactFacts({ action, time: firstLine(time) }) };
}

/** A list of events; those that are over are named so. */
function endingEvent(text: string): Readonly<Record<string, unknown>> | null {
  const events = parseList(text);
  const open = events.filter(
    (event): event is Record<string, unknown> =>
      typeof event === 'object' && event !== null && (event as { State?: unknown }).State === 'active',
  );
  return open.find((event) => ENDING_EVENTS.has(String(event['Code']))) ?? null;
}

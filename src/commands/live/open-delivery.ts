// Puts the sinks of one run together: renders for each, and opens a log service by what a verdict says of its node.
import { renderCloudWatchEvent } from '../../render/cloudwatch-event.ts';
import { renderConsoleLine } from '../../render/console-line.ts';
import { renderJson } from '../../render/json.ts';
import { renderVerdictLine } from '../../render/verdict-line.ts';
import { within } from '../../lib/within.ts';
import { defaultLogGroup, logStreamOf } from '../../sinks/cloudwatch/names.ts';
import { createDelivery, type Delivery } from '../../sinks/delivery.ts';
import { STATE_LIMIT_MS } from '../../sinks/limits.ts';
import { wasReadyBefore } from '../../sinks/local/earlier-verdicts.ts';
import type { Places } from '../../sinks/local/places.ts';
import type { RedactedVerdict } from '../../types.ts';
import type { CommandContext, Machine } from '../command-context.ts';

export function openDelivery({ doors, settings }: CommandContext, machine: Machine, where: 'all' | 'local'): Delivery {
  const { host } = machine;
  const { places } = doors;
  return createDelivery({
    host,
    words: {
      file: (verdict) => renderJson(verdict, ''),
      line: renderVerdictLine,
      event: async (verdict) =>
        renderCloudWatchEvent(verdict, { nowMs: host.clock.wallMs(), wasReadyBefore: await wasReady(verdict, places) }),
      console: renderConsoleLine,
    },
    shippers:
      where === 'local'
        ? null
        : {
            name: ({ cluster, instanceId, region }) =>
              `${settings.logGroup ?? defaultLogGroup(cluster)} ${logStreamOf(instanceId)} ${region}`,
            open: (node) => doors.openShipper(node, settings, machine),
          },
    places,
  });
}

/** Only the last word of a boot counts as its bootstrap. */
async function wasReady({ final, bootId, node: { instanceId } }: RedactedVerdict, places: Places): Promise<boolean> {
  if (!final || instanceId === null || bootId === null) return false;
  const was = await within(wasReadyBefore({ instanceId, bootId }, places), STATE_LIMIT_MS);
  return !was.late && was.value;
}

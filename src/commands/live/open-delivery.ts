// Puts the sinks of one run together: renders for each, and opens a log service by what a verdict says of its node.
import { renderBootStarted, renderCloudWatchEvent } from '../../render/cloudwatch/cloudwatch-event.ts';
import { renderConsoleLine } from '../../render/console-line.ts';
import { renderJson } from '../../render/json.ts';
import { renderVerdictLine } from '../../render/verdict-line.ts';
import { defaultLogGroup, logStreamOf } from '../../sinks/cloudwatch/names.ts';
import { createDelivery, type Delivery } from '../../sinks/delivery.ts';
import type { CommandContext, Machine } from '../command-context.ts';

export function openDelivery({ doors, settings }: CommandContext, machine: Machine, where: 'all' | 'local'): Delivery {
  const { host } = machine;
  const { places } = doors;
  return createDelivery({
    host,
    words: {
      file: (verdict) => renderJson(verdict, ''),
      line: renderVerdictLine,
      event: (verdict, counts) => renderCloudWatchEvent(verdict, { nowMs: host.clock.wallMs(), counts }),
      started: (verdict) => renderBootStarted(verdict, host.clock.wallMs()),
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

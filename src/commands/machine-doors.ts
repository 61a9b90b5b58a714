// The doors of a real run: the machine that it runs on, its environment, its clock and the log service.
import { createHost } from '../host/create-host.ts';
import { readSetting } from '../host/files/read-setting.ts';
import { ENVIRONMENT_FILE } from '../kept-options.ts';
import { createSystem } from '../host/create-system.ts';
import { createFindContext } from '../host/network/authorities.ts';
import { createNetwork } from '../host/network/create-network.ts';
import { type ProxySettings, proxySettingsOf } from '../host/network/proxy.ts';
import type { System } from '../host/system.ts';
import { readProxySettings } from '../probes/machine/proxy-settings.ts';
import { afterReal } from '../lib/after.ts';
import { PLACES } from '../sinks/local/places.ts';
import type { Doors } from './command-context.ts';
import { defaultLogGroup, logStreamOf } from '../sinks/cloudwatch/names.ts';

const ENVIRONMENT_MAX_BYTES = 64 * 1024;

type Environment = Doors['env'];

export function machineDoors(env: Environment): Doors {
  const findTrust = createFindContext('', env['SSL_CERT_FILE']);
  return {
    async machine(root) {
      const own = createHost();
      const host = root === null ? own : createHost({ root: await own.realPath(root) });
      return {
        host,
        system: createSystem({ root: host.root }),
        network: createNetwork({ root: host.root, environment: env }),
      };
    },
    env,
    environmentFile: () => readSetting('', ENVIRONMENT_FILE, ENVIRONMENT_MAX_BYTES),
    userId: () => process.geteuid?.() ?? 0,
    places: PLACES,
    after: afterReal,
    async openShipper(node, settings, { host, system }) {
      const { createCloudWatchShipper } = await import('../sinks/cloudwatch/cloudwatch.ts');
      return createCloudWatchShipper({
        logGroup: settings.logGroup ?? defaultLogGroup(node.cluster),
        logStream: logStreamOf(node.instanceId),
        createLogGroup: settings.createLogGroup,
        retentionDays: settings.retentionDays,
        region: node.region,
        account: node.account,
        network: createNetwork({ environment: env }),
        proxy: await proxyOf(env, system),
        systemTrust: () => findTrust('system'),
        environment: env,
        wallMs: () => host.clock.wallMs(),
      });
    },
  };
}

/** The environment of this run before what the node's services are told. */
async function proxyOf(env: Environment, system: System): Promise<ProxySettings> {
  const own = proxySettingsOf(env);
  if (own.httpsProxy !== null) return own;
  return (await readProxySettings(system).catch(() => null))?.settings ?? own;
}

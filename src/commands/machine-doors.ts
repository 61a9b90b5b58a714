// The doors of a real run: the machine that it runs on, its environment, its clock and the log service.
import { createHost } from '../host/create-host.ts';
import { readSetting } from '../host/files/read-setting.ts';
import type { FindContext } from '../host/network/authorities.ts';
import { ENVIRONMENT_FILE } from '../kept-options.ts';
import type { ProxySettings } from '../host/network/proxy.ts';
import type { System } from '../host/system.ts';
import { afterReal } from '../lib/after.ts';
import { PLACES } from '../sinks/local/places.ts';
import type { Doors } from './command-context.ts';
import { defaultLogGroup, logStreamOf } from '../sinks/cloudwatch/names.ts';

const ENVIRONMENT_MAX_BYTES = 64 * 1024;

type Environment = Doors['env'];

/** What only a live node needs is loaded when it is asked for: Node's TLS alone takes 8 ms. */
export function machineDoors(env: Environment): Doors {
  let findTrust: FindContext | null = null;
  return {
    files: createHost,
    async machine(root) {
      const own = createHost();
      const host = root === null ? own : createHost({ root: await own.realPath(root) });
      const { createSystem } = await import('../host/create-system.ts');
      const { createNetwork } = await import('../host/network/create-network.ts');
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
    async openShipper(node, settings, { host, system }, of) {
      const { createCloudWatchShipper } = await import('../sinks/cloudwatch/cloudwatch.ts');
      const { createFindContext } = await import('../host/network/authorities.ts');
      const { createNetwork } = await import('../host/network/create-network.ts');
      const trust = (findTrust ??= createFindContext('', env['SSL_CERT_FILE']));
      return createCloudWatchShipper({
        logGroup: settings.logGroup ?? defaultLogGroup(node.cluster),
        logStream: logStreamOf(node.instanceId, of),
        createLogGroup: settings.createLogGroup,
        retentionDays: settings.retentionDays,
        region: node.region,
        account: node.account,
        network: createNetwork({ environment: env }),
        proxy: await proxyOf(env, system),
        systemTrust: () => trust('system'),
        environment: env,
        wallMs: () => host.clock.wallMs(),
      });
    },
  };
}

/** The environment of this run before what the node's services are told. */
async function proxyOf(env: Environment, system: System): Promise<ProxySettings> {
  const { proxySettingsOf } = await import('../host/network/proxy.ts');
  const own = proxySettingsOf(env);
  if (own.httpsProxy !== null) return own;
  const { readProxySettings } = await import('../probes/machine/proxy-settings.ts');
  return (await readProxySettings(system).catch(() => null))?.settings ?? own;
}

// Which proxy is in force for one service of the node, or for this program. Asks nobody.
import type { Network } from '../../host/network/network.ts';
import { NO_PROXY_SETTINGS, type ProxySettings, proxySettingsOf } from '../../host/network/proxy.ts';
import type { System } from '../../host/system.ts';
import { assignmentsIn, readProxySettings } from './proxy-settings.ts';

const MANAGER_FOLDER = '/etc/systemd/system.conf.d';
const ENVIRONMENT_FILE = /^\s*EnvironmentFile=-?(?<path>\/[^\s*?[]+)\s*$/gm;

/** The first of the units that is told of a proxy counts; what systemd gives to all of them otherwise. @throws HostError */
export async function unitProxySettings(system: System, units: readonly string[]): Promise<ProxySettings> {
  const everywhere = assignmentsIn(await dropInsOf(system, MANAGER_FOLDER));
  for (const unit of units) {
    const text = await dropInsOf(system, `/etc/systemd/system/${unit}.service.d`);
    const files = await Promise.all(
      [...text.matchAll(ENVIRONMENT_FILE)].map(({ groups }) => system.readSmall(groups!['path']!)),
    );
    // A file overrides what is written in the unit itself.
    const settings = proxySettingsOf({ ...everywhere, ...assignmentsIn([text, ...files].join('\n')) });
    if (settings.httpsProxy !== null) return settings;
  }
  return NO_PROXY_SETTINGS;
}

/** Of our own environment; where that names none, the one that the node's services use. @throws HostError */
export async function ownProxySettings(network: Network, system: System): Promise<ProxySettings> {
  const own = proxySettingsOf(network.environment);
  return own.httpsProxy === null ? ((await readProxySettings(system))?.settings ?? NO_PROXY_SETTINGS) : own;
}

async function dropInsOf(system: System, folder: string): Promise<string> {
  const names = (await system.listFolder(folder)).filter((name) => name.endsWith('.conf'));
  const texts = await Promise.all(names.map((name) => system.readSmall(`${folder}/${name}`)));
  return texts.join('\n');
}

// Reads which CNI configuration is in force: the first in the order of names, as containerd takes it.
import type { System } from '../../host/system.ts';

export const CNI_CONFIG_FOLDER = '/etc/cni/net.d';
const CONFIG_NAME = /\.(?:conflist|conf|json)$/;

export interface CniConfig {
  readonly path: string;
  /** Names of the programs that it calls; empty if it cannot be understood. */
  readonly types: readonly string[];
}

/** Null if there is none. @throws HostError */
export async function readCniConfig(system: System): Promise<CniConfig | null> {
  const name = (await system.listFolder(CNI_CONFIG_FOLDER)).find((file) => CONFIG_NAME.test(file));
  if (name === undefined) return null;
  const path = `${CNI_CONFIG_FOLDER}/${name}`;
  return { path, types: typesIn((await system.readSmall(path)) ?? '') };
}

/** `{"plugins": [{"type": "aws-cni"}, …]}`, or one plugin alone. */
function typesIn(text: string): string[] {
  try {
    const config = JSON.parse(text) as {
      readonly type?: unknown;
      readonly plugins?: readonly { readonly type?: unknown }[];
    };
    const plugins = Array.isArray(config.plugins) ? config.plugins : [config];
    return plugins.flatMap(({ type }) => (typeof type === 'string' && /^[\w-]{1,64}$/.test(type) ? [type] : []));
  } catch {
    return [];
  }
}

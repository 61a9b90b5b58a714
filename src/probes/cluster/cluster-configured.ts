// Has this node been told which cluster to join? User data is read for the cluster's name alone, and nothing else of it is kept.
import type { System } from '../../host/system.ts';
import { findClusterConfig, hostOf, readNodeName } from './cluster-access.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'not-configured' | 'unreadable';

const USER_DATA = '/var/lib/cloud/instance/user-data.txt';
/** The first argument that is no flag. */
const BOOTSTRAP_CALL = /\/etc\/eks\/bootstrap\.sh[ \t]+["']?(?<cluster>[A-Za-z0-9][\w-]{0,99})["']?(?=[\s\\]|$)/;

export const clusterConfigured: Probe<Code> = {
  name: 'cluster-configured',
  stage: 'facts',
  answers: {
    ok: { outcome: 'ok', sentence: 'The node is to join {cluster} at {endpoint_host} (from {config_path}).' },
    'not-configured': {
      outcome: 'fail',
      sentence: 'No file of this node says which cluster to join: the bootstrap has not come so far.',
    },
    unreadable: { outcome: 'fail', sentence: '{config_path} cannot be understood.' },
  },
  async ask({ system }) {
    const found = await findClusterConfig(system);
    const named = found?.kind === 'found' ? found.config.cluster : null;
    const common = { cluster: named ?? (await clusterInUserData(system)), node_name: await readNodeName(system) };
    if (found === null) return { code: 'not-configured', facts: compactFacts(common) };
    if (found.kind === 'unreadable')
      return { code: 'unreadable', facts: compactFacts({ ...common, config_path: found.configPath }) };
    const { server, configPath } = found.config;
    const facts = compactFacts({
      ...common,
      endpoint_host: server === null ? null : hostOf(server),
      config_path: configPath,
    });
    return { code: server === null ? 'unreadable' : 'ok', facts };
  },
};

async function clusterInUserData(system: System): Promise<string | null> {
  return BOOTSTRAP_CALL.exec((await system.readSmall(USER_DATA)) ?? '')?.groups?.['cluster'] ?? null;
}

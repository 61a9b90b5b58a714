// Does what the kubelet reads say which cluster to join? Where it does not, the other files of the node are asked for the name.
import { findClusterConfig, hostOf, readNodeName } from './cluster-access.ts';
import { compactFacts } from '../compact-facts.ts';
import { toldByFiles } from '../identity/sources.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'not-configured' | 'not-written' | 'unreadable';

export const clusterConfigured: Probe<Code> = {
  name: 'cluster-configured',
  stage: 'facts',
  answers: {
    ok: { outcome: 'ok', sentence: 'The node is to join {cluster} at {endpoint_host} (from {config_path}).' },
    'not-configured': {
      outcome: 'fail',
      sentence: 'No file of this node says which cluster to join: the bootstrap has not got that far.',
    },
    'not-written': {
      outcome: 'fail',
      sentence:
        '{told_in} ({told_as}) says to join {cluster}, but nothing that the kubelet reads says so yet: the bootstrap has not got that far.',
    },
    unreadable: { outcome: 'fail', sentence: '{config_path} cannot be understood.' },
  },
  async ask({ system }) {
    const found = await findClusterConfig(system);
    const named = found?.kind === 'found' ? found.config.cluster : null;
    const { cluster, told_in, told_as } = named === null ? await toldByFiles(system) : {};
    const common = { cluster: named ?? cluster, told_in, told_as, node_name: await readNodeName(system) };
    if (found === null)
      return { code: cluster === undefined ? 'not-configured' : 'not-written', facts: compactFacts(common) };
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

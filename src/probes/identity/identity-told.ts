// Do the node's own files tell who and where it is? The verdict is delivered under that name, also of a node that never registers.
import type { Probe } from '../probe.ts';
import { mostOf } from './most-of.ts';
import { toldByCommandLine, toldByFiles } from './sources.ts';

export const identityTold: Probe<'ok' | 'nothing-told'> = {
  name: 'identity-told',
  stage: 'facts',
  answers: {
    ok: { outcome: 'ok', sentence: 'The node was told to join {cluster} ({told_in}).' },
    'nothing-told': { outcome: 'ok', sentence: 'No file of this node names a cluster.' },
  },
  async ask({ system, signal }) {
    const files = await toldByFiles(system);
    const told = files['node_pool'] === undefined ? mostOf([files, await toldByCommandLine(system, signal)]) : files;
    return { code: told['cluster'] === undefined ? 'nothing-told' : 'ok', facts: told };
  },
};

// Is there a CNI configuration? The aws-node pod writes it once ipamd works; until then the node is not Ready.
import { CNI_CONFIG_FOLDER, readCniConfig } from './cni-config.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'config-missing';

export const cniConfigPresent: Probe<Code> = {
  name: 'cni-config-present',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'The CNI configuration {path} is there.' },
    'config-missing': {
      outcome: 'fail',
      sentence: 'There is no CNI configuration in {path}: the CNI pod has not got that far.',
    },
  },
  async ask({ system }) {
    const config = await readCniConfig(system);
    return config === null
      ? { code: 'config-missing', facts: { path: CNI_CONFIG_FOLDER } }
      : { code: 'ok', facts: { path: config.path } };
  },
};

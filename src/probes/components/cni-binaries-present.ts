// Are the programs there that the CNI configuration names? The AMI brings `loopback`, the CNI pod its own.
import { readCniConfig } from './cni-config.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'binary-missing';

const FOLDER = '/opt/cni/bin';
const ALWAYS = 'loopback';

export const cniBinariesPresent: Probe<Code> = {
  name: 'cni-binaries-present',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'The CNI programs are there.' },
    'binary-missing': { outcome: 'fail', sentence: 'The CNI program {path} is missing.' },
  },
  async ask({ system }) {
    const config = await readCniConfig(system);
    const paths = [...new Set([ALWAYS, ...(config?.types ?? [])])].map((name) => `${FOLDER}/${name}`);
    const kinds = await Promise.all(paths.map((path) => system.kindOf(path)));
    const missing = paths.filter((_path, at) => kinds[at] !== 'file');
    return missing.length === 0
      ? { code: 'ok', facts: {} }
      : missing.map((path) => ({ code: 'binary-missing', facts: { path } }));
  },
};

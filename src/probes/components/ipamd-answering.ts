// Does ipamd, the daemon of the VPC CNI, answer on this node? Both its introspection and its metrics can be switched off, so
// either will do.
import type { LoopbackAnswer } from '../../host/system.ts';
import { readCniConfig } from './cni-config.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'refused' | 'error' | 'not-used';

const INTROSPECTION_PORT = 61679;
const METRICS_PORT = 61678;
const PLUGIN = 'aws-cni';

export const ipamdAnswering: Probe<Code> = {
  name: 'ipamd-answering',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'ipamd answers.' },
    refused: { outcome: 'fail', sentence: 'Nothing answers on the ports of ipamd (61679, 61678): it does not run.' },
    error: { outcome: 'fail', sentence: 'ipamd answers with an error (status {status}).' },
    'not-used': { outcome: 'skipped', sentence: 'Not asked: this node uses another CNI ({path}).' },
  },
  async ask({ system, signal }) {
    const config = await readCniConfig(system);
    if (config !== null && config.types.length > 0 && !config.types.includes(PLUGIN))
      return { code: 'not-used', facts: { path: config.path } };
    const answers = await Promise.all([
      system.askLoopback(INTROSPECTION_PORT, '/v1/enis', signal),
      system.askLoopback(METRICS_PORT, '/metrics', signal),
    ]);
    if (answers.some(isGood)) return { code: 'ok', facts: {} };
    const bad = answers.find((answer) => answer.kind !== 'refused');
    if (bad === undefined) return { code: 'refused', facts: {} };
    return { code: 'error', facts: bad.kind === 'answered' ? { status: bad.status } : {} };
  },
};

function isGood(answer: LoopbackAnswer): boolean {
  return answer.kind === 'answered' && answer.status === 200;
}

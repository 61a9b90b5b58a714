// Does the kubelet call itself healthy? Its healthz port answers only while it runs.
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'refused' | 'unhealthy';

const PORT = 10248;

export const kubeletHealthy: Probe<Code> = {
  name: 'kubelet-healthy',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'The kubelet answers that it is healthy.' },
    refused: {
      outcome: 'fail',
      sentence: 'Nothing answers on the health port of the kubelet (10248): it does not run.',
    },
    unhealthy: { outcome: 'fail', sentence: 'The kubelet answers that it is not healthy (status {status}).' },
  },
  async ask({ system, signal }) {
    const answer = await system.askLoopback(PORT, '/healthz', signal);
    if (answer.kind !== 'answered') return { code: answer.kind === 'refused' ? 'refused' : 'unhealthy', facts: {} };
    return answer.status === 200 ? { code: 'ok', facts: {} } : { code: 'unhealthy', facts: { status: answer.status } };
  },
};

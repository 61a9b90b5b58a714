// Does containerd answer on its socket? Its gRPC server speaks first on every connection, so one that hangs is told from one
// that works without a client.
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'socket-missing' | 'refused';

const SOCKET = '/run/containerd/containerd.sock';
/** How HTTP/2 begins (RFC 9113, 3.4), with empty settings. */
const HELLO = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

export const containerdAnswering: Probe<Code> = {
  name: 'containerd-answering',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'containerd answers on {path}.' },
    'socket-missing': { outcome: 'fail', sentence: 'There is no socket {path}: containerd has not come up.' },
    refused: { outcome: 'fail', sentence: 'Nobody listens on {path}: containerd does not run.' },
  },
  async ask({ system, signal }) {
    const facts = { path: SOCKET };
    switch (await system.askSocket(SOCKET, HELLO, signal)) {
      case 'answered':
        return { code: 'ok', facts };
      case 'missing':
        return { code: 'socket-missing', facts };
      case 'refused':
        return { code: 'refused', facts };
    }
  },
};

// Has containerd loaded the plugin that the kubelet talks to? It goes on without it when its configuration is wrong.
import { askCtr, CTR_ANSWERS } from './ctr.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'plugin-missing' | 'plugin-failed' | keyof typeof CTR_ANSWERS;

const REASON_MAX_CHARS = 300;
/** `io.containerd.grpc.v1 cri linux/amd64 ok`; since 2.0 the work is done by two plugins of the type io.containerd.cri.v1. */
const ROW =
  /^(?<type>io\.containerd\.(?:grpc\.v1|cri\.v1)) +(?<id>cri|images|runtime) .*?\b(?<status>ok|error|skip) *$/gm;

export const criPluginLoaded: Probe<Code> = {
  name: 'cri-plugin-loaded',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: "containerd's CRI plugin is loaded." },
    'plugin-missing': {
      outcome: 'fail',
      sentence: 'containerd runs without its CRI plugin: its configuration disables it.',
    },
    'plugin-failed': { outcome: 'fail', sentence: 'containerd could not load its CRI plugin ({reason}).' },
    ...CTR_ANSWERS,
  },
  async ask({ system, signal }) {
    const listed = await askCtr(system, ['plugins', 'ls'], signal);
    if (listed.kind !== 'said') return { code: listed.kind, facts: {} };
    const rows = [...listed.output.matchAll(ROW)]
      .map((match) => match.groups!)
      .filter(({ type, id }) => id === 'cri' || type!.includes('cri'));
    const failed = rows.find(({ status }) => status === 'error');
    if (failed !== undefined) {
      const details = await askCtr(system, ['plugins', 'ls', '--detailed', `id==${failed['id']}`], signal);
      return {
        code: 'plugin-failed',
        facts: compactFacts({ reason: details.kind === 'said' ? reasonIn(details.output) : null }),
      };
    }
    return { code: rows.some(({ status }) => status === 'ok') ? 'ok' : 'plugin-missing', facts: {} };
  },
};

function reasonIn(details: string): string | null {
  const message = /^ +Message: +(?<message>.+)$/m.exec(details)?.groups?.['message']?.trim();
  return message?.slice(0, REASON_MAX_CHARS) ?? null;
}

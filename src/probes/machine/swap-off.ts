// Is swap off, or does the kubelet's configuration allow it? The kubelet refuses to start while /proc/swaps names any.
import type { System } from '../../host/system.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'swap-on' | 'swap-allowed';

const SWAPS = '/proc/swaps';
const CONFIGS = [
  '/etc/kubernetes/kubelet/config.json',
  '/etc/kubernetes/kubelet/kubelet-config.json',
  '/etc/kubernetes/kubelet/config',
];
const DROP_INS = '/etc/kubernetes/kubelet/config.json.d';
/** In JSON, YAML, or a flag. */
const ALLOWED = /["']?failSwapOn["']?\s*:\s*["']?false|--fail-swap-on[= ]["']?false/;
const MIB_BYTES = 1024 * 1024;
const KIB_PER_MIB = 1024;

export const swapOff: Probe<Code> = {
  name: 'swap-off',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'Swap is off.' },
    'swap-on': { outcome: 'fail', sentence: 'Swap is on: {swap_device} with {swap_mib} MiB.' },
    'swap-allowed': {
      outcome: 'ok',
      sentence: 'Swap is on ({swap_device}, {swap_mib} MiB), and the kubelet is configured to tolerate it.',
    },
  },
  async ask({ system, signal }) {
    const { swapBytes } = await system.memory(signal);
    const areas = parseSwaps((await system.readSmall(SWAPS)) ?? '');
    if (areas.length === 0 && swapBytes === 0) return { code: 'ok', facts: {} };
    const listedMib = areas.reduce((sum, { kib }) => sum + kib, 0) / KIB_PER_MIB;
    const facts = compactFacts({
      swap_mib: Math.round(listedMib || swapBytes / MIB_BYTES),
      swap_device: areas[0]?.device,
    });
    return { code: (await isAllowed(system)) ? 'swap-allowed' : 'swap-on', facts };
  },
};

/** Below a header: path, type, size in KiB, used, priority. */
function parseSwaps(text: string): { readonly device: string; readonly kib: number }[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [device, , kib] = line.trim().split(/\s+/);
      return device === undefined || device === '' ? [] : [{ device, kib: Number(kib) || 0 }];
    });
}

async function isAllowed(system: System): Promise<boolean> {
  const dropIns = (await system.listFolder(DROP_INS)).map((name) => `${DROP_INS}/${name}`);
  const texts = await Promise.all([...CONFIGS, ...dropIns].map((path) => system.readSmall(path)));
  return texts.some((text) => text !== null && ALLOWED.test(text));
}

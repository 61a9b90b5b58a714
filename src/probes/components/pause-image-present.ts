// Is the image of the sandbox containers there? Without it no pod starts, and the CNI is a pod too.
import type { System } from '../../host/system.ts';
import { askCtr, CTR_ANSWERS } from './ctr.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'image-missing' | keyof typeof CTR_ANSWERS;

const CONFIG = '/etc/containerd/config.toml';
/** `sandbox_image` until containerd 1.7, `sandbox` of the pinned images since 2.0. */
const IMAGE_SETTING = /^\s*sandbox(?:_image)?\s*=\s*["'](?<image>[\w./:@-]+)["']/m;
/** What the AMI's template holds until bootstrap.sh has run. */
const TEMPLATE = 'SANDBOX_IMAGE';
const ANY_PAUSE_IMAGE = /(?:^|\/)pause(?:[:@]|$)/;

export const pauseImagePresent: Probe<Code> = {
  name: 'pause-image-present',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'The pause image {image} is there.' },
    'image-missing': { outcome: 'fail', sentence: 'The pause image ({image}) is not in containerd.' },
    ...CTR_ANSWERS,
  },
  async ask({ system, signal }) {
    const listed = await askCtr(system, ['--namespace', 'k8s.io', 'images', 'ls', '--quiet'], signal);
    if (listed.kind !== 'said') return { code: listed.kind, facts: {} };
    const images = listed.output.split('\n').map((line) => line.trim());
    const wanted = await configuredImage(system);
    const found = images.find((image) => (wanted === null ? ANY_PAUSE_IMAGE.test(image) : isSame(image, wanted)));
    if (found !== undefined) return { code: 'ok', facts: { image: found } };
    return { code: 'image-missing', facts: wanted === null ? {} : { image: wanted } };
  },
};

async function configuredImage(system: System): Promise<string | null> {
  const image = IMAGE_SETTING.exec((await system.readSmall(CONFIG)) ?? '')?.groups?.['image'] ?? null;
  return image === TEMPLATE ? null : image;
}

/** `localhost/kubernetes/pause` is listed as `localhost/kubernetes/pause:latest`. */
function isSame(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest` || listed === `docker.io/library/${wanted}`;
}

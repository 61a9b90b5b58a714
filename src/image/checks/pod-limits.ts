// Does the table of pod limits know the instance types that the image is meant for? AL2023 has it inside of nodeadm.
import type { ImageCheck } from '../check.ts';

type Code = 'pod-limits-missing' | 'instance-type-unknown';

const TABLE = '/etc/eks/eni-max-pods.txt';

export const podLimits: ImageCheck<Code> = {
  name: 'pod-limits',
  faults: {
    'pod-limits-missing': { says: '{path} is missing.', fix: 'Keep /etc/eks of the EKS AMI.' },
    'instance-type-unknown': {
      says: '{path} does not know {type}.',
      fix: 'Build on a newer EKS AMI, or give --max-pods to bootstrap.sh.',
    },
  },
  async look(image) {
    const text = (await image.kindOf(TABLE)) === 'file' ? await image.text(TABLE) : null;
    if (text === null) return image.os === 'al2' ? [{ code: 'pod-limits-missing', values: { path: TABLE } }] : [];
    const known = new Set(text.split('\n').map((line) => line.trim().split(/\s+/)[0]));
    return image.instanceTypes
      .filter((type) => !known.has(type))
      .map((type) => ({ code: 'instance-type-unknown', values: { path: TABLE, type } }));
  },
};

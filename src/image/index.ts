// Every check of an image, and how they are run: one that cannot read the image is noted, and the others go on.
import { HostError, type RefusalCode } from '../host/host.ts';
import type { Fault, ImageCheck } from './check.ts';
import { diskAndSwap } from './checks/disk-and-swap.ts';
import { kernel } from './checks/kernel.ts';
import { leftovers } from './checks/leftovers.ts';
import { podLimits } from './checks/pod-limits.ts';
import { programs } from './checks/programs.ts';
import { runtime } from './checks/runtime.ts';
import { services } from './checks/services.ts';
import type { Image } from './image.ts';

export const IMAGE_CHECKS: readonly ImageCheck[] = [
  programs,
  services,
  runtime,
  kernel,
  podLimits,
  leftovers,
  diskAndSwap,
];

export interface ImageFindings {
  readonly faults: readonly Fault[];
  readonly notDone: readonly { readonly check: string; readonly code: RefusalCode; readonly detail: string }[];
}

export async function checkAll(image: Image): Promise<ImageFindings> {
  const faults: Fault[] = [];
  const notDone: ImageFindings['notDone'][number][] = [];
  for (const check of IMAGE_CHECKS) {
    try {
      faults.push(...(await check.look(image)));
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      notDone.push({ check: check.name, code: error.code, detail: error.detail });
    }
  }
  return { faults, notDone };
}

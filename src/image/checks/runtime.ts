// Does the image bring what containerd and the kubelet's first pods need: configuration, pause image, CNI programs?
import type { Fault, ImageCheck } from '../check.ts';
import { imageNames } from '../bolt.ts';
import type { Image } from '../image.ts';

type Code =
  | 'containerd-template-missing'
  | 'sandbox-setting-missing'
  | 'sandbox-image-gone'
  | 'sandbox-script-missing'
  | 'cni-program-missing'
  | 'credential-config-missing';

const TEMPLATE = '/etc/eks/containerd/containerd-config.toml';
const SANDBOX_SETTING = /^\s*sandbox(?:_image)?\s*=/m;
const PULL_SCRIPT = '/etc/eks/containerd/pull-sandbox-image.sh';
const STORE = '/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db';
const STORE_MAX_BYTES = 64 * 1024 * 1024;
/** Both came with the AMI release v20241115: since then the pause image is part of the image, and this script a stub. */
const STUB = '/etc/eks/bootstrap.sh';
const BAKED = /^localhost\/kubernetes\/pause(?::|@|$)/;
const CREDENTIAL_CONFIG = '/etc/eks/image-credential-provider/config.json';
const CREDENTIAL_PROGRAM = '/etc/eks/image-credential-provider/ecr-credential-provider';
const CNI_PROGRAM = '/opt/cni/bin/loopback';

export const runtime: ImageCheck<Code> = {
  name: 'runtime',
  faults: {
    'containerd-template-missing': {
      says: "The template of containerd's configuration is missing: {path}.",
      fix: 'Keep /etc/eks/containerd of the EKS AMI.',
    },
    'sandbox-setting-missing': {
      says: '{path} names no sandbox image, so none is pulled.',
      fix: 'Keep the line sandbox_image = "SANDBOX_IMAGE" in the template; bootstrap.sh fills it in.',
    },
    'sandbox-script-missing': {
      says: 'The script that pulls the pause image is missing: {path}.',
      fix: 'Keep /etc/eks/containerd of the EKS AMI.',
    },
    'sandbox-image-gone': {
      says: "The pause image that the AMI brings is not in containerd's store ({found} images are there).",
      fix: 'Do not empty /var/lib/containerd, and do not prune images, in an image on AL2023; build again on the EKS AMI.',
    },
    'cni-program-missing': {
      says: 'The CNI program {path} is missing.',
      fix: 'Install the CNI plugins of the EKS AMI.',
    },
    'credential-config-missing': {
      says: '{path} is missing, and the program beside it is of no use without.',
      fix: 'Keep /etc/eks/image-credential-provider of the EKS AMI.',
    },
  },
  async look(image) {
    const missing = async (path: string, code: Code): Promise<Fault<Code>[]> =>
      (await image.kindOf(path)) === 'file' ? [] : [{ code, values: { path } }];
    const hasProvider = image.os === 'al2023' || (await image.kindOf(CREDENTIAL_PROGRAM)) !== null;
    return [
      ...(image.os === 'al2' ? await templateFaults(image) : []),
      ...(image.os === 'al2' ? await missing(PULL_SCRIPT, 'sandbox-script-missing') : await storeFaults(image)),
      ...(await missing(CNI_PROGRAM, 'cni-program-missing')),
      ...(hasProvider ? await missing(CREDENTIAL_CONFIG, 'credential-config-missing') : []),
    ];
  },
};

async function templateFaults(image: Image): Promise<Fault<Code>[]> {
  const text = (await image.kindOf(TEMPLATE)) === 'file' ? await image.text(TEMPLATE) : null;
  if (text === null) return [{ code: 'containerd-template-missing', values: { path: TEMPLATE } }];
  return SANDBOX_SETTING.test(text) ? [] : [{ code: 'sandbox-setting-missing', values: { path: TEMPLATE } }];
}

async function storeFaults(image: Image): Promise<Fault<Code>[]> {
  if ((await image.kindOf(STUB)) !== 'file') return [];
  const file = await image.open(STORE);
  if (file === null) return [{ code: 'sandbox-image-gone', values: { found: 0 } }];
  try {
    const names = await imageNames(file, STORE_MAX_BYTES);
    return names.some((name) => BAKED.test(name))
      ? []
      : [{ code: 'sandbox-image-gone', values: { found: names.length } }];
  } finally {
    await file.close();
  }
}

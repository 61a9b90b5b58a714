// Will systemd start what the boot needs: the units are there, not masked, and those that nothing else starts are enabled?
import type { Fault, ImageCheck } from '../check.ts';
import type { Image } from '../image.ts';

type Code =
  | 'kubelet-unit-unusable'
  | 'containerd-unit-unusable'
  | 'bootstrap-not-enabled'
  | 'cloud-init-off'
  | 'time-service-off';

/** The first one wins, as with systemd. */
const UNIT_FOLDERS = ['/etc/systemd/system', '/usr/lib/systemd/system'];
const UNITS: readonly { readonly unit: string; readonly code: Code }[] = [
  { unit: 'kubelet.service', code: 'kubelet-unit-unusable' },
  { unit: 'containerd.service', code: 'containerd-unit-unusable' },
];
const STARTED_BY_BOOT: Readonly<Record<Image['os'], readonly string[]>> = {
  al2: [],
  al2023: ['nodeadm-config.service', 'nodeadm-run.service'],
};
const TIME_SERVICES = ['chronyd', 'chrony', 'systemd-timesyncd', 'ntpd', 'ntp'].map((name) => `${name}.service`);

export const services: ImageCheck<Code> = {
  name: 'services',
  faults: {
    'kubelet-unit-unusable': {
      says: 'systemd cannot start the kubelet: {unit} is {state}.',
      fix: 'Restore the unit of the EKS AMI, or unmask it.',
    },
    'containerd-unit-unusable': {
      says: 'systemd cannot start containerd: {unit} is {state}.',
      fix: 'Restore the unit of the EKS AMI, or unmask it.',
    },
    'bootstrap-not-enabled': {
      says: '{unit} is {state}, so nothing joins the node to its cluster.',
      fix: 'Run systemctl enable nodeadm-config nodeadm-run.',
    },
    'cloud-init-off': {
      says: '{path} switches cloud-init off, so no user data runs.',
      fix: 'Remove the file before the image is made.',
    },
    'time-service-off': {
      says: 'No time service is enabled (chronyd, systemd-timesyncd or ntpd), so the clock is set by nothing.',
      fix: 'Run systemctl enable chronyd.',
    },
  },
  async look(image) {
    const found: Fault<Code>[] = [];
    for (const { unit, code } of UNITS) {
      const state = await stateOf(image, unit);
      if (state !== 'there') found.push({ code, values: { unit, state } });
    }
    for (const unit of STARTED_BY_BOOT[image.os]) {
      const state = await stateOf(image, unit);
      if (state !== 'there' || !(await isEnabled(image, unit)))
        found.push({ code: 'bootstrap-not-enabled', values: { unit, state: state === 'there' ? 'disabled' : state } });
    }
    const off = '/etc/cloud/cloud-init.disabled';
    if ((await image.kindOf(off)) !== null) found.push({ code: 'cloud-init-off', values: { path: off } });
    const times = await Promise.all(TIME_SERVICES.map((unit) => isEnabled(image, unit)));
    if (!times.includes(true)) found.push({ code: 'time-service-off', values: {} });
    return found;
  },
};

/** A mask is a link to /dev/null; a link that leads nowhere does the same. */
async function stateOf(image: Image, unit: string): Promise<'there' | 'masked' | 'missing'> {
  for (const folder of UNIT_FOLDERS) {
    if ((await image.kindOf(`${folder}/${unit}`)) === 'file') return 'there';
    if (await image.isLink(folder, unit)) return 'masked';
  }
  return 'missing';
}

async function isEnabled(image: Image, unit: string): Promise<boolean> {
  if ((await stateOf(image, unit)) !== 'there') return false;
  const wants = await Promise.all(UNIT_FOLDERS.map((folder) => image.glob(`${folder}/*.wants/${unit}`)));
  return wants.some((paths) => paths.length > 0);
}

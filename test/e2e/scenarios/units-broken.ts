import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

const KUBELET = `${STARTED}${RUNS_ON}`;
const SEED = seed('#!/bin/bash\necho hello\n');
const ENVIRONMENT = '/etc/eks/kubelet/environment';

/** What is said of each comes from the real systemd and systemctl. */
function broken(title: string, prepare: string, cause: string, evidence: readonly string[], run = RAN): Scenario {
  return {
    title: `AL2023: ${title}`,
    node: al2023({ nodeadmConfig: `${prepare}\n${CONFIGURED}`, nodeadmRun: run, kubelet: KUBELET }, SEED),
    expected: { status: 'failed', cause, evidence },
    // Of what may be started once more it is only seen at the first interim word that it lasts.
    withinSeconds: 240,
  };
}

/** nodeadm is left out, and its configuration phase, which waits for its turn behind it, comes to nothing new. */
const leftOut: Scenario = {
  ...broken(
    'systemd leaves nodeadm out of an ordering cycle, which is said long before the third minute',
    `mkdir -p /etc/systemd/system/nodeadm-run.service.d
printf '[Unit]\\nAfter=site-scan.service\\n' >/etc/systemd/system/nodeadm-run.service.d/order.conf
printf '[Unit]\\nWants=nodeadm-run.service\\nAfter=nodeadm-run.service\\n[Service]\\nExecStart=/bin/true\\n' >/etc/systemd/system/site-scan.service
systemctl daemon-reload
systemctl start --no-block site-scan
sleep infinity`,
    'kubelet-unit-invalid',
    ['nodeadm-run.service/start deleted to break ordering cycle'],
  ),
  withinSeconds: 90,
};

export const unitsBroken: readonly Scenario[] = [
  broken("containerd's unit is masked", 'systemctl mask containerd', 'containerd-not-running', ['is masked']),
  broken(
    'systemd leaves the kubelet out of an ordering cycle',
    `mkdir -p /etc/systemd/system/containerd.service.d
printf '[Unit]\\nWants=kubelet.service\\nAfter=kubelet.service\\n' >/etc/systemd/system/containerd.service.d/order.conf
systemctl daemon-reload`,
    'kubelet-unit-invalid',
    ['ordering cycle'],
    'systemctl start containerd; sleep infinity',
  ),
  leftOut,
  broken("the kubelet's program is missing", 'rm /usr/bin/kubelet', 'kubelet-unit-invalid', [
    'Failed to locate executable',
  ]),
  broken("the kubelet's environment file is missing", `rm ${ENVIRONMENT}`, 'kubelet-unit-invalid', [
    'Failed to load environment files',
  ]),
];

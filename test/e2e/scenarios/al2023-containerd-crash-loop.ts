import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

/** The real containerd refuses the file and is restarted every five seconds; nodeadm polls for ever. */
export const al2023ContainerdCrashLoop: Scenario = {
  title: 'AL2023: containerd refuses its configuration while nodeadm-run waits for it',
  node: al2023(
    { nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: `${STARTED}${RUNS_ON}` },
    { ...seed('#!/bin/bash\necho hello\n'), '/etc/containerd/config.toml': 'version = 2\nroot = yes\n' },
  ),
  expected: { status: 'failed', cause: 'containerd-config-invalid', evidence: ['containerd: '] },
  withinSeconds: 60,
};

/** A text where the real containerd wants a list. */
export const al2023ContainerdWrongType: Scenario = {
  title: "AL2023: a value of containerd's configuration has the wrong type",
  node: al2023(
    { nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: `${STARTED}${RUNS_ON}` },
    { ...seed('#!/bin/bash\necho hello\n'), '/etc/containerd/config.toml': 'version = 2\nimports = "/etc/a.toml"\n' },
  ),
  expected: { status: 'failed', cause: 'containerd-config-invalid', evidence: ['containerd: '] },
  withinSeconds: 60,
};

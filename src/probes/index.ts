// The registry of probes: those for facts first, then in the order of the boot. A test holds it against the folder.
import { clockRight } from './machine/clock-right.ts';
import { clusterConfigured } from './cluster/cluster-configured.ts';
import { clusterEndpointReachable } from './cluster/cluster-endpoint-reachable.ts';
import { cniBinariesPresent } from './components/cni-binaries-present.ts';
import { cniConfigPresent } from './components/cni-config-present.ts';
import { componentsKnown } from './machine/components-known.ts';
import { containerdAnswering } from './components/containerd-answering.ts';
import { credentialsUsable } from './aws/credentials-usable.ts';
import { criPluginLoaded } from './components/cri-plugin-loaded.ts';
import { defaultRoutePresent } from './machine/default-route-present.ts';
import { diskSpaceLeft } from './machine/disk-space-left.ts';
import { endpointReachable } from './aws/endpoint-reachable.ts';
import { filesPresent } from './machine/files-present.ts';
import { identityTold } from './identity/identity-told.ts';
import { instanceMetadataReachable } from './aws/instance-metadata-reachable.ts';
import { instanceStaying } from './aws/instance-staying.ts';
import { ipamdAnswering } from './components/ipamd-answering.ts';
import { kubeletHealthy } from './components/kubelet-healthy.ts';
import { memoryFree } from './machine/memory-free.ts';
import { nodeRegistered } from './cluster/node-registered.ts';
import { pauseImagePresent } from './components/pause-image-present.ts';
import type { Probe } from './probe.ts';
import { proxyComplete } from './machine/proxy-complete.ts';
import { swapOff } from './machine/swap-off.ts';
import { unitsHealthy } from './machine/units-healthy.ts';
import { userDataEnded } from './machine/user-data-ended.ts';

export const PROBES: readonly Probe[] = [
  clusterConfigured,
  identityTold,
  instanceMetadataReachable,
  componentsKnown,
  instanceStaying,
  swapOff,
  diskSpaceLeft,
  memoryFree,
  clockRight,
  filesPresent,
  unitsHealthy,
  userDataEnded,
  containerdAnswering,
  criPluginLoaded,
  pauseImagePresent,
  kubeletHealthy,
  cniConfigPresent,
  cniBinariesPresent,
  ipamdAnswering,
  defaultRoutePresent,
  proxyComplete,
  credentialsUsable,
  ...endpointReachable,
  clusterEndpointReachable,
  nodeRegistered,
];

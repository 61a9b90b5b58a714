// The registry of probes: those for facts first, then in the order of the boot. A test holds it against the folder.
import { clockRight } from './clock-right.ts';
import { clusterConfigured } from './cluster-configured.ts';
import { clusterEndpointReachable } from './cluster-endpoint-reachable.ts';
import { cniBinariesPresent } from './cni-binaries-present.ts';
import { cniConfigPresent } from './cni-config-present.ts';
import { componentsKnown } from './components-known.ts';
import { containerdAnswering } from './containerd-answering.ts';
import { credentialsUsable } from './credentials-usable.ts';
import { criPluginLoaded } from './cri-plugin-loaded.ts';
import { defaultRoutePresent } from './default-route-present.ts';
import { diskSpaceLeft } from './disk-space-left.ts';
import { endpointReachable } from './endpoint-reachable.ts';
import { filesPresent } from './files-present.ts';
import { instanceMetadataReachable } from './instance-metadata-reachable.ts';
import { instanceStaying } from './instance-staying.ts';
import { ipamdAnswering } from './ipamd-answering.ts';
import { kubeletHealthy } from './kubelet-healthy.ts';
import { memoryFree } from './memory-free.ts';
import { nodeRegistered } from './node-registered.ts';
import { pauseImagePresent } from './pause-image-present.ts';
import type { Probe } from './probe.ts';
import { proxyComplete } from './proxy-complete.ts';
import { swapOff } from './swap-off.ts';
import { unitsHealthy } from './units-healthy.ts';

export const PROBES: readonly Probe[] = [
  clusterConfigured,
  instanceMetadataReachable,
  componentsKnown,
  instanceStaying,
  swapOff,
  diskSpaceLeft,
  memoryFree,
  clockRight,
  filesPresent,
  unitsHealthy,
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

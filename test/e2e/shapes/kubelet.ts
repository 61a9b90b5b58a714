// What a kubelet of Kubernetes 1.34 prints, step by step, and what aws-node writes once it may run; joined by the scenarios.
import { NODE_NAME } from './al2023.ts';

const POD = '/var/log/pods/kube-system_aws-node-rsk4v_359afe06-2258-6339-c6cc-b1961fcfdcf3';
const CNI_LOGS = '/var/log/aws-routed-eni';

export const STARTED = `
klog I 'server.go:525] "Kubelet version" kubeletVersion="v1.34.1-eks-113cf36"'
klog I 'remote_runtime.go:143] "Validated CRI v1 runtime API"'
klog I 'server.go:1262] "Started kubelet"'
klog I 'kubelet.go:2436] "Starting kubelet main sync loop"'
klog E 'kubelet.go:2460] "Skipping pod synchronization" err="[container runtime status check may not have completed yet, PLEG is not healthy: pleg has yet to be successful]"'
klog E 'kubelet_node_status.go:467] "Error getting the current node from lister" err="node \\"${NODE_NAME}\\" not found"'
klog I 'kubelet_node_status.go:75] "Attempting to register node" node="${NODE_NAME}"'`;

export const REGISTERED = `
klog I 'kubelet_node_status.go:78] "Successfully registered node" node="${NODE_NAME}"'
klog I 'apiserver.go:52] "Watching apiserver"'
klog I 'kubelet.go:2421] "SyncLoop ADD" source="api" pods=["kube-system/aws-node-rsk4v"]'`;

export const CNI_READY = `
mkdir -p ${CNI_LOGS} ${POD}/aws-node
zap info aws-k8s-agent/main.go:90 'Starting L-IPAMD v1.20.4  ...' >>${CNI_LOGS}/ipamd.log
zap info k8sapi/k8sutils.go:180 'Testing communication with server ...' >>${CNI_LOGS}/ipamd.log
zap info k8sapi/k8sutils.go:190 'Successful communication with the Cluster! Cluster Version is: v1.34+. git version: v1.34.1-eks-113cf36' >>${CNI_LOGS}/ipamd.log
cri stdout "$(logrus info 'Checking for IPAM connectivity... ')" >>${POD}/aws-node/0.log
zap info rpc/rpc.pb.go:881 'Serving RPC Handler version v1.20.4 on 127.0.0.1:50051' >>${CNI_LOGS}/ipamd.log
cri stdout "$(logrus info 'Copying config file... ')" >>${POD}/aws-node/0.log
cri stdout "$(logrus info 'Successfully copied CNI plugin binary and config file.')" >>${POD}/aws-node/0.log`;

export const READY = `
klog I 'kubelet_node_status.go:505] "Fast updating node status as it just became ready"'
klog I 'kubelet_node_status.go:736] "Recording event message for node" node="${NODE_NAME}" event="NodeReady"'`;

/** One round of refusals, as while the role has no access entry. */
export const UNAUTHORIZED = `
klog E 'kubelet_node_status.go:107] "Unable to register node with API server" err="Unauthorized" node="${NODE_NAME}"'
klog E 'controller.go:145] "Failed to ensure lease exists, will retry" err="Unauthorized" interval="7s"'
klog I 'csi_plugin.go:884] Failed to contact API server when waiting for CSINode publishing: Unauthorized'`;

export const RUNS_ON = '\nexec sleep infinity';

// What the log group and the log stream of a node are called, in characters that CloudWatch Logs allows. Asks nobody.

export type ShippedKind = 'verdicts' | 'logs';

const GROUP_PREFIX = '/eks/bootstrap-analyzer/';
const CLUSTER_MAX_CHARS = 100;
const STREAM_MAX_CHARS = 500;

/** `/eks/bootstrap-analyzer/<cluster>`; `unknown` where the cluster is not known. */
export function defaultLogGroup(cluster: string | null): string {
  return `${GROUP_PREFIX}${cleaned(cluster, CLUSTER_MAX_CHARS)}`;
}

/** The instance id, `unknown` where it is not known; for its logs one beside that of its verdicts. */
export function logStreamOf(instanceId: string | null, of: ShippedKind = 'verdicts'): string {
  return `${cleaned(instanceId, STREAM_MAX_CHARS)}${of === 'logs' ? '/logs' : ''}`;
}

/** Cluster names and instance ids are letters, digits, `-` and `_`; whatever else stands there must not become part of a path. */
function cleaned(name: string | null, maxChars: number): string {
  return (name ?? '').replaceAll(/[^A-Za-z0-9_.-]+/g, '-').slice(0, maxChars) || 'unknown';
}

// Makes the token by which the kubelet proves to the API server who it is: an address of STS, signed and valid for a minute.
// Only `node-registered` may import it; a test sees to it that no command but diagnose and watch can reach it.
// Source: aws-iam-authenticator pkg/token, `aws eks get-token`.
import { endpointHost } from '../../aws/endpoints.ts';
import { type Credentials, presignedUrl } from '../../aws/sigv4.ts';

const PREFIX = 'k8s-aws-v1.';
const EXPIRES_SECONDS = 60;
const QUERY = { Action: 'GetCallerIdentity', Version: '2011-06-15' };

export interface TokenRequest {
  readonly credentials: Credentials;
  /** Names the cluster that the token is for; no other accepts it. */
  readonly cluster: string;
  readonly region: string;
  /** Unix ms. */
  readonly atMs: number;
}

/** Null if the region is none. */
export function nodeToken({ credentials, cluster, region, atMs }: TokenRequest): string | null {
  const host = endpointHost('sts', region);
  if (host === null) return null;
  const request = { method: 'GET', host, path: '/', query: QUERY, headers: { 'x-k8s-aws-id': cluster }, body: '' };
  const url = presignedUrl(request, { credentials, region, service: 'sts', atMs }, EXPIRES_SECONDS);
  return PREFIX + Buffer.from(url).toString('base64url');
}

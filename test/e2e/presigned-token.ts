// Judges a node's token as EKS does: a presigned request to STS that names this cluster, and whose signature is that of the
// instance's credentials. Written after aws-iam-authenticator's verifier (pkg/token/token.go), not after our own signer.
import { createHash, createHmac } from 'node:crypto';
import { ORDINARY_CREDENTIALS } from './imds.ts';
import { CLUSTER, REGION } from './vpc.ts';

const PREFIX = 'k8s-aws-v1.';
const AGE_MAX_MS = 15 * 60_000;
const EXPIRES_MAX_SECONDS = 900;
const PARAMETERS =
  'action version x-amz-algorithm x-amz-credential x-amz-date x-amz-expires x-amz-security-token x-amz-signature x-amz-signedheaders'.split(
    ' ',
  );

/** Null if it is accepted, else why not. */
export function judgeToken(authorization: string | undefined, nowMs: number): string | null {
  const token = /^Bearer (?<token>\S+)$/.exec(authorization ?? '')?.groups?.['token'];
  if (token === undefined) return 'no bearer token';
  if (!token.startsWith(PREFIX) || !/^[\w-]+$/.test(token.slice(PREFIX.length)))
    return 'not k8s-aws-v1 and base64url without padding';
  const url = URL.parse(Buffer.from(token.slice(PREFIX.length), 'base64url').toString());
  if (url?.protocol !== 'https:' || url.host !== `sts.${REGION}.amazonaws.com` || url.pathname !== '/')
    return 'not an address of STS';
  const names = [...url.searchParams.keys()].map((name) => name.toLowerCase()).toSorted();
  if (names.join(' ') !== PARAMETERS.join(' ')) return `parameters ${names.join(' ')}`;
  const of = (name: string): string => url.searchParams.get(name) ?? '';
  if (of('Action') !== 'GetCallerIdentity' || of('Version') !== '2011-06-15') return 'another action';
  if (of('X-Amz-SignedHeaders') !== 'host;x-k8s-aws-id') return 'the cluster is not signed';
  if (!(Number(of('X-Amz-Expires')) > 0 && Number(of('X-Amz-Expires')) <= EXPIRES_MAX_SECONDS)) return 'life time';
  const at = of('X-Amz-Date');
  const atMs = Date.parse(
    at.replace(
      /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)T(?<h>\d\d)(?<min>\d\d)(?<s>\d\d)Z$/,
      '$<y>-$<m>-$<d>T$<h>:$<min>:$<s>Z',
    ),
  );
  if (!(Math.abs(nowMs - atMs) < AGE_MAX_MS)) return 'date';
  const scope = `${at.slice(0, 8)}/${REGION}/sts/aws4_request`;
  if (of('X-Amz-Credential') !== `${ORDINARY_CREDENTIALS.AccessKeyId}/${scope}`) return 'credential';
  if (of('X-Amz-Security-Token') !== ORDINARY_CREDENTIALS.Token) return 'session token';
  return of('X-Amz-Signature') === signatureOf(url, at, scope) ? null : 'signature';
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function signatureOf(url: URL, at: string, scope: string): string {
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .toSorted()
    .join('&');
  const canonical = `GET\n/\n${query}\nhost:${url.host}\nx-k8s-aws-id:${CLUSTER}\n\nhost;x-k8s-aws-id\n${sha256('')}`;
  const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${ORDINARY_CREDENTIALS.SecretAccessKey}`);
  return hmac(key, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`).toString('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

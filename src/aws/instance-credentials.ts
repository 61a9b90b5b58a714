// Fetches the credentials of the instance's role from the instance metadata service. They are never facts, and never kept.
import { fieldsOf, firstLine } from '../lib/answer-text.ts';
import type { Metadata } from './instance-metadata.ts';
import type { Credentials } from './sigv4.ts';

export type FoundCredentials =
  | { readonly kind: 'found'; readonly credentials: Credentials; readonly roleName: string }
  /** `role-gone`: there is a profile, but EC2 cannot assume its role. */
  | {
      readonly kind: 'no-instance-profile' | 'role-gone' | 'expired';
      readonly roleName: string | null;
      readonly reason: string | null;
    };

const ROLES_PATH = 'meta-data/iam/security-credentials/';
const ROLE_NAME = /^[\w+=,.@-]{1,64}$/;
const CREDENTIAL = /^[\x21-\x7e]{1,4096}$/;

/** `nowMs` is Unix time in ms. @throws MetadataError, NetworkError `aborted` */
export async function findCredentials(metadata: Metadata, nowMs: number): Promise<FoundCredentials> {
  const [info, roles] = await Promise.all([metadata.find('meta-data/iam/info'), metadata.get(ROLES_PATH)]);
  const roleName = firstLine(roles);
  const infoCode = firstLine(fieldsOf(info ?? '')['Code']);
  if (roleName === null || !ROLE_NAME.test(roleName)) {
    const kind = info === null || infoCode === 'Success' ? 'no-instance-profile' : 'role-gone';
    return { kind, roleName: null, reason: infoCode };
  }
  const answer = fieldsOf((await metadata.get(`${ROLES_PATH}${roleName}`)) ?? '');
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'Token'].map((name) =>
    credentialOf(answer[name]),
  );
  if (answer['Code'] !== 'Success' || !accessKeyId || !secretAccessKey || !sessionToken) {
    return { kind: 'role-gone', roleName, reason: firstLine(answer['Code']) };
  }
  if (Date.parse(String(answer['Expiration'])) < nowMs) return { kind: 'expired', roleName, reason: null };
  return { kind: 'found', roleName, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}

function credentialOf(value: unknown): string | null {
  return typeof value === 'string' && CREDENTIAL.test(value) ? value : null;
}

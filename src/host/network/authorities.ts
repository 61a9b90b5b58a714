// The certificate authorities that this machine trusts. What is asked is whether the node's own programs could connect, and
// those are written in Go: so the files are Go's (crypto/x509/root_linux.go), in its order, where the authority of a company
// proxy stands too. Node's bundled list of Mozilla is used only on a machine that has none of them.
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { NetworkError, type Trust } from './network.ts';
import { readSetting } from '../files/read-setting.ts';

const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const BUNDLE_MAX_BYTES = 4 * 1024 * 1024;
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';

export type FindContext = (trust: Trust) => Promise<SecureContext>;

/** `file`: SSL_CERT_FILE, which Go and OpenSSL both honour in place of the bundles. */
export function createFindContext(root: string, file: string | undefined): FindContext {
  let system: Promise<SecureContext> | null = null;
  return (trust) =>
    trust === 'system' ? (system ??= systemContext(root, file)) : Promise.resolve(contextOf(trust.authorities));
}

async function systemContext(root: string, file: string | undefined): Promise<SecureContext> {
  for (const path of file === undefined ? BUNDLES : [file]) {
    const text = await readSetting(root, path, BUNDLE_MAX_BYTES);
    if (text?.includes(CERTIFICATE) === true) return contextOf(text);
  }
  return createSecureContext({ ca: [...rootCertificates] });
}

/** Given nothing that can be read, Node would silently fall back to its bundled list: that must not happen. */
function contextOf(authorities: string): SecureContext {
  if (!authorities.includes(CERTIFICATE)) throw new NetworkError('tls-unknown-ca', 'no certificate authority is given');
  try {
    return createSecureContext({ ca: authorities, allowPartialTrustChain: true });
  } catch (error) {
    throw new NetworkError('tls-unknown-ca', 'the given certificate authority cannot be read', { cause: error });
  }
}

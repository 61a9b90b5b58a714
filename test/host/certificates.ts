// Makes certificate authorities and server certificates of any validity, written as DER by hand: no program, no files, 1 ms each.
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Validity {
  readonly from?: Date;
  readonly to?: Date;
}

const DAY_MS = 86_400_000;
const SHA256_WITH_ECDSA = sequence(oid('2a8648ce3d040302'));
let serial = 1;

export function makeAuthority(name: string): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return issue({ subject: name, issuer: name, key: privateKey, signer: privateKey, extensions: [basicConstraints()] });
}

/** A server certificate for the names and addresses, by that authority, named `issuer` there. */
export function makeServer(
  authority: Certificate,
  issuer: string,
  names: readonly string[],
  validity: Validity = {},
): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = names[0] ?? 'server';
  return issue({
    subject,
    issuer,
    key: privateKey,
    signer: authority.key,
    extensions: [alternativeNames(names)],
    ...validity,
  });
}

interface Issue extends Validity {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly signer: KeyObject | string;
  readonly extensions: readonly Buffer[];
}

function issue({
  subject,
  issuer,
  key,
  signer,
  extensions,
  from = new Date(Date.now() - DAY_MS),
  to = new Date(Date.now() + DAY_MS),
}: Issue): Certificate {
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([serial++])),
    SHA256_WITH_ECDSA,
    nameOf(issuer),
    sequence(time(from), time(to)),
    nameOf(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, signer)]));
  const base64 = sequence(signed, SHA256_WITH_ECDSA, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { key: key.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}

function basicConstraints(): Buffer {
  return sequence(oid('551d13'), tlv(0x01, Buffer.from([0xff])), tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))));
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) === 4 ? tlv(0x87, Buffer.from(name.split('.').map(Number))) : tlv(0x82, Buffer.from(name)),
  );
  return sequence(oid('551d11'), tlv(0x04, sequence(...entries)));
}

function nameOf(common: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(common)))));
}

function time(at: Date): Buffer {
  return tlv(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function tlv(tag: number, value: Buffer): Buffer {
  const length =
    value.length < 128
      ? [value.length]
      : value.length < 256
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

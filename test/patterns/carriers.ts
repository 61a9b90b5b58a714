// Puts a message into every carrier in which a node's logs arrive: journalctl's forms, rsyslog, the EC2 console, CRI logs.
// Each physical line is a record of its own, except where a carrier can hold line breaks.
import type { Identity } from './identities.ts';
import type { Input } from './read-lines.ts';

/** What a program wrote, its own format (klog, logfmt, JSON) included, and what its journal entry says beside it. */
export interface Payload {
  readonly text: string;
  /** syslog priority that the journal knows; null where it gives none. */
  readonly priority: number | null;
  /** Unit that an entry of systemd speaks about. */
  readonly about: string | null;
}

export interface CarriedInput extends Input {
  readonly carrier: string;
}

const HOST = 'ip-10-77-3-18.us-west-2.compute.internal';
const SHORT = 'Jun 11 16:22:44';
const ISO = '2025-06-11T16:22:44+0000';
const CRI_STAMP = '2025-06-11T16:22:44.766132542Z';

/** Carriers that name who wrote the line; `file` is the stream that the file's name gives beside. */
export function carryNamed(payload: Payload, identity: Identity): CarriedInput[] {
  const named = `${identity.identifier}${identity.pid === null ? '' : `[${identity.pid}]`}: `;
  const inputs = [
    lines('journal short', payload, `${SHORT} ${HOST} ${named}`),
    lines('journal short-iso', payload, `${ISO} ${HOST} ${named}`),
    lines('syslog without pid', payload, `${SHORT} ${HOST} ${identity.identifier}: `),
    // The kernel does not name itself there: see carryKernel.
    ...(identity.pid === null ? [] : [lines('EC2 console', payload, `\x1b[0m[   12.345678] ${named}`, '\x1b[0m\r\n')]),
    ...journalJson(payload, identity),
    ...journalExport(payload, identity),
  ];
  if (/[\n\t]/.test(payload.text))
    inputs.push(oneLine('rsyslog with octal escapes', octal(payload.text), `${SHORT} ${HOST} ${named}`));
  return inputs;
}

/** Carriers that do not: the file's name gives the stream. */
export function carryNameless(payload: Payload, stream: string | null): CarriedInput[] {
  return [
    { ...lines('plain file', payload, ''), stream },
    { ...lines('plain file with CRLF', payload, '', '\r\n'), stream },
    { ...lines('CRI', payload, `${CRI_STAMP} stdout F `), stream },
  ];
}

/** The kernel's messages name nobody on the console. */
export function carryKernel(payload: Payload): CarriedInput[] {
  return [
    lines('dmesg', payload, '[   12.345678] '),
    lines('EC2 console of the kernel', payload, '[   12.345678][    T1] ', '\r\n'),
  ];
}

function lines(carrier: string, payload: Payload, head: string, end: string = '\n'): CarriedInput {
  const text = payload.text
    .split('\n')
    .map((line) => head + line + end)
    .join('');
  return textInput(carrier, text);
}

function oneLine(carrier: string, text: string, head: string): CarriedInput {
  return textInput(carrier, `${head}${text}\n`);
}

function textInput(carrier: string, text: string): CarriedInput {
  return { carrier, bytes: Buffer.from(text), stream: null, exported: false };
}

function octal(text: string): string {
  return text.replaceAll('\n', '#012').replaceAll('\t', '#011');
}

function fieldsOf(payload: Payload, identity: Identity): Record<string, string> {
  return {
    __CURSOR:
      's=739ad463348b4ceca5a9e69c95a3c93f;i=4ece7;b=6c7c6013a26343b29e964691ff25d04c;m=4fc72436e;t=4c508a72423d9;x=d3e5610681098c10',
    __REALTIME_TIMESTAMP: '1749658964766132',
    __MONOTONIC_TIMESTAMP: '21413430000',
    _BOOT_ID: '6c7c6013a26343b29e964691ff25d04c',
    _TRANSPORT: identity.identifier === 'kernel' ? 'kernel' : 'stdout',
    ...(payload.priority === null ? {} : { PRIORITY: String(payload.priority) }),
    SYSLOG_IDENTIFIER: identity.identifier,
    ...(identity.pid === null ? {} : { _PID: identity.pid }),
    ...(identity.unit === null ? {} : { _SYSTEMD_UNIT: identity.unit }),
    ...(payload.about === null ? {} : { UNIT: payload.about }),
    _HOSTNAME: HOST,
  };
}

function journalJson(payload: Payload, identity: Identity): CarriedInput[] {
  const fields = fieldsOf(payload, identity);
  const entry = (message: unknown): string => `${JSON.stringify({ ...fields, MESSAGE: message })}\n`;
  const inputs = [
    textInput('journalctl -o json', entry(payload.text)),
    textInput('journalctl -o json, MESSAGE as bytes', entry([...Buffer.from(payload.text)])),
  ];
  if (payload.text.includes('\n'))
    inputs.push(textInput('journalctl -o json, an entry a line', payload.text.split('\n').map(entry).join('')));
  return inputs;
}

function journalExport(payload: Payload, identity: Identity): CarriedInput[] {
  const head = Object.entries(fieldsOf(payload, identity))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
  const message = Buffer.from(payload.text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(message.length));
  const binary = Buffer.concat([Buffer.from(`${head}MESSAGE\n`), length, message, Buffer.from('\n\n')]);
  const inputs = [{ carrier: 'journalctl -o export, MESSAGE as bytes', bytes: binary, stream: null, exported: true }];
  // What a program prints on standard output is an entry a line.
  const printed = payload.text.split('\n').map((line) => `${head}MESSAGE=${line}\n\n`);
  inputs.push({ carrier: 'journalctl -o export', bytes: Buffer.from(printed.join('')), stream: null, exported: true });
  return inputs;
}

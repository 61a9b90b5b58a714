// A small name server on the loopback address. `answer` says for each question what comes back; `silent` is no answer at all.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

export type DnsAnswer = readonly string[] | 'silent' | 'nxdomain' | 'servfail' | 'refused' | 'garbage';

const CODES: Readonly<Record<string, number>> = { nxdomain: 3, servfail: 2, refused: 5 };

/** Its address with the port, as a name server is written in the resolver's settings. */
export async function dnsServer(t: TestContext, answer: (name: string, family: 4 | 6) => DnsAnswer): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answered = dnsReply(query, answer);
    if (answered !== null) socket.send(answered, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** What goes back to whoever sent `query`; null: nothing. */
export function dnsReply(query: Buffer, answer: (name: string, family: 4 | 6) => DnsAnswer): Buffer | null {
  const question = query.subarray(12, questionEnd(query));
  const given = answer(nameOf(question), question.readUInt16BE(question.length - 4) === 28 ? 6 : 4);
  if (given === 'silent') return null;
  return given === 'garbage' ? Buffer.from('no DNS at all') : reply(query, question, given);
}

function reply(query: Buffer, question: Buffer, given: Exclude<DnsAnswer, 'silent' | 'garbage'>): Buffer {
  const records = typeof given === 'string' ? [] : given.map(record);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (typeof given === 'string' ? CODES[given]! : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

/** Of IPv6 only `::1`. */
function record(address: string): Buffer {
  const isV4 = address.includes('.');
  const data = isV4 ? Buffer.from(address.split('.').map(Number)) : Buffer.from([...Array<number>(15).fill(0), 1]);
  return Buffer.concat([Buffer.from([0xc0, 0x0c, 0, isV4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
}

function questionEnd(query: Buffer): number {
  let at = 12;
  while (query[at] !== 0 && at < query.length) at += query[at]! + 1;
  return at + 5;
}

function nameOf(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at] !== 0 && at < question.length; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.').toLowerCase();
}

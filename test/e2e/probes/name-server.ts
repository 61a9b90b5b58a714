// A name server for a node under test, run in its network namespace. Argument: JSON, what is answered by name; `*` for all others.
// Says `ready` once it listens.
import { createSocket } from 'node:dgram';
import { type DnsAnswer, dnsReply } from '../../host/dns-server.ts';

/** Where the node's /etc/resolv.conf says it is. */
export const NAME_SERVER_ADDRESS = '169.254.169.253';
const DNS = 53;

if (import.meta.main) {
  const answers = JSON.parse(process.argv[2]!) as Readonly<Record<string, DnsAnswer>>;
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answered = dnsReply(query, (name) => answers[name] ?? answers['*'] ?? 'nxdomain');
    if (answered !== null) socket.send(answered, from.port, from.address);
  });
  socket.bind(DNS, NAME_SERVER_ADDRESS, () => console.log('ready'));
}

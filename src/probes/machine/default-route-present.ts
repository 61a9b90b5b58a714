// Is there a way out of the subnet, over IPv4 or IPv6?
import { compactFacts } from '../compact-facts.ts';
import type { Probe, ProbeFacts } from '../probe.ts';

type Code = 'ok' | 'no-default-route';

const UP = 0x1;

export const defaultRoutePresent: Probe<Code> = {
  name: 'default-route-present',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: 'The default route goes through {interface} ({gateway}).' },
    'no-default-route': {
      outcome: 'fail',
      sentence: 'There is no default route: nothing outside the subnet can be reached.',
    },
  },
  async ask({ system }) {
    const [ipv4, ipv6] = await Promise.all([
      system.readSmall('/proc/net/route'),
      system.readSmall('/proc/net/ipv6_route'),
    ]);
    const facts = defaultOfIpv4(ipv4 ?? '') ?? defaultOfIpv6(ipv6 ?? '');
    return facts === null ? { code: 'no-default-route', facts: {} } : { code: 'ok', facts };
  },
};

/** Interface, destination, gateway, flags, …, mask in hex; addresses in the byte order of the machine, which is little-endian. */
function defaultOfIpv4(table: string): ProbeFacts | null {
  for (const line of table.split('\n').slice(1)) {
    const [name, destination, gateway, flags, , , , mask] = line.trim().split(/\s+/);
    if (destination !== '00000000' || mask !== '00000000' || (Number.parseInt(flags ?? '', 16) & UP) === 0) continue;
    const bytes = Buffer.from(gateway ?? '', 'hex').toReversed();
    return compactFacts({ gateway: bytes.some((byte) => byte !== 0) ? bytes.join('.') : null, interface: name });
  }
  return null;
}

/** Destination, its length, source, its length, next hop, metric, …, flags, interface. The kernel's own refusal stands on `lo`. */
function defaultOfIpv6(table: string): ProbeFacts | null {
  for (const line of table.split('\n')) {
    const [destination, length, , , hop, , , , flags, name] = line.trim().split(/\s+/);
    if (destination === undefined || !/^0+$/.test(destination) || length !== '00' || name === 'lo') continue;
    if ((Number.parseInt(flags ?? '', 16) & UP) === 0) continue;
    return compactFacts({ gateway: hop?.match(/.{4}/g)?.join(':'), interface: name });
  }
  return null;
}

// What /etc/resolv.conf and /etc/hosts say. Asks no server.
import { isIP } from 'node:net';
import type { Address } from './network.ts';

/** As many as the C library takes. */
const NAMESERVERS_MAX = 3;

export interface ResolverSettings {
  /** Addresses, some with `:port`; empty where none is configured. */
  readonly nameservers: readonly string[];
  /** Names (lower case) of /etc/hosts. */
  readonly hosts: ReadonlyMap<string, readonly Address[]>;
}

export function parseNameservers(resolvConf: string): readonly string[] {
  return fieldsOfLines(resolvConf, /[#;]/)
    .filter(([keyword, server]) => keyword === 'nameserver' && isIP(server ?? '') !== 0)
    .map(([, server]) => server!)
    .slice(0, NAMESERVERS_MAX);
}

export function parseHosts(text: string): ReadonlyMap<string, readonly Address[]> {
  const hosts = new Map<string, Address[]>();
  for (const [address = '', ...names] of fieldsOfLines(text, /#/)) {
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names.map((name) => name.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
  }
  return hosts;
}

function fieldsOfLines(text: string, comment: RegExp): readonly string[][] {
  return text
    .split('\n')
    .map((line) => line.split(comment, 1)[0]!.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
}

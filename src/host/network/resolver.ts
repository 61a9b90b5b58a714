// Names to addresses without the thread pool: /etc/hosts, then the name servers, asked for IPv4 and IPv6 at once and
// cancelled at the limit. `dns.lookup` would hold up the end of the process for as long as a silent server is waited for.
import { Resolver } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Attempt, attempt } from './attempt.ts';
import { networkError } from './network-codes.ts';
import { type Address, type NetworkCode, NetworkError } from './network.ts';
import type { ResolverSettings } from './resolver-settings.ts';

/** A name server that is silent for so long is passed over for the next one. */
const SERVER_LIMIT_MS = 800;
const TRIES = 2;
/** How long the other family may be late once one has answered (RFC 8305, 3). */
const OTHER_FAMILY_LIMIT_MS = 50;
const LOOKUP_LIMIT_MS = 5_000;
const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?$/;
const LOOPBACK: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export type Resolve = (host: string, within: Attempt) => Promise<readonly Address[]>;

/** The settings are read at the first question. */
export function createResolve(readSettings: () => Promise<ResolverSettings>): Resolve {
  let reading: Promise<ResolverSettings> | null = null;
  return async (host, within) => {
    const family = isIP(host);
    if (family === 4 || family === 6) return [{ address: host, family }];
    if (!HOST_NAME.test(host)) throw new NetworkError('dns-not-found', 'not a host name');
    const { hosts, nameservers } = await (reading ??= readSettings());
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = hosts.get(name) ?? (name === 'localhost' ? LOOPBACK : null);
    if (known !== null) return known.toSorted((a, b) => a.family - b.family);
    if (nameservers.length === 0) throw new NetworkError('no-resolver', 'no name server is configured');
    return ask(name, nameservers, within);
  };
}

function ask(name: string, nameservers: readonly string[], within: Attempt): Promise<readonly Address[]> {
  return within.during('dns-timeout', ({ resolve, reject }) => {
    const resolver = new Resolver({ timeout: SERVER_LIMIT_MS, tries: TRIES });
    const found: Record<4 | 6, readonly Address[] | Error | null> = { 4: null, 6: null };
    let otherLimit: NodeJS.Timeout | undefined;
    const conclude = (): void => {
      const addresses = [found[4], found[6]].flatMap((answer) => (Array.isArray(answer) ? (answer as Address[]) : []));
      if (addresses.length > 0) resolve(addresses);
      else reject(worstOf(found[4], found[6]));
    };
    const take =
      (family: 4 | 6) =>
      (error: Error | null, addresses?: readonly string[]): void => {
        if (found[family] !== null) return;
        found[family] = error ?? (addresses ?? []).map((address) => ({ address, family }));
        if (found[4] !== null && found[6] !== null) conclude();
        else if (error === null) otherLimit = setTimeout(conclude, OTHER_FAMILY_LIMIT_MS);
      };
    within.atEnd(() => {
      clearTimeout(otherLimit);
      resolver.cancel();
    });
    resolver.setServers(nameservers);
    resolver.resolve4(name, take(4));
    resolver.resolve6(name, take(6));
  });
}

/** Of two failures the one that says more: that the name has no address is known only if both families say so. */
function worstOf(...answers: readonly (readonly Address[] | Error | null)[]): NetworkError {
  const errors = answers.map((answer) => networkError('dns', answer instanceof Error ? answer : { code: 'ENODATA' }));
  return errors.find(({ code }) => code !== 'dns-not-found') ?? errors[0]!;
}

/** `getaddrinfo`'s own codes: what sockets and HTTP agents of others know how to read. */
const LOOKUP_CODES: Partial<Record<NetworkCode, string>> = { 'dns-not-found': 'ENOTFOUND', 'dns-timeout': 'ETIMEDOUT' };
const FAMILIES: Readonly<Record<string, 4 | 6>> = { 4: 4, 6: 6, IPv4: 4, IPv6: 6 };

export function createLookup(resolve: Resolve): LookupFunction {
  const never = new AbortController().signal;
  return (hostname, options, callback) => {
    attempt({ timeLimitMs: LOOKUP_LIMIT_MS, signal: never }, (within) => resolve(hostname, within))
      .then((addresses) => {
        const family = FAMILIES[String(options.family)];
        const wanted = family === undefined ? addresses : addresses.filter((address) => address.family === family);
        if (wanted.length === 0) throw new NetworkError('dns-not-found', 'no address of this family');
        return wanted;
      })
      .then(
        (wanted) =>
          options.all === true ? callback(null, [...wanted]) : callback(null, wanted[0]!.address, wanted[0]!.family),
        (error: unknown) => {
          const code = (error instanceof NetworkError ? LOOKUP_CODES[error.code] : undefined) ?? 'EAI_AGAIN';
          const failure = Object.assign(new Error(`getaddrinfo ${code} ${hostname}`, { cause: error }), {
            code,
            syscall: 'getaddrinfo',
            hostname,
          });
          callback(failure, options.all === true ? [] : '');
        },
      );
  };
}

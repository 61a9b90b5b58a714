// Which proxy a connection takes, by the rules of Go's golang.org/x/net/http/httpproxy: kubelet, containerd and nodeadm are
// written in Go. Node's own agent reads NO_PROXY otherwise: `amazonaws.com` does not cover its subdomains there.
import { BlockList, isIP } from 'node:net';
import type { Proxy } from './network.ts';

export interface ProxySettings {
  readonly httpsProxy: string | null;
  readonly httpProxy: string | null;
  /** As written: names, domains, addresses and networks, separated by commas. */
  readonly noProxy: string;
}

export const NO_PROXY_SETTINGS: ProxySettings = { httpsProxy: null, httpProxy: null, noProxy: '' };

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Names in upper case count first; an empty value is none. */
export function proxySettingsOf(environment: Readonly<Record<string, string | undefined>>): ProxySettings {
  const first = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  return {
    httpsProxy: first('HTTPS_PROXY') || null,
    httpProxy: first('HTTP_PROXY') || null,
    noProxy: first('NO_PROXY'),
  };
}

/** The proxy of a TLS connection; null: straight. Also null for a value that is no address of an HTTP proxy. */
export function proxyFor(settings: ProxySettings, host: string, port: number): Proxy | null {
  if (settings.httpsProxy === null || isExempt(settings.noProxy, host, port)) return null;
  return parseProxy(settings.httpsProxy);
}

/** Null if it is no address of an HTTP proxy. A value without a scheme is one of http. */
export function parseProxy(value: string): Proxy | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
  if (url === null || defaultPort === undefined || url.hostname === '') return null;
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    host: unbracketed(url.hostname),
    port: url.port === '' ? defaultPort : Number(url.port),
    secure: url.protocol === 'https:',
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

export function isExempt(noProxy: string, host: string, port: number): boolean {
  const name = unbracketed(host.toLowerCase()).replace(/\.$/, '');
  if (name === 'localhost' || /^127\.|^::1$/.test(name)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && covers(entry, name, port));
}

function covers(entry: string, name: string, port: number): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(name, entry);
  const { host, port: wanted } = splitPort(entry);
  if (wanted !== null && wanted !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return host === name;
  const domain = host.startsWith('*.') ? host.slice(1) : host;
  if (domain.startsWith('.')) return name.endsWith(domain);
  return name === domain || name.endsWith(`.${domain}`);
}

function isInNetwork(address: string, network: string): boolean {
  const [base = '', prefix = ''] = network.split('/', 2);
  const family = isIP(base);
  if (
    family === 0 ||
    isIP(address) !== family ||
    !/^\d{1,3}$/.test(prefix) ||
    Number(prefix) > (family === 4 ? 32 : 128)
  )
    return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), type);
  return list.check(address, type);
}

function splitPort(entry: string): { host: string; port: number | null } {
  const match = isIP(entry) === 6 ? null : /^(?<host>\[[^\]]*\]|[^:]*):(?<port>\d{1,5})$/.exec(entry);
  if (match === null) return { host: unbracketed(entry), port: null };
  return { host: unbracketed(match.groups!['host']!), port: Number(match.groups!['port']) };
}

function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** Text with a `%` that begins no escape is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

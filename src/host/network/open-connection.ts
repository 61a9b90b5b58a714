// Opens one connection: name, TCP, the proxy's CONNECT if there is a proxy, TLS. Sends nothing of the caller's.
import { request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Attempt } from './attempt.ts';
import type { FindContext } from './authorities.ts';
import { networkError } from './network-codes.ts';
import { type Address, type ConnectRequest, NetworkError, type Proxy } from './network.ts';
import type { Resolve } from './resolver.ts';

/** Of several addresses, all but the last get so long. */
const ADDRESS_LIMIT_MS = 500;
const HEADER_MAX_BYTES = 16 * 1024;

export interface Means {
  readonly resolve: Resolve;
  readonly findContext: FindContext;
}

type Target = Pick<ConnectRequest, 'host' | 'port' | 'trust' | 'proxy'>;

/** The socket is destroyed at the end of the attempt. @throws NetworkError */
export async function openConnection(target: Target, within: Attempt, means: Means): Promise<Socket> {
  const { host, port, trust, proxy } = target;
  const socket =
    proxy === null ? await openTcp(host, port, within, means) : await openTunnel(host, port, proxy, within, means);
  if (trust === null) return socket;
  return secure(socket, host, within, await means.findContext(trust));
}

async function openTcp(host: string, port: number, within: Attempt, means: Means): Promise<Socket> {
  const addresses = await means.resolve(host, within);
  within.address = addresses[0]!.address;
  return within.during('connect-timeout', ({ resolve, reject }) => {
    const socket = connectTcp({
      host,
      port,
      lookup: (_host, options, callback) =>
        options.all === true
          ? callback(null, addresses as Address[])
          : callback(null, addresses[0]!.address, addresses[0]!.family),
      autoSelectFamily: addresses.length > 1,
      autoSelectFamilyAttemptTimeout: ADDRESS_LIMIT_MS,
    });
    within.atEnd(() => socket.destroy());
    socket.on('error', (error) => reject(networkError('connect', firstOf(error), within.address)));
    socket.on('connect', () => {
      within.address = socket.remoteAddress ?? within.address;
      resolve(socket);
    });
  });
}

/** Of several addresses the first is the one that is wanted; the others often have no route at all (IPv6). */
function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error;
}

function secure(socket: Socket, host: string, within: Attempt, secureContext: SecureContext): Promise<Socket> {
  return within.during('tls-timeout', ({ resolve, reject }) => {
    const secured = connectTls({
      socket,
      host,
      // An address may not stand in the server name; the certificate is compared with `host` all the same.
      servername: isIP(host) === 0 ? host : '',
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    within.atEnd(() => secured.destroy());
    secured.on('error', (error) => reject(networkError('tls', error, within.address)));
    secured.on('secureConnect', () => resolve(secured));
  });
}

async function openTunnel(host: string, port: number, proxy: Proxy, within: Attempt, means: Means): Promise<Socket> {
  const socket = await openWayTo(proxy, within, means);
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return within.during('proxy-timeout', ({ resolve, reject }) => {
    const fail = (code: 'proxy-refused' | 'proxy-auth-required', detail: string): void =>
      reject(new NetworkError(code, detail, { address: within.address }));
    const asking = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: target,
      setHost: false,
      headers: {
        host: target,
        ...(proxy.authorization === null ? {} : { 'proxy-authorization': proxy.authorization }),
      },
      maxHeaderSize: HEADER_MAX_BYTES,
    });
    asking.on('connect', ({ statusCode = 0 }, _socket, head) => {
      if (statusCode === 407) return fail('proxy-auth-required', '407');
      if (statusCode < 200 || statusCode > 299) return fail('proxy-refused', String(statusCode));
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.on('error', (error) => fail('proxy-refused', networkError('answer', error).detail));
    asking.end();
  });
}

/** Whatever is wrong with the way to the proxy is the proxy's: the host behind it was not even asked for. */
async function openWayTo(proxy: Proxy, within: Attempt, means: Means): Promise<Socket> {
  try {
    return await openConnection(
      { host: proxy.host, port: proxy.port, trust: proxy.secure ? 'system' : null, proxy: null },
      within,
      means,
    );
  } catch (error) {
    if (!(error instanceof NetworkError) || error.code === 'aborted') throw error;
    throw new NetworkError('proxy-unreachable', error.code, { address: error.address, cause: error });
  }
}

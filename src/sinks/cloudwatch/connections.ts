// The connections below the SDK: its request handler over Node's own agents, with our resolver, our proxy rules and limits on
// time. Knows nothing of logs.
import http, { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Address, type Limits, type Network, NetworkError, type Proxy } from '../../host/network/network.ts';
import { isExempt, parseProxy, type ProxySettings } from '../../host/network/proxy.ts';

const CONNECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 5_000;
const BODY_MAX_BYTES = 256 * 1024;
const SOCKETS_MAX = 2;

type Handled = Parameters<NodeHttpHandler['handle']>[0];
type HandleOptions = Parameters<NodeHttpHandler['handle']>[1];
type Answer = Awaited<ReturnType<NodeHttpHandler['handle']>>;

export interface ConnectionOptions {
  readonly network: Network;
  readonly proxy: ProxySettings;
  /** Authorities that count for TLS; null: those that come with Node. */
  readonly secureContext: SecureContext | null;
  /** Gets the Date header of every answer. */
  readonly hear: (date: string | undefined) => void;
}

/** What the SDK takes as its request handler; it opens its connections at the first request, all to the host of that one. */
export interface Connections {
  readonly isProxied: boolean;
  handle(request: Handled, options?: HandleOptions): Promise<Answer>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): object;
  /** Ends every connection at once. */
  destroy(): void;
}

// The SDK asks the instance metadata service through Node's global agent, which NODE_USE_ENV_PROXY would send to a proxy.
http.globalAgent = new HttpAgent({ keepAlive: false });

export function createConnections({ network, proxy: settings, secureContext, hear }: ConnectionOptions): Connections {
  let handler: Promise<NodeHttpHandler> | null = null;
  let proxy: Proxy | null = null;
  let names = 0;
  const agents: (HttpAgent | HttpsAgent)[] = [];

  const lookup: LookupFunction = (host, options, callback) => {
    names += 1;
    network.lookup(host, options, (...answer) => {
      names -= 1;
      callback(...answer);
    });
  };

  const choose = ({ protocol, hostname, port = protocol === 'https:' ? 443 : 80 }: Handled): Proxy | null => {
    const value = protocol === 'https:' ? settings.httpsProxy : settings.httpProxy;
    return value === null || isExempt(settings.noProxy, hostname, port) ? null : parseProxy(value);
  };

  const open = async (limits: Limits): Promise<NodeHttpHandler> => {
    const common = {
      keepAlive: true,
      maxSockets: SOCKETS_MAX,
      lookup,
      ...(proxy === null ? {} : { proxyEnv: await proxyEnvOf(proxy, network, limits) }),
    };
    const httpAgent = new HttpAgent(common);
    const httpsAgent = new HttpsAgent({ ...common, ...(secureContext === null ? {} : { secureContext }) });
    agents.push(httpAgent, httpsAgent);
    return new NodeHttpHandler({ httpAgent, httpsAgent, connectionTimeout: CONNECT_LIMIT_MS });
  };

  return {
    get isProxied() {
      return proxy !== null;
    },
    handle: async (request, options) => {
      const signal = (options?.abortSignal as AbortSignal | undefined) ?? new AbortController().signal;
      proxy = choose(request);
      try {
        const answer =
          proxy?.secure === true
            ? await throughSecureProxy(request, proxy, network, { timeLimitMs: ANSWER_LIMIT_MS, signal })
            : await (await (handler ??= open({ timeLimitMs: CONNECT_LIMIT_MS, signal }))).handle(request, options);
        hear(answer.response.headers['date']);
        return answer;
      } catch (error) {
        // The SDK's limit on connecting also runs while the name is being resolved.
        throw names > 0 && (error as Error).name === 'TimeoutError'
          ? new NetworkError('dns-timeout', 'time limit')
          : error;
      }
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

/**
 * Node's agent would resolve the name of a proxy by `dns.lookup`, which blocks a thread: so it gets the address.
 * @throws NetworkError `proxy-unreachable`, `aborted`
 */
async function proxyEnvOf(
  { host, port, authorization }: Proxy,
  network: Network,
  limits: Limits,
): Promise<NodeJS.ProcessEnv> {
  const [{ address }] = (await network.resolve(host, limits).catch((error: unknown) => {
    const code = error instanceof NetworkError ? error.code : 'dns-failed';
    throw code === 'aborted' ? error : new NetworkError('proxy-unreachable', code, { cause: error });
  })) as [Address];
  const [user = '', ...password] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
    .toString('utf8')
    .split(':');
  const credentials =
    authorization === null ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password.join(':'))}@`;
  const url = `http://${credentials}${address.includes(':') ? `[${address}]` : address}:${port}`;
  return { HTTPS_PROXY: url, HTTP_PROXY: url };
}

/** By way of a proxy that is itself reached by TLS: Node's agent knows neither our resolver nor the machine's authorities there. */
async function throughSecureProxy(
  { hostname, port = 443, method, path, headers, body }: Handled,
  proxy: Proxy,
  network: Network,
  limits: Limits,
): Promise<Answer> {
  const answer = await network.request({
    host: hostname,
    port,
    trust: 'system',
    proxy,
    path,
    headers,
    bodyMaxBytes: BODY_MAX_BYTES,
    ...limits,
    method: method as 'POST',
    body:
      body instanceof Uint8Array
        ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
        : String(body ?? ''),
  });
  const response = new HttpResponse({
    statusCode: answer.status,
    headers: { ...answer.headers },
    body: Readable.from([Buffer.from(answer.body)]),
  });
  return { response };
}

/** For the SDK: the whole body of an answer. @throws NetworkError `answer-too-large`, and the stream's error */
export async function collectBody(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw new NetworkError('answer-too-large', 'body');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

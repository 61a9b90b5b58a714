// Everything that can go wrong between a node and CloudWatch Logs, one row a fault: what is wanted, and what was seen.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createSecureContext } from 'node:tls';
import { after, test, type TestContext } from 'node:test';
import { createNetwork } from '../../../src/host/network/create-network.ts';
import type { Network } from '../../../src/host/network/network.ts';
import type { ProxySettings } from '../../../src/host/network/proxy.ts';
import type { CloudWatchOptions } from '../../../src/sinks/cloudwatch/cloudwatch.ts';
import { tempFolder } from '../../build/temp-folder.ts';
import type { Shipper } from '../../../src/sinks/shipper.ts';
import { type Certificate, makeAuthority, makeServer } from '../../host/certificates.ts';
import { dnsServer } from '../../host/dns-server.ts';
import { closedPort } from '../../host/servers.ts';
import { connectProxy, type ProxyManners } from '../../sinks/connect-proxy.ts';
import { type Action, type LogsServer, logsServer, type Wrong } from '../../sinks/logs-server.ts';
import { type Metadata, metadataServer } from '../../sinks/metadata-server.ts';
import { eventOf, LOCAL, openShipper, PROXY_NAME, SERVER_NAME } from '../../sinks/shipper.ts';

const GROUP = '/g';
const STREAM = '/g/i-1';
const DAY_MS = 86_400_000;
/** Long enough for a try that hangs, and the next one. */
const PATIENCE_MS = 12_000;
/** For what cannot be delivered at all. */
const IMPATIENCE_MS = 2_800;

const authority = makeAuthority('Company CA');

interface Scene {
  readonly t: TestContext;
  readonly server: LogsServer;
  readonly metadata: Metadata;
  readonly options: Partial<CloudWatchOptions>;
  /** Null: one that has delivered nothing yet. */
  readonly shipper: Shipper | null;
  readonly patienceMs: number;
  readonly atMs: number;
}

interface Row {
  readonly fault: string;
  readonly wanted: string;
  readonly certificate?: Certificate;
  /** Arranges the fault. */
  readonly with?: (scene: Scene) => Partial<Scene> | void | Promise<Partial<Scene> | void>;
  /** More that must be so afterwards; what is wrong otherwise. */
  readonly and?: (scene: Scene) => string | null;
}

const DELIVERED = 'delivered';
const UNKNOWN_CLIENT: Wrong = { status: 400, type: 'UnrecognizedClientException' };
const impatient = { patienceMs: IMPATIENCE_MS };
const good = makeServer(authority, 'Company CA', [SERVER_NAME]);
const trusted: Partial<CloudWatchOptions> = {
  systemTrust: () => Promise.resolve(createSecureContext({ ca: authority.cert })),
};

function passing(fault: string, wrong: Wrong, times = 1): Row {
  return {
    fault,
    wanted: DELIVERED,
    with: ({ server }) => server.fail(Array<Wrong>(times).fill(wrong), 'PutLogEvents'),
  };
}

function denied(
  action: Action,
  wanted: string,
  arrange: (scene: Scene) => Partial<Scene> | void = () => undefined,
): Row {
  return {
    fault: `logs:${action} is not permitted`,
    wanted,
    with: (scene) => {
      scene.server.denied.add(action);
      return arrange(scene);
    },
  };
}

/** The event must say both times, and stand where the service's clock is. */
function bothTimes({ server, atMs }: Scene): string | null {
  const [stored] = server.streams.get(STREAM) ?? [];
  const { nodeTime, serviceTime } = server.messages()[0] ?? {};
  if (nodeTime !== new Date(atMs).toISOString()) return `nodeTime is ${String(nodeTime)}`;
  if (serviceTime !== new Date(stored?.timestamp ?? 0).toISOString()) return `serviceTime is ${String(serviceTime)}`;
  return Math.abs(stored!.timestamp - Date.now() - server.clockOffsetMs) < 30_000
    ? null
    : `the event stands at ${serviceTime}`;
}

function clock(fault: string, offsetMs: number): Row {
  return { fault, wanted: DELIVERED, with: ({ server }) => void (server.clockOffsetMs = offsetMs), and: bothTimes };
}

interface ProxyRow {
  readonly manners?: ProxyManners;
  /** The proxy's address, where it is not that of a proxy that listens. */
  readonly url?: (port: number) => Promise<string> | string;
  readonly noProxy?: string;
  /** Default: what is delivered came by way of the proxy. */
  readonly used?: boolean;
}

function proxied(
  fault: string,
  wanted: string,
  { manners = {}, url = proxyAt, noProxy = '', used = wanted === DELIVERED }: ProxyRow = {},
): Row {
  let targets: readonly string[] = [];
  return {
    fault,
    wanted,
    certificate: good,
    with: async ({ t }) => {
      const listening = await connectProxy(t, manners);
      targets = listening.targets;
      const proxy: ProxySettings = { httpsProxy: await url(listening.port), httpProxy: null, noProxy };
      return {
        options: { ...trusted, network: networkOf(t), region: 'us-west-2', proxy },
        ...(wanted === DELIVERED ? {} : impatient),
      };
    },
    and: ({ server }) => {
      const expected = used ? new URL(server.url).host : null;
      if (used && targets.length === 0) return 'not by way of the proxy';
      if (wanted === DELIVERED && targets.some((target) => target !== expected))
        return `the proxy was asked for ${targets.join(', ')}`;
      return null;
    },
  };
}

/** A machine whose own list of authorities has the company's. */
function networkOf(t: TestContext): Network {
  return createNetwork({
    root: tempFolder(t, { 'etc/ssl/certs/ca-certificates.crt': authority.cert }),
    environment: {},
    resolver: LOCAL,
  });
}

function proxyAt(port: number, credentials = ''): string {
  return `http://${credentials}${PROXY_NAME}:${port}`;
}

const ROWS: readonly Row[] = [
  { fault: 'none', wanted: DELIVERED },
  passing('no answer', 'silent'),
  passing('half of the headers, then nothing', 'half-headers'),
  passing('connection reset', 'reset'),
  passing('connection reset in the middle of the answer', 'reset-in-body'),
  passing('an answer that drips in', 'slow-body'),
  passing('an answer that never ends', 'endless-body'),
  passing('500 InternalFailure, twice', { status: 500, type: 'InternalFailure' }, 2),
  passing('503 from a load balancer', { status: 503, type: null }),
  passing('ThrottlingException, twice', { status: 400, type: 'ThrottlingException' }, 2),
  passing('429 Too Many Requests', { status: 429, type: null }),
  passing('200 with the page of a captive portal', 'garbage'),
  passing('200 with nothing', 'empty'),
  passing('a redirect', 'redirect'),
  passing('403 from something on the way', { status: 403, type: null }),
  {
    fault: 'credentials expired',
    wanted: DELIVERED,
    with: ({ server, metadata }) => {
      metadata.keys = ['ASIAEXAMPLEEXAMPLE01', 'ASIAEXAMPLEEXAMPLE02'];
      server.fail([{ status: 400, type: 'ExpiredTokenException' }]);
    },
    and: ({ server }) =>
      server.calls.at(-1)?.accessKey === 'ASIAEXAMPLEEXAMPLE02' ? null : 'the old credentials were used again',
  },
  {
    fault: 'credentials not yet known to the service',
    wanted: DELIVERED,
    with: ({ server }) => server.fail([UNKNOWN_CLIENT, UNKNOWN_CLIENT]),
  },
  clock("the node's clock is ten minutes behind", 10 * 60_000),
  clock("the node's clock is a day ahead", -DAY_MS),
  clock("the node's clock is ten years behind", 3650 * DAY_MS),
  {
    fault: 'an event of fifteen days ago',
    wanted: DELIVERED,
    with: () => ({ atMs: Date.now() - 15 * DAY_MS }),
    and: bothTimes,
  },
  { fault: 'an event of tomorrow', wanted: DELIVERED, with: () => ({ atMs: Date.now() + DAY_MS }), and: bothTimes },
  {
    fault: 'the stream is deleted between two verdicts',
    wanted: DELIVERED,
    with: async ({ t, server, metadata }) => {
      const shipper = openShipper(t, { server, metadata });
      await shipper.ship([eventOf('0')], AbortSignal.timeout(PATIENCE_MS));
      server.streams.delete(STREAM);
      return { shipper };
    },
  },
  {
    fault: 'no log group, and it may be created',
    wanted: DELIVERED,
    with: ({ server }) => (server.groups.clear(), { options: { createLogGroup: true, retentionDays: 30 } }),
    and: ({ server }) => (server.groups.get(GROUP) === 30 ? null : 'no retention'),
  },
  { fault: 'no log group', wanted: 'refused: group-missing', with: ({ server }) => server.groups.clear() },
  denied('PutLogEvents', 'refused: access-denied'),
  denied('CreateLogStream', 'refused: access-denied'),
  {
    ...denied('CreateLogStream', DELIVERED, ({ server }) => void server.streams.set(STREAM, [])),
    fault: 'logs:CreateLogStream is not permitted, but the stream is there',
  },
  denied(
    'CreateLogGroup',
    'refused: group-missing',
    ({ server }) => (server.groups.clear(), { options: { createLogGroup: true } }),
  ),
  denied(
    'PutRetentionPolicy',
    DELIVERED,
    ({ server }) => (server.groups.clear(), { options: { createLogGroup: true, retentionDays: 7 } }),
  ),
  {
    fault: 'no role on the instance',
    wanted: 'unreachable: no-credentials',
    with: ({ metadata }) => ((metadata.mode = 'no-role'), impatient),
  },
  {
    fault: 'the metadata service is silent',
    wanted: 'unreachable: no-credentials',
    with: ({ metadata }) => ((metadata.mode = 'silent'), { ...impatient, options: { region: 'us-west-2' } }),
  },
  {
    fault: 'the metadata service resets in the middle',
    wanted: 'unreachable: no-credentials',
    with: ({ metadata }) => ((metadata.mode = 'reset'), { ...impatient, options: { region: 'us-west-2' } }),
  },
  {
    fault: 'nobody knows the region',
    wanted: 'unreachable: region-unknown',
    with: ({ metadata }) => ((metadata.region = '<html>'), impatient),
  },
  {
    fault: 'nobody listens',
    wanted: 'unreachable: connect-refused',
    with: async () => ({
      ...impatient,
      server: { ...(await unused()), url: `http://127.0.0.1:${await closedPort()}` },
    }),
  },
  {
    fault: 'connecting hangs',
    wanted: 'unreachable: connect-timeout',
    with: async ({ t }) => ({
      ...impatient,
      server: { ...(await unused()), url: `http://127.0.0.1:${await hangingPort(t)}` },
    }),
  },
  {
    fault: 'the name is not known',
    wanted: 'unreachable: dns-not-found',
    with: async ({ t }) => ({ ...impatient, ...(await named(t, 'nxdomain')) }),
  },
  {
    fault: 'the name server is silent',
    wanted: 'unreachable: dns-timeout',
    with: async ({ t }) => ({ ...impatient, ...(await named(t, 'silent')) }),
  },
  {
    fault: 'TLS by an authority that only this machine trusts',
    wanted: DELIVERED,
    certificate: good,
    with: () => ({ options: trusted }),
  },
  {
    fault: 'TLS by an unknown authority',
    wanted: 'unreachable: tls-unknown-ca',
    certificate: good,
    with: () => impatient,
  },
  {
    fault: 'TLS for another name',
    wanted: 'unreachable: tls-name-mismatch',
    certificate: makeServer(authority, 'Company CA', ['other.test']),
    with: () => ({ ...impatient, options: trusted }),
  },
  {
    fault: 'TLS with an expired certificate',
    wanted: 'unreachable: tls-expired',
    certificate: makeServer(authority, 'Company CA', [SERVER_NAME], { from: new Date(0), to: new Date(1e12) }),
    with: () => ({ ...impatient, options: trusted }),
  },
  {
    fault: 'TLS with a certificate of tomorrow',
    wanted: 'unreachable: tls-not-yet-valid',
    certificate: makeServer(authority, 'Company CA', [SERVER_NAME], {
      from: new Date(Date.now() + DAY_MS),
      to: new Date(Date.now() + 2 * DAY_MS),
    }),
    with: () => ({ ...impatient, options: trusted }),
  },
  proxied('by way of a proxy', DELIVERED),
  proxied('by way of a proxy that wants credentials', DELIVERED, {
    manners: { credentials: 'us:r:p@ss%' },
    url: (port) => proxyAt(port, 'us:r%3Ap%40ss%25@'),
  }),
  proxied('by way of a proxy that is reached by TLS', DELIVERED, {
    manners: { certificate: makeServer(authority, 'Company CA', [PROXY_NAME]) },
    url: (port) => `https://${PROXY_NAME}:${port}`,
  }),
  proxied('the proxy wants credentials and there are none', 'unreachable: proxy-auth-required', {
    manners: { credentials: 'user:password' },
  }),
  proxied('the proxy refuses', 'unreachable: proxy-refused', { manners: { refuse: 403 } }),
  proxied('the proxy is silent', 'unreachable: proxy-unreachable', { manners: { silent: true } }),
  proxied('nobody listens at the proxy', 'unreachable: proxy-unreachable', {
    url: async () => proxyAt(await closedPort()),
  }),
  proxied('the name of the proxy is not known', 'unreachable: proxy-unreachable', {
    url: () => 'http://nowhere.test:3128',
  }),
  proxied('the proxy refuses, but NO_PROXY exempts the service', DELIVERED, {
    manners: { refuse: 403 },
    noProxy: 'test',
    used: false,
  }),
];

/** A listener that is stopped, with its queue full: the kernel answers no more. */
async function hangingPort(t: TestContext): Promise<number> {
  const code =
    "require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); })";
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  const port = Number(printed.toString());
  const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.race(sockets.map((socket) => once(socket, 'connect')));
  return port;
}

async function unused(): Promise<LogsServer> {
  return {
    url: '',
    port: 0,
    calls: [],
    streams: new Map(),
    groups: new Map(),
    denied: new Set(),
    clockOffsetMs: 0,
    place: () => ({ accepted: [], rejected: null }),
    fail: () => {},
    messages: () => [],
  };
}

async function named(t: TestContext, answer: 'nxdomain' | 'silent'): Promise<Partial<Scene>> {
  const nameservers = [await dnsServer(t, () => answer)];
  const network = createNetwork({ environment: {}, resolver: { nameservers, hosts: new Map() } });
  return {
    server: { ...(await unused()), url: `http://${SERVER_NAME}:80` },
    options: { network, region: 'us-west-2' },
  };
}

const seen = new Map<string, string>();

for (const row of ROWS) {
  test(row.fault, { timeout: 30_000 }, async (t) => {
    const server = await logsServer(
      t,
      row.certificate ?? null,
      row.certificate === undefined ? undefined : SERVER_NAME,
    );
    server.groups.set(GROUP, null);
    const scene: Scene = {
      t,
      server,
      metadata: await metadataServer(t),
      options: {},
      shipper: null,
      patienceMs: PATIENCE_MS,
      atMs: Date.now(),
    };
    const arranged: Scene = { ...scene, ...(await row.with?.(scene)) };
    const shipper = arranged.shipper ?? openShipper(t, arranged, arranged.options);
    const outcome = await shipper.ship([eventOf('1', arranged.atMs)], AbortSignal.timeout(arranged.patienceMs));
    const isThere = (arranged.server.streams.get(STREAM) ?? []).some(({ message }) => message.includes('"id":"1"'));
    // What was accepted must be there, whatever else was said.
    const result =
      outcome.kind === 'accepted'
        ? isThere
          ? DELIVERED
          : 'accepted, but not there'
        : `${outcome.kind}: ${outcome.reason}`;
    const complaint = result === row.wanted ? (row.and?.(arranged) ?? null) : null;
    seen.set(row.fault, complaint === null ? result : `${result}, but ${complaint}`);
    assert.equal(seen.get(row.fault), row.wanted, JSON.stringify(outcome));
  });
}

after(() => {
  const lines = [
    ['fault', 'wanted', 'seen'],
    ...ROWS.map(({ fault, wanted }) => [fault, wanted, seen.get(fault) ?? 'did not end']),
  ];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  console.log(
    `\n${lines.map(([fault = '', wanted = '', result = '']) => `${fault.padEnd(widths[0]!)}  ${wanted.padEnd(widths[1]!)}  ${result}`).join('\n')}\n`,
  );
});

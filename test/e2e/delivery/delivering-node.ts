// A node for tests of delivery: its kubelet prints what the test hands it, and what it sends to CloudWatch Logs comes out in the
// test, by TLS and under the service's own name.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempFolder } from '../../build/temp-folder.ts';
import type { Verdict } from '../../../src/types.ts';
import { logsServer, type LogsServer } from '../../sinks/logs-server.ts';
import { bootNode, EXECUTABLE_ON_NODE, type ExecResult, type TestNode } from '../node.ts';
import type { NodeOptions } from '../node-options.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { ANALYZER, ANALYZER_BIND, ANALYZER_UNIT } from '../shapes/analyzer.ts';
import { until } from '../until.ts';
import { CLUSTER, type Vpc } from '../vpc.ts';

export const GROUP = `/eks/bootstrap-analyzer/${CLUSTER}`;
export const INSTANCE = 'i-0123456789abcdef0';
export const STREAM = `${GROUP}/${INSTANCE}`;
const SPOOL = '/var/lib/eks-bootstrap-analyzer/spool';
const VERDICT_LOG = '/var/log/eks-bootstrap-analyzer/verdicts.jsonl';

const PIPE = '/run/kubelet-lines';
/** Prints each line as it comes, like a kubelet that is asked to. */
export const SPEAKS = `[ -p ${PIPE} ] || mkfifo ${PIPE}\nexec cat <>${PIPE}`;
/** A machine's console is a device; the one of these nodes is a link to one. */
export const REAL_CONSOLE =
  'device=$(readlink -f /dev/console); rm /dev/console; touch /dev/console; mount --bind $device /dev/console';
const START_LIMIT_MS = 20_000;

/** Takes what the node sends to CloudWatch Logs: port of an HTTP server on the loopback address. */
export interface LogsAt {
  readonly port: number;
}

export interface DeliveringNode extends AsyncDisposable {
  readonly node: TestNode;
  /** Every byte that the node sent to CloudWatch Logs, requests with their headers. */
  received(): string;
  /** The kubelet prints these lines. */
  readonly say: (...lines: readonly string[]) => void;
  /** `diagnose --deliver all`; any exit code but 1 and 2 will do. */
  diagnose(...options: readonly string[]): Promise<ExecResult>;
  /** Starts `watch` as the shipped unit does, with these options. */
  startWatch(...options: readonly string[]): Promise<void>;
  /** Ends it without a last word; it is not started again. */
  killWatch(): Promise<void>;
  /** Waits for its end, and says how it ended. */
  watchEnd(limitMs: number): Promise<string>;
  /** Ids in the names of the spool's files, oldest first. */
  spooled(): Promise<string[]>;
  verdicts(): Promise<Verdict[]>;
}

export interface DeliveringOptions {
  readonly node?: Partial<NodeOptions>;
  readonly vpc?: Vpc;
  /** Its script, which says nothing but what `say` gives it if it ends with SPEAKS (default). */
  readonly kubelet?: string;
  /** False, the default: the unit is there, but nothing starts it. */
  readonly startsAtBoot?: boolean;
}

export async function deliveringNode(
  t: TestContext,
  logs: LogsAt,
  { node: more = {}, vpc = {}, kubelet = SPEAKS, startsAtBoot = false }: DeliveringOptions = {},
): Promise<DeliveringNode> {
  const { path, received } = await bridge(t, logs);
  const shape = al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet }, more.files ?? {});
  const node = await bootNode({
    ...shape,
    ...more,
    units: { ...shape.units, ...(startsAtBoot ? ANALYZER_UNIT : withoutInstall(ANALYZER_UNIT)), ...more.units },
    files: { ...shape.files, ...more.files },
    binds: { ...ANALYZER_BIND, ...more.binds },
    vpc: { ...vpc, logs: path },
  });
  if (kubelet === SPEAKS)
    await until(
      'the kubelet listens',
      START_LIMIT_MS,
      async () => (await node.exec('test', ['-p', PIPE], { codes: null })).code === 0,
    );
  await node.shell(REAL_CONSOLE);
  const jsonLines = async (file: string): Promise<Verdict[]> => {
    const { stdout } = await node.exec('cat', [file], { codes: [0, 1] });
    return stdout
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Verdict);
  };
  return {
    node,
    received: () => Buffer.concat(received).toString('utf8'),
    say: (...lines) => appendFileSync(node.path(PIPE), lines.map((line) => `${line}\n`).join('')),
    diagnose: (...options) =>
      node.exec(EXECUTABLE_ON_NODE, ['diagnose', '--deliver=all', ...options], {
        limitMs: 60_000,
        codes: [0, 3, 10, 11, 12],
      }),
    async startWatch(...options) {
      const folder = node.path(`/run/systemd/system/${ANALYZER}.d`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'options.conf'),
        `[Service]\nExecStart=\nExecStart=${EXECUTABLE_ON_NODE} watch ${options.join(' ')}\n`,
      );
      await node.shell(`systemctl daemon-reload; systemctl start ${ANALYZER}`);
    },
    killWatch: async () => {
      await node.shell(
        `systemctl kill --signal=KILL ${ANALYZER}; systemctl stop ${ANALYZER}; systemctl reset-failed ${ANALYZER}`,
        { codes: null },
      );
    },
    async watchEnd(limitMs) {
      const state = (): Promise<string> => node.shell(`systemctl is-active ${ANALYZER}`, { codes: null });
      await until('the end of the analyzer', limitMs, async () => ['inactive', 'failed'].includes(await state()));
      return node.shell(`systemctl show --value -p Result ${ANALYZER}`);
    },
    async spooled() {
      const { stdout } = await node.exec('ls', [SPOOL], { codes: [0, 2] });
      return [...stdout.matchAll(/^\d{12}-(?<id>[0-9a-f]{32})-/gm)].map(({ groups }) => groups!['id']!);
    },
    verdicts: async () => [...(await jsonLines(`${VERDICT_LOG}.1`)), ...(await jsonLines(VERDICT_LOG))],
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}

/** A CloudWatch Logs of our own with the group of the node's cluster. */
export async function logsOfCluster(t: TestContext): Promise<LogsServer> {
  const logs = await logsServer(t);
  logs.groups.set(GROUP, null);
  return logs;
}

function withoutInstall(units: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(units).map(([name, text]) => [name, text.replace(/\[Install\][^[]*/, '')]));
}

/** A Unix socket, which the node's network can reach, in front of a port that it cannot. */
export async function bridge(
  t: TestContext,
  logs: LogsAt,
): Promise<{ readonly path: string; readonly received: readonly Buffer[] }> {
  const path = join(tempFolder(t, {}), 'logs.sock');
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const onward = connect(logs.port, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, onward],
      [onward, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).once('close', () => other.destroy());
    }
    incoming.on('data', (chunk) => received.push(chunk));
    incoming.pipe(onward).pipe(incoming);
  });
  server.listen(path);
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { path, received };
}

// A throw-away node: a real systemd as pid 1 and a real journald, booted by systemd-nspawn in namespaces of its own.
//
//     await using node = await bootNode({
//       files: { '/etc/eks/release': 'BASE_AMI_ID=…\n', '/usr/bin/aws': { text: '#!/bin/sh\nsleep infinity\n', mode: 0o755 } },
//       units: { 'kubelet.service': '[Service]\nExecStart=…\n[Install]\nWantedBy=multi-user.target\n' },   // enabled as [Install] says
//       imds: ORDINARY_INSTANCE,                      // IMDSv2 at 169.254.169.254, up before pid 1; left out: nobody listens
//       vpc: { lost: [endpointOf('ecr-api')] },       // AWS endpoints and API server that answer TLS, a kubeconfig, a default route
//       binds: { [EXECUTABLE_ON_NODE]: EXECUTABLE },  // read-only, node path → host path
//     });
//     await node.exec('systemctl', ['is-active', 'kubelet']);      // throws unless exit code 0; leaves no trace in the journal
//     await node.shell('nft add table inet t; …; ip route add …'); // the node's own network namespace, loopback only
//     await node.run('logger', ['hello']);                         // as a transient unit: own cgroup, journal lines
//     const watch = node.start(EXECUTABLE_ON_NODE, ['watch']);     // runs on; watch.line(…), watch.stop(), watch.ended
//     const server = node.beside(process.execPath, ['server.ts']); // a program of the host in the node's network: stand-ins for endpoints
//     await node.kmsg(3, 'Out of memory: Killed process 4242 (java)');
//     node.imds.set('meta-data/spot/instance-action', '{…}');      // from the next request on, as
//     node.setVpc({ node: { status: 200, isReady: true } });       // (names and addresses stay as they were laid out)
//     appendFileSync(node.path('/var/log/cloud-init-output.log'), '…');
//     await node.powerOff(); await node.journal(['-b']);           // the journal can be read afterwards too
//     await node.reboot();                                         // same disk, new boot id, `uptimeSeconds` again
//
// The end of the block, or the death of the test by whatever signal, ends all processes of the node and removes its folder and control
// group. What stays on the host is the base (base-rootfs.ts) and a raised limit (host-limits.ts).
//
// What differs from an instance: its kernel, memory and load are the host's; memory and CPU limits of units have an effect only if the
// host has a pure cgroup v2 tree; units with ConditionVirtualization=!container are skipped; swapon would reach the host (bind a file
// over /proc/swaps instead); there is no DMI, so cloud-init does not see EC2; the wall clock is the host's, the uptime is the node's own.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { executablePath, hostArch } from '../../build/project.ts';
import { run } from '../../build/run.ts';
import { baseRootfs } from './base-rootfs.ts';
import { type Boot, startBoot } from './boot.ts';
import { raiseHostLimits } from './host-limits.ts';
import type { ImdsAnswer } from './imds.ts';
import { layOutFolder } from './node-folder.ts';
import type { NodeOptions } from './node-options.ts';
import { joined, type NodeProcess, startProcess } from './node-process.ts';
import { filesOfVpc, makeVpcData, type Vpc } from './vpc.ts';

export const EXECUTABLE = executablePath(hostArch());
export const EXECUTABLE_ON_NODE = '/usr/local/bin/eks-bootstrap-analyzer';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const EXEC_LIMIT_MS = 30_000;
/** journald takes one kernel record a read. */
const KMSG_PAUSE_MS = 50;

export interface ExecResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecOptions {
  /** The program is killed then; default 30 s. */
  readonly limitMs?: number;
  /** Exit codes that do not throw; default 0 alone, null: any. */
  readonly codes?: readonly number[] | null;
}

export interface TestNode extends AsyncDisposable {
  /** On the host: `upper/` holds all that the node wrote to its disk. */
  readonly folder: string;
  readonly imds: { set(path: string, answer: ImdsAnswer): void; remove(path: string): void };
  setVpc(vpc: Vpc): void;
  /** Host path of a node's path while it is up. A symbolic link with an absolute target on the way would lead to the host's. */
  path(inside: string): string;
  exec(file: string, args?: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** `exec` of /bin/sh -c; gives standard output without the last line end. */
  shell(script: string, options?: ExecOptions): Promise<string>;
  run(file: string, args?: readonly string[], properties?: readonly string[]): Promise<ExecResult>;
  start(file: string, args?: readonly string[]): NodeProcess;
  beside(file: string, args?: readonly string[]): NodeProcess;
  kmsg(priority: number, text: string): Promise<void>;
  /** Entries that `journalctl ARGS` selects, oldest first. Also when the node is down. */
  journal(args?: readonly string[]): Promise<Readonly<Record<string, string>>[]>;
  /** What was written to /dev/console, by all boots. */
  console(): string;
  metadataRequests(): string[];
  isUp(): boolean;
  powerOff(): Promise<void>;
  /** The power cut: no process gets to do anything more. */
  kill(): Promise<void>;
  /** After `powerOff` or `kill` boots again; else powers off first. */
  reboot(): Promise<void>;
}

/** @throws Error with the console's last lines if it does not come up. Needs root. */
export async function bootNode(options: NodeOptions = {}): Promise<TestNode> {
  if (process.getuid?.() !== 0) throw new Error('a node needs root: it is made of namespaces and mounts');
  raiseHostLimits();
  const base = await baseRootfs();
  const folder = mkdtempSync(join(tmpdir(), 'eks-e2e-'));
  const imdsFile = join(folder, 'imds.json');
  let imds: Record<string, ImdsAnswer> = { ...options.imds };
  if (options.imds !== undefined) writeWhole(imdsFile, imds);
  const vpcFile = join(folder, 'vpc.json');
  const vpcData = options.vpc === undefined ? null : makeVpcData(options.vpc);
  if (vpcData !== null) writeWhole(vpcFile, vpcData);
  await layOutFolder(
    folder,
    base,
    vpcData === null ? options : { ...options, files: { ...filesOfVpc(vpcData), ...options.files } },
  );
  const { uptimeSeconds = 3, wait = 'booted' } = options;
  let isUp = true;
  let boot: Boot = await startBoot(folder, uptimeSeconds, wait);
  // They are on the node's disk now; a reboot must not bring them back.
  rmSync(join(folder, 'files'), { recursive: true });
  mkdirSync(join(folder, 'files'));
  let kernelRecords = 0;
  let kernelQueue: Promise<void> = Promise.resolve();

  const up = (): Boot => {
    if (!isUp) throw new Error('the node is down');
    return boot;
  };
  const inside = (command: readonly string[]): string[] => {
    const environment = [`PATH=${PATH}`, 'HOME=/root', 'USER=root', 'LANG=C.UTF-8', 'TERM=dumb'];
    return [
      'nsenter',
      `--target=${up().pid1}`,
      '--all',
      'env',
      '--ignore-environment',
      '--chdir=/',
      ...environment,
      ...command,
    ];
  };
  const exec: TestNode['exec'] = async (file, args = [], { limitMs = EXEC_LIMIT_MS, codes = [0] } = {}) => {
    // The limit is kept inside: nsenter must live until its child is gone, for nobody else would reap it.
    const child = startProcess(inside(['timeout', '--signal=KILL', String(limitMs / 1000), file, ...args]), 0);
    const code = await child.ended;
    const result = { code, stdout: joined(child.stdout), stderr: joined(child.stderr) };
    if (codes !== null && !codes.includes(code))
      throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${result.stderr}${result.stdout}`);
    return result;
  };
  const end = async (how: 'power-off' | 'power-cut'): Promise<void> => {
    const ending = up();
    if (how === 'power-off') await ending.powerOff();
    await ending.down();
    isUp = false;
  };

  return {
    folder,
    imds: {
      set: (path, answer) => writeWhole(imdsFile, (imds = { ...imds, [path]: answer })),
      remove: (path) => {
        const { [path]: _, ...others } = imds;
        writeWhole(imdsFile, (imds = others));
      },
    },
    setVpc: (vpc) => writeWhole(vpcFile, { ...vpcData, vpc }),
    path: (inner) => join(`/proc/${up().pid1}/root`, inner),
    exec,
    shell: async (script, execOptions) =>
      (await exec('/bin/sh', ['-c', script], execOptions)).stdout.replace(/\n$/, ''),
    run: (file, args = [], properties = []) =>
      exec('systemd-run', [
        '--quiet',
        '--wait',
        '--pipe',
        '--collect',
        ...properties.map((property) => `--property=${property}`),
        '--',
        file,
        ...args,
      ]),
    start: (file, args = []) => startProcess(inside([file, ...args]), 1),
    beside: (file, args = []) =>
      startProcess(
        ['nsenter', `--net=/proc/${up().pid1}/ns/net`, 'setpriv', '--pdeathsig', 'KILL', '--', file, ...args],
        0,
      ),
    kmsg: async (priority, text) => {
      kernelQueue = kernelQueue.then(async () => {
        const uptimeMicros = Math.round(Number((await exec('cut', ['-d ', '-f1', '/proc/uptime'])).stdout) * 1e6);
        writeFileSync(join(folder, 'kmsg'), `${priority},${++kernelRecords},${uptimeMicros},-;${text}\n`);
        await sleep(KMSG_PAUSE_MS);
      });
      await kernelQueue;
    },
    journal: async (args = []) => {
      const text = await run(
        'journalctl',
        ['--directory', join(folder, 'upper/var/log/journal'), '--output=json', '--all', '--no-pager', ...args],
        '/',
      );
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, string>);
    },
    console: () => readFileSync(join(folder, 'console.log'), 'utf8'),
    metadataRequests: () => readFileSync(join(folder, 'imds.log'), 'utf8').split('\n').filter(Boolean),
    isUp: () => isUp,
    powerOff: () => end('power-off'),
    kill: () => end('power-cut'),
    reboot: async () => {
      if (isUp) await end('power-off');
      const previous = boot;
      boot = await startBoot(folder, uptimeSeconds, wait);
      isUp = true;
      await previous.leave();
    },
    [Symbol.asyncDispose]: () => boot.remove(),
  };
}

/** A server that reads the file meanwhile sees the one or the other. */
function writeWhole(file: string, value: unknown): void {
  writeFileSync(`${file}.part`, JSON.stringify(value));
  renameSync(`${file}.part`, file);
}

// A real journald for one test, in a mount namespace of its own with a /run and a /var/log of its own; nothing of it is seen
// outside. Needs root.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createHost } from '../../src/host/create-host.ts';
import type { Host } from '../../src/host/host.ts';
import { findCommand } from '../../src/host/processes/run-child.ts';
import { folderWith } from '../host/folder-with.ts';

const JOURNALD = '/lib/systemd/systemd-journald';
const NEEDED = [JOURNALD, 'journalctl', 'unshare', 'nsenter', 'mount', 'logger'];
const READY_LIMIT_MS = 5_000;
/** Stays as long as the test lives, and keeps the namespace; `$1` is the folder. */
const HOLD = `
  mount --bind "$1/run" /run && mount --bind "$1/log" /var/log && mount --bind "$1/journald.conf" /etc/systemd/journald.conf || exit 1
  echo ready
  exec sleep 600`;

/** For node:test's `skip`: why no journald can be started here, or false. */
export const NO_JOURNALD = reason();

export interface PrivateJournald {
  /** Sees this journald's journal; everything else is this machine. */
  readonly host: Host;
  /** A process whose namespace it is. */
  readonly pid: number;
  /** What stands at /run and /var/log. */
  readonly run: string;
  readonly log: string;
  start(): Promise<void>;
  /** Ends it as a restart does, or with SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Moves what is in /run to /var/log/journal, which is made if it is not there. */
  flush(): Promise<void>;
  rotate(): void;
  /** One entry with the given fields; several lines in `MESSAGE` are sent in binary form. */
  send(fields: Readonly<Record<string, string>>): void;
  /** One entry for each line; journald takes them when it comes to it. */
  lines(identifier: string, lines: readonly string[]): void;
  /** Waits until the newest entry with that identifier says so. */
  holds(identifier: string, message: string): Promise<void>;
  journalctl(...args: string[]): string;
}

export async function privateJournald(t: TestContext): Promise<PrivateJournald> {
  const folder = folderWith(t, { 'journald.conf': `[Journal]\nReadKMsg=no\n` });
  const [run, log] = ['run', 'log'].map((name) => join(folder, name)) as [string, string];
  for (const path of [join(run, 'systemd'), join(run, 'log/journal'), log])
    mkdirSync(path, { recursive: true, mode: 0o755 });
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', HOLD, 'sh', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const inside = ['-t', String(holder.pid), '-m', '--'];
  let journald: ChildProcess = spawn('true');

  const call = (args: readonly string[], input = ''): string => {
    const { status, stdout, stderr } = spawnSync('nsenter', [...inside, ...args], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const self: PrivateJournald = {
    host: hostInside(inside, `/proc/${holder.pid}/root`, { '/run': run, '/var/log': log }),
    pid: holder.pid!,
    run,
    log,
    async start() {
      journald = spawn('nsenter', [...inside, JOURNALD], { stdio: 'ignore' });
      await until(() => spawnSync('nsenter', [...inside, 'systemd-cat', 'true']).status === 0);
    },
    async stop(signal = 'SIGTERM') {
      const ended = journald.exitCode === null && journald.signalCode === null ? once(journald, 'exit') : null;
      journald.kill(signal);
      await ended;
    },
    async flush() {
      mkdirSync(join(log, 'journal'), { recursive: true });
      writeFileSync(join(run, 'systemd/journal/flushed'), '');
      journald.kill('SIGUSR1');
      await until(() => /system\.journal/.test(spawnSync('find', [join(log, 'journal')], { encoding: 'utf8' }).stdout));
    },
    rotate: () => void journald.kill('SIGUSR2'),
    send(fields) {
      const lines = Object.entries(fields).flatMap(([name, value]) =>
        value.split('\n').map((line) => `${name}=${line}`),
      );
      call(['logger', '--journald'], `${lines.join('\n')}\n`);
    },
    lines: (identifier, lines) => void call(['systemd-cat', '-t', identifier, 'cat'], `${lines.join('\n')}\n`),
    holds: (identifier, message) =>
      until(() => self.journalctl('-t', identifier, '-n', '1', '-o', 'cat').trim() === message),
    journalctl: (...args) => call(['journalctl', '--no-pager', ...args]),
  };
  t.after(async () => {
    await self.stop('SIGKILL');
    holder.kill('SIGKILL');
  });
  await self.start();
  return self;
}

/** Programs run inside the namespace, and paths are looked at there; `outside`: where what stands there is seen from here. */
function hostInside(inside: readonly string[], root: string, outside: Readonly<Record<string, string>>): Host {
  const host = createHost();
  const place = (path: string): string => {
    const [prefix, here] = Object.entries(outside).find(([prefix]) => path.startsWith(`${prefix}/`)) ?? ['', ''];
    return here + path.slice(prefix.length);
  };
  return {
    ...host,
    run: (request) => host.run({ ...request, command: 'nsenter', args: [...inside, request.command, ...request.args] }),
    kindOf: (path) => host.kindOf(root + path),
    identityOf: (path) => host.identityOf(root + path),
    expandGlob: (glob) => host.expandGlob(place(glob)),
    openBelowRoot: (path) => host.openFile(path),
    // This machine's journald is another one.
    openFile: (path) => (path.startsWith('/sys/') ? host.openFile(`/no${path}`) : host.openFile(path)),
  };
}

export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + READY_LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it did not come to pass');
    await wait(20);
  }
}

function reason(): string | false {
  if (process.getuid?.() !== 0) return 'a journald of its own needs root';
  const missing = NEEDED.filter((name) => findCommand(name) === null);
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  const tried = spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']);
  return tried.status === 0 ? false : 'mount namespaces are not allowed here';
}

// Keeps this process off mounts that do not answer. A request to such a mount cannot be taken back: neither a time limit nor
// the process's own exit ends the wait. So each mount that a server or a daemon stands behind is asked by a child first.
import { HostError } from '../host.ts';
import { findCommand } from '../processes/run-child.ts';
import { type Mount, readMounts } from './mount-table.ts';

/** File systems of the kernel and of local disks, which no daemon and no server stands behind. */
const LOCAL = new Set(
  `bdev bpf btrfs cgroup cgroup2 configfs cpuset debugfs devpts devtmpfs efivarfs erofs exfat ext2 ext3 ext4 f2fs fusectl hugetlbfs iso9660 mqueue
  nsfs nullfs overlay pipefs proc pstore ramfs resctrl rootfs rpc_pipefs securityfs selinuxfs sockfs squashfs sysfs tmpfs tracefs udf vfat xfs zfs`.split(
    /\s+/,
  ),
);
/** To ask an automount point would mount what it stands for. */
const NEVER_ASKED = 'autofs';
const ANSWER_LIMIT_MS = 1_000;
const ASKED_AT_ONCE_MAX = 32;
/** After this time a mount that answered may have died, and one that did not may have come back. */
const ANSWER_AGE_MAX_MS = { answered: 10_000, silent: 60_000 };
const TABLE_AGE_MAX_MS = 1_000;

export interface MountQuestions {
  readonly mounts: () => Promise<readonly Mount[]>;
  /** True when the mount answers, perhaps much later; false when nobody waits for it any more; perhaps neither ever. */
  readonly ask: (point: string) => Promise<boolean>;
  readonly nowMs: () => number;
  readonly limitMs: number;
}

/** @throws HostError `mount-stuck` for a path at or below a mount that does not answer; nothing of the path itself is touched. */
export type MountGuard = (path: string) => Promise<void>;

interface Asked {
  /** How long what is known holds; null: as long as the question is open. */
  untilMs: number | null;
  readonly isStuck: Promise<boolean>;
}

export function createMountGuard({ mounts, ask, nowMs, limitMs }: MountQuestions): MountGuard {
  const asked = new Map<string, Asked>();
  let table: { readonly atMs: number; readonly points: Promise<readonly string[]> } | null = null;

  return async (path) => {
    const points = await remotePoints();
    const concerned = points.filter((point) => liesAt(path, point));
    if (concerned.length === 0) return;
    if (!concerned.every(isKnown)) askAll(concerned, points);
    for (const point of concerned) if (await asked.get(point)?.isStuck) throw new HostError('mount-stuck', point);
  };

  function remotePoints(): Promise<readonly string[]> {
    if (table === null || nowMs() - table.atMs > TABLE_AGE_MAX_MS) {
      const points = mounts().then((all) => [
        ...new Set(all.filter(({ type }) => !LOCAL.has(type) && type !== NEVER_ASKED).map(({ point }) => point)),
      ]);
      table = { atMs: nowMs(), points };
    }
    return table.points;
  }

  /** Where one is asked, so are those that never were, all at once: five dead mounts cost the time of one. */
  function askAll(concerned: readonly string[], points: readonly string[]): void {
    const others = points.filter((point) => !asked.has(point));
    for (const point of new Set([...concerned, ...others.slice(0, ASKED_AT_ONCE_MAX)]))
      if (!isKnown(point)) asked.set(point, question(point));
  }

  function question(point: string): Asked {
    const { promise: isStuck, resolve } = Promise.withResolvers<boolean>();
    const entry: Asked = { untilMs: null, isStuck };
    const limit = setTimeout(() => resolve(true), limitMs);
    void ask(point).then(async (answered) => {
      clearTimeout(limit);
      resolve(!answered);
      const wasLate = answered && (await isStuck);
      // An answer that came too late is no proof of health: it is asked again at the next occasion.
      entry.untilMs = nowMs() + (wasLate ? 0 : ANSWER_AGE_MAX_MS[answered ? 'answered' : 'silent']);
    });
    return entry;
  }

  /** As long as a child still waits, no second one is sent. */
  function isKnown(point: string): boolean {
    const entry = asked.get(point);
    return entry !== undefined && (entry.untilMs === null || nowMs() < entry.untilMs);
  }
}

function liesAt(path: string, point: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`);
}

/**
 * An error is an answer too. A child that cannot be killed is left behind: it has no pipe to us, and dies as soon as it wakes.
 * Without a program to ask with, every mount is taken to answer.
 */
function askByChild(point: string): Promise<boolean> {
  const stat = findCommand('stat');
  if (stat === null) return Promise.resolve(true);
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(stat, ['--file-system', '--format=%i', '--', point], { stdio: 'ignore', env: {} });
    child.once('error', () => resolve(true));
    child.once('exit', (exitCode) => resolve(exitCode !== null));
    child.unref();
    setTimeout(() => child.kill('SIGKILL'), ANSWER_LIMIT_MS).unref();
  });
}

/** The guard of this process. The path is absolute, and no part of it but the last is a link. */
export const refuseStuckMount: MountGuard = createMountGuard({
  mounts: readMounts,
  ask: askByChild,
  // `performance` alone takes 3 ms to load.
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  limitMs: ANSWER_LIMIT_MS,
});

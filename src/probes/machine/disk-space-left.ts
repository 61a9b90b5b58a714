// Is there room, in bytes and in inodes, where the node writes? Bars: the kubelet evicts pods below 10 % of its file system
// (nodefs.available of the EKS AMI's kubelet configuration).
import type { FileSystemSpace } from '../../host/system.ts';
import type { Probe, ProbeAnswer } from '../probe.ts';

type Code = 'ok' | 'no-space' | 'no-inodes' | 'low-space' | 'mount-stuck' | 'unknown';

const PATHS = ['/', '/var', '/var/lib/containerd', '/var/lib/kubelet', '/var/log', '/tmp'];
const MIB_BYTES = 1024 * 1024;
/** With less a step of the boot fails: an image layer, a package, a log. */
const NO_SPACE_BYTES = 32 * MIB_BYTES;
const LOW_SPACE_USED_PERCENT = 91;
const NO_INODES = 1_000;
const NO_INODES_SHARE = 0.01;

export const diskSpaceLeft: Probe<Code> = {
  name: 'disk-space-left',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: {
      outcome: 'ok',
      sentence:
        'There is space left; the fullest file system is that of {path} ({used_percent} % used, {free_mib} MiB free).',
    },
    'no-space': {
      outcome: 'fail',
      sentence: 'The file system of {path} is full ({used_percent} % used, {free_mib} MiB free).',
    },
    'no-inodes': { outcome: 'fail', sentence: 'The file system of {path} has no inodes left.' },
    'low-space': {
      outcome: 'fail',
      sentence: 'The file system of {path} is nearly full ({used_percent} % used, {free_mib} MiB free).',
    },
    'mount-stuck': { outcome: 'timeout', sentence: 'The file system of {path} does not answer.' },
    unknown: { outcome: 'skipped', sentence: 'No file system said how much space it has.' },
  },
  async ask({ system, signal }) {
    const asked = await Promise.all(PATHS.map(async (path) => ({ path, space: await system.space(path, signal) })));
    const stuck = asked.filter(({ space }) => space.kind === 'stuck').map(({ path }) => answer('mount-stuck', path));
    const measured = asked.flatMap(({ path, space }) => (space.kind === 'known' ? [{ path, space }] : []));
    const distinct = measured.filter(
      ({ space }, at) => measured.findIndex((other) => other.space.id === space.id) === at,
    );
    const full = distinct.flatMap(({ path, space }) => {
      const code = troubleOf(space);
      return code === null ? [] : [answer(code, path, space)];
    });
    if (stuck.length + full.length > 0) return [...full, ...stuck];
    const fullest = distinct.toSorted((a, b) => b.space.usedPercent - a.space.usedPercent)[0];
    return fullest === undefined ? { code: 'unknown', facts: {} } : answer('ok', fullest.path, fullest.space);
  },
};

type Known = Extract<FileSystemSpace, { kind: 'known' }>;

function troubleOf({ availableBytes, usedPercent, inodes, freeInodes }: Known): Code | null {
  if (availableBytes < NO_SPACE_BYTES) return 'no-space';
  if (inodes > 0 && freeInodes < Math.min(NO_INODES, inodes * NO_INODES_SHARE)) return 'no-inodes';
  return usedPercent >= LOW_SPACE_USED_PERCENT ? 'low-space' : null;
}

function answer(code: Code, path: string, space?: Known): ProbeAnswer<Code> {
  const facts =
    space === undefined
      ? { path }
      : { path, used_percent: space.usedPercent, free_mib: Math.floor(space.availableBytes / MIB_BYTES) };
  return { code, facts };
}

// Asks a file system for its space and inodes, in a child of its own: the call waits for ever on a mount that does not answer.
import type { FileSystemSpace } from '../system.ts';
import { toolOutput } from '../processes/tool-output.ts';

const TIME_LIMIT_MS = 1_000;
/** Id, then in blocks: size, free, free for users; block size; then inodes: all, free. */
const FORMAT = '%i %b %f %a %S %c %d';

/** @throws the signal's reason */
export async function diskSpace(path: string, signal: AbortSignal): Promise<FileSystemSpace> {
  const args = ['--file-system', `--format=${FORMAT}`, '--', path];
  const output = await toolOutput({ name: 'stat', args, timeLimitMs: TIME_LIMIT_MS, signal });
  if (output === null) return { kind: 'unknown' };
  if (output.exitCode === null) return { kind: 'stuck' };
  if (output.exitCode !== 0) return { kind: output.stderr.includes('No such file') ? 'missing' : 'unknown' };
  return parseSpace(output.stdout);
}

export function parseSpace(line: string): FileSystemSpace {
  const [id, ...rest] = line.trim().split(' ');
  const [blocks, freeBlocks, availableBlocks, blockBytes, inodes, freeInodes] = rest.map(Number);
  if (id === undefined || rest.length !== 6 || rest.some((field) => !/^\d+$/.test(field))) return { kind: 'unknown' };
  const used = blocks! - freeBlocks!;
  const seen = used + availableBlocks!;
  return {
    kind: 'known',
    id: `${id}-${blocks}-${inodes}`,
    availableBytes: availableBlocks! * blockBytes!,
    usedPercent: seen === 0 ? 0 : Math.ceil((used / seen) * 100),
    inodes: inodes!,
    freeInodes: freeInodes!,
  };
}

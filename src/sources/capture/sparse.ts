// Reads only the two ends of a huge file that is almost only holes. Node cannot ask the kernel where the holes are.
import type { ByteSource } from '../../host/host.ts';
import type { RawSource } from './candidate.ts';

const HOLLOW_MIN_BYTES = 1024 ** 3;
const HOLLOW_SHARE = 1 / 100;
export const END_BYTES = 64 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');

export function isHollow(file: RawSource): boolean {
  const { sizeBytes = 0, allocatedBytes = sizeBytes, readAt } = file;
  return readAt !== undefined && isAlmostHoles(sizeBytes, allocatedBytes);
}

export function isAlmostHoles(sizeBytes: number, allocatedBytes: number): boolean {
  return sizeBytes > HOLLOW_MIN_BYTES && allocatedBytes < sizeBytes * HOLLOW_SHARE;
}

/** A line break stands between the two ends, so that no line is made of both. */
export function endsOnly(file: RawSource): ByteSource {
  const size = file.sizeBytes!;
  let position = 0;
  return {
    async read(into) {
      if (position === END_BYTES) {
        position = size - END_BYTES;
        return NEWLINE.copy(into);
      }
      const room = position < END_BYTES ? into.subarray(0, END_BYTES - position) : into;
      const bytes = await file.readAt!(room, position);
      position += bytes;
      return bytes;
    },
    close: () => file.close(),
  };
}

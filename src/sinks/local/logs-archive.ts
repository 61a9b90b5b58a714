// Keeps the shipped logs of the latest failed boot on the node too, as one file that is fetched with one command: an archive in the
// state folder, which takes the place of the one before.
import { gzipSync } from 'node:zlib';
import { inFolder, openOwnFolder, placeFile, sweep } from './own-folder.ts';
import type { Places } from './places.ts';

export const LOGS_ARCHIVE = 'logs.tar.gz';
const MEMBER = 'journal.json';
const BLOCK_BYTES = 512;

/** @throws DeliveryError */
export async function writeLogsArchive(text: string, wallMs: number, { state }: Places): Promise<void> {
  const bytes = Buffer.from(text);
  const end = Buffer.alloc((-bytes.length & (BLOCK_BYTES - 1)) + 2 * BLOCK_BYTES);
  const archive = gzipSync(Buffer.concat([header(bytes.length, wallMs), bytes, end]));
  await inFolder(await openOwnFolder(state), async (own) => {
    await sweep(own, await own.list());
    const file = await placeFile(own, LOGS_ARCHIVE, archive);
    await file.sync();
    await file.close();
  });
}

/** Name, mode, owner, group, size, time, sum, kind and form as POSIX.1-1988 has them (ustar). */
function header(bytes: number, wallMs: number): Buffer {
  const octal = (value: number, digits: number): string => `${Math.floor(value).toString(8).padStart(digits, '0')}\0`;
  const fields = [MEMBER.padEnd(100, '\0'), octal(0o600, 7), octal(0, 7), octal(0, 7), octal(bytes, 11)];
  const before = [...fields, octal(Math.max(0, wallMs / 1_000), 11)].join('');
  const after = '0'.padEnd(101, '\0') + 'ustar\x0000';
  const sum = Buffer.from(`${before}        ${after}`).reduce((total, byte) => total + byte, 0);
  return Buffer.concat([Buffer.from(`${before}${octal(sum, 6)} ${after}`), Buffer.alloc(BLOCK_BYTES)], BLOCK_BYTES);
}

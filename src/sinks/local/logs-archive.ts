// Keeps the shipped logs of the latest failed boot on the node too, as one file that is fetched with one command: an archive in the
// state folder, which takes the place of the one before.
import { gzipSync } from 'node:zlib';
import { inFolder, openOwnFolder, placeFile, sweep } from './own-folder.ts';
import type { Places } from './places.ts';

export const LOGS_ARCHIVE = 'logs.tar.gz';

export interface Member {
  /** Without a slash at its start. */
  readonly path: string;
  readonly text: string;
}

const BLOCK_BYTES = 512;
const NAME_MAX_BYTES = 100;
const PREFIX_MAX_BYTES = 155;
const SUM_AT = 148;

/** @throws DeliveryError */
export async function writeLogsArchive(members: readonly Member[], wallMs: number, { state }: Places): Promise<void> {
  const parts = members.flatMap(({ path, text }) => {
    const bytes = Buffer.from(text);
    return [header(path, bytes.length, wallMs), bytes, Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1))];
  });
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]));
  await inFolder(await openOwnFolder(state), async (own) => {
    await sweep(own, await own.list());
    const file = await placeFile(own, LOGS_ARCHIVE, archive);
    await file.sync();
    await file.close();
  });
}

/** As POSIX.1-1988 has it (ustar); of a path that is too long for it the end counts. */
function header(path: string, bytes: number, wallMs: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const cut = path.indexOf('/', Math.max(0, path.length - NAME_MAX_BYTES - 1));
  const isLong = path.length > NAME_MAX_BYTES && cut >= 0;
  block.write(isLong ? path.slice(cut + 1) : path.slice(-NAME_MAX_BYTES), 0, NAME_MAX_BYTES);
  if (isLong) block.write(path.slice(0, cut).slice(-PREFIX_MAX_BYTES), 345, PREFIX_MAX_BYTES);
  const octal = (value: number, at: number, digits: number): void => {
    block.write(Math.floor(value).toString(8).padStart(digits, '0'), at);
  };
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(Math.max(0, wallMs / 1_000), 136, 11);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  block.fill(' ', SUM_AT, SUM_AT + 8);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    SUM_AT,
    6,
  );
  block[SUM_AT + 6] = 0;
  return block;
}

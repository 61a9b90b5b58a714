// Keeps verdicts in files: the last one of the boot as a whole file, and all of them one a line, kept to 4 MiB.
import { constants } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { deliveryErrorOf } from '../codes.ts';
import { inFolder, openOwnFolder, type OwnFolder, ownStats, placeFile, sweep } from './own-folder.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
const FILE_MODE = 0o600;
export const LAST_VERDICT = 'verdict.json';
export const VERDICTS = 'verdicts.jsonl';
export const OLDER_VERDICTS = `${VERDICTS}.1`;
/** Two files of this size at most. */
const VERDICTS_MAX_BYTES = 2 * 1024 * 1024;
const NEWLINE = '\n'.charCodeAt(0);

/** Replaces `verdict.json` in one step. `folder` is made if it is missing. @throws DeliveryError */
export async function writeLastVerdict(folder: string, text: string): Promise<void> {
  await inFolder(await openOwnFolder(folder), async (own) => {
    await sweep(own, await own.list());
    const file = await placeFile(own, LAST_VERDICT, text);
    await synced(file);
  });
}

/** Adds a line (with its newline) to `verdicts.jsonl` and has it on disk. @throws DeliveryError */
export async function appendVerdict(folder: string, line: string): Promise<void> {
  await inFolder(await openOwnFolder(folder), async (own) => {
    const file = await openForLine(own, Buffer.byteLength(line));
    try {
      // What a crash or a full disk cut off must not become the beginning of this line.
      const text = (await endsInLine(file)) ? line : `\n${line}`;
      await writeAll(file, Buffer.from(text));
    } catch (error) {
      await file.close();
      throw error;
    }
    await synced(file);
  });
}

async function openForLine(own: OwnFolder, lineBytes: number): Promise<FileHandle> {
  const file = await openVerdicts(own);
  try {
    const { size, ino } = await ownStats(file, `${own.path}/${VERDICTS}`);
    if (size === 0 || size + lineBytes <= VERDICTS_MAX_BYTES) return file;
    // Another process may have done it meanwhile.
    if ((await stat(own.at(VERDICTS)).catch(() => null))?.ino === ino)
      await rename(own.at(VERDICTS), own.at(OLDER_VERDICTS));
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return openVerdicts(own);
}

async function openVerdicts(own: OwnFolder): Promise<FileHandle> {
  const flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
  const path = own.at(VERDICTS);
  try {
    return await open(path, flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return open(path, flags | O_CREAT | O_EXCL, FILE_MODE);
    });
  } catch (error) {
    // Two processes that both found nothing there.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return open(path, flags);
    throw deliveryErrorOf(error, `${own.path}/${VERDICTS}`);
  }
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

async function synced(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

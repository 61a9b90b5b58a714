// Reads the boot id of a running kernel: that of this machine, or the one that a root prefix shows in its own /proc.
import { openFile } from './files/open-file.ts';
import { resolveBelow } from './files/resolve-below.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** 32 hex digits as journald writes them; null where there is none (macOS, a root that is only mounted). */
export async function readBootId(root: string): Promise<string | null> {
  try {
    // Resolved inside the root: a link `proc -> /proc` of a dead root must not show this machine's own id.
    const file = await openFile(root + (await resolveBelow(root, BOOT_ID)));
    const into = Buffer.alloc(64);
    const bytes = await file.readAt(into, 0);
    await file.close();
    const id = into.toString('latin1', 0, bytes).trim().replaceAll('-', '');
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

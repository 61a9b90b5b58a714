// Reads the kernel's list of mounts. Touches none of them.
import { readFile } from 'node:fs/promises';

export interface Mount {
  /** Where it is mounted. */
  readonly point: string;
  /** `ext4`, `nfs4`, `fuse.s3fs` … */
  readonly type: string;
}

const TABLE = '/proc/self/mountinfo';
const BEFORE_TYPE = ' - ';

/** Empty where there is no such list (macOS). Reading it never waits for a mount. */
export async function readMounts(): Promise<readonly Mount[]> {
  try {
    return parseMounts(await readFile(TABLE, 'latin1'));
  } catch {
    return [];
  }
}

/** The format of proc_pid_mountinfo(5): the point is the fifth field, the type the first after a lone dash. */
export function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const dash = line.indexOf(BEFORE_TYPE);
    const point = line.split(' ', 5)[4];
    const type = line.slice(dash + BEFORE_TYPE.length).split(' ', 1)[0];
    return dash < 0 || point === undefined || type === undefined || type === ''
      ? []
      : [{ point: unescaped(point), type }];
  });
}

/** Space, tab, newline and backslash stand as three octal digits; other bytes as they are. */
function unescaped(field: string): string {
  const bytes = field.replaceAll(/\\(?<octal>[0-7]{3})/g, (_all, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

// Signs a file with minisign, whose public key people check it with; the signature's trusted comment says what it belongs to.

import { run } from '../run.ts';

/** Writes `file`.minisig. `key`: a secret key without a password (`minisign -G -W`). */
export async function sign(file: string, key: string, comment: string): Promise<void> {
  await run('minisign', ['-S', '-s', key, '-t', comment, '-m', file], '/');
}

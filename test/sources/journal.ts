// A small real journal for the tests: two boots, three entries, the last with a message that is no valid UTF-8. Written by
// systemd-journal-remote 252 (compact, zstd, keyed hash).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findCommand } from '../../src/host/processes/run-child.ts';

export const FIRST_BOOT = '1'.repeat(32);
export const SECOND_BOOT = '2'.repeat(32);
export const PACKED_JOURNAL = readFileSync(join(import.meta.dirname, 'fixtures/system.journal.gz'));
export const JOURNAL = gunzipSync(PACKED_JOURNAL);

/** The journal with a feature set that no systemd knows. */
export function journalOfTheFuture(): Buffer {
  const journal = Buffer.from(JOURNAL);
  journal.writeUInt32LE(journal.readUInt32LE(12) | 0x20, 12);
  return journal;
}

/** For node:test's `skip`: why the tests with a real journalctl cannot run here, or false. */
export const NO_JOURNALCTL = findCommand('journalctl') === null ? 'there is no journalctl on this machine' : false;

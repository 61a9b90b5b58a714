// The closed list of reasons why something was not read, or not to its end: one sentence each, what is wrong and what to do.
import type { RefusalCode } from '../host/host.ts';
import type { NotChecked } from '../types.ts';

const CODES = {
  // The path itself
  missing: 'There is nothing at this path; check its spelling.',
  unreadable: 'This user may not read it; run as root or copy it to where you can read it.',
  empty: 'It holds no bytes.',
  'no-logs':
    'The folder holds no file that could be a log; name the folder that holds `var/log` or an unpacked bundle.',
  directory: 'A folder stands where a file should be.',
  fifo: 'It is a named pipe and was not opened; pipe its output in and give `-` as the path.',
  device: 'It is a device and was not opened; copy what it shows into a file.',
  socket: 'It is a socket and was not opened; give the log file itself.',
  symlink:
    'Symbolic links inside folders and bundles are not followed; name the target itself if it belongs to the capture.',
  'symlink-outside': 'The link ends outside the log folders of the node, so it was not opened.',
  'symlink-loop': 'The links of this path lead in a circle.',
  'read-failed': 'Reading failed; what came before the failure was used.',
  'mount-stuck':
    'The mount that it lies on does not answer, so it was not touched; restart or unmount what stands behind that mount.',
  'line-cut': 'A line was longer than 1 MiB; the rest of it was dropped.',
  pseudo:
    'It is no file on a disk but made by the kernel as it is read (`/proc`, `/sys`, `/dev`), so it was not read; save its text to a file first.',
  'watch-limit':
    'The system gives out no more file watches, so changes are looked for every second; raise `fs.inotify.max_user_watches`.',
  'follow-limit': 'More than 64 log files are followed at once; those that appeared last were left out.',
  // Folders
  'walk-depth': 'Folders more than 12 levels deep were not looked into; name the inner folder itself.',
  'walk-entries':
    'The folder has more than 20,000 entries and the rest were not looked at; name the folder of the logs itself.',
  'folder-limit': 'More than 256 folders of logs are watched; new files in the others are found a few seconds later.',
  // Contents
  binary: 'It is not text and no known log; it was skipped.',
  sparse: 'The file is almost only holes; its first and last 64 MiB were read.',
  'compressed-unsupported':
    'This form of compression cannot be read here; unpack it first (`xz -d`, `bzip2 -d`, `zstd -d`, `unzip`).',
  truncated: 'The compressed data or archive ends too early; what came out was used.',
  damaged: 'The compressed data is damaged; what came out before the damage was used.',
  followed:
    'Behind its end stands more, such as a second archive or a second compressed part, and was not read; take the parts apart.',
  // Archives
  'archive-damaged': 'The archive is damaged; the members before the damage were used.',
  'member-outside': 'Members with an absolute name or `..` in it were skipped.',
  'member-link': 'Links in an archive are not followed.',
  'member-special': 'Members that are no regular files, or whose names are too long, were skipped.',
  'nested-too-deep': 'An archive in an archive in an archive was not unpacked; unpack it and give its folder.',
  'unpack-limit':
    'Unpacking ended at its limit (4 GiB, 40 times the packed size but at least 1 GiB, or half of what is free for temporary files); unpack it yourself and give the files that matter.',
  'member-limit': 'Unpacking ended at the limit of 10,000 members; unpack it yourself and give the files that matter.',
  'temporary-folder': 'The private temporary folder could not be written; free space there or set TMPDIR.',
  // Journals
  'journal-unreadable':
    "This machine's journalctl cannot read the journal; use a newer systemd, or export it on the node with `journalctl -o export`.",
  'journal-incomplete': 'journalctl reported a problem while reading; what it gave was used.',
  'journal-empty': 'The journal holds no entries.',
  'journal-time-limit': 'journalctl did not finish within its time limit; what it gave was used.',
  'journal-gap':
    'Entries are missing in the journal: they were removed before they could be read, or their file is damaged.',
  'journal-start-missing': 'The journal does not go back to the start of this boot; its older files were removed.',
  'journal-suppressed':
    'Messages were dropped by journald because they came faster than its rate limit; see RateLimitBurst= in its configuration.',
  'journal-middle-skipped':
    'The journal of this boot is long; its beginning and its newest entries were read, but not all between them.',
  'journal-newest-only': 'Only its newest entries were read.',
  'journal-fields-cut': 'Fields longer than 44 KiB were cut.',
  'journal-ended': 'journalctl ended while it was followed and was started again where it was.',
  'journal-blind':
    'What the journal got since then could not be read and is not part of this answer; look at it with `journalctl -b`.',
  'journald-stopped':
    'The journal daemon does not run, so nobody knows what was logged since then; see `systemctl status systemd-journald`.',
  'journal-missing': 'No journal was found; the syslog files are read instead, where there are any.',
  'command-missing':
    'The program is not installed here; export the journal on the node with `journalctl -o export` and give that file.',
} satisfies Record<RefusalCode, string> & Record<string, string>;

export type SourceCode = keyof typeof CODES;

export const SOURCE_CODES: Readonly<Record<string, string>> = CODES;

/** A note whose code is in the list. */
export interface SourceNote extends NotChecked {
  readonly code: SourceCode;
}

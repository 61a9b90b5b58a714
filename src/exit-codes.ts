// The exit codes, each with the sentence that help and README show. A verdict's status decides between the first four.
import type { Status } from './types.ts';

export const EXIT_BAD_USAGE = 2;
export const EXIT_NOTHING_READ = 3;
/** A bug of the tool itself (EX_SOFTWARE). */
export const EXIT_BUG = 70;

const STATUS_EXIT_CODES = {
  ready: 0,
  failed: 10,
  stalled: 11,
  unknown: 11,
  bootstrapping: 12,
} satisfies Record<Status, number>;

/** As a shell words a process that a signal has ended: 128 and the signal's number. */
export const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'the node is Ready, the image has no fault, or a command that gives no verdict did its work' },
  { code: 10, meaning: 'the boot failed; the image has a fault' },
  { code: 11, meaning: 'the boot is stuck, or no known cause was found' },
  { code: 12, meaning: 'the boot still makes progress' },
  {
    code: EXIT_BAD_USAGE,
    meaning: 'bad usage, a pattern file with a fault, or standard output that cannot be written',
  },
  { code: EXIT_NOTHING_READ, meaning: 'nothing could be read' },
  { code: EXIT_BUG, meaning: 'a bug in this tool' },
  { code: SIGNAL_EXIT_CODES.SIGINT, meaning: 'interrupted (Ctrl-C)' },
  { code: SIGNAL_EXIT_CODES.SIGTERM, meaning: 'asked to end (SIGTERM)' },
];

/** True for the code of a run that has said a verdict. */
export function isVerdict(code: number): boolean {
  return Object.values<number>(STATUS_EXIT_CODES).includes(code);
}

export function exitCodeOf(status: Status): number {
  return STATUS_EXIT_CODES[status];
}

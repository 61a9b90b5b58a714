// The closed list of what can go wrong while a verdict is delivered: one sentence each, what is wrong and what to do.
import type { NotChecked } from '../types.ts';

const CODES = {
  // Own folders and files
  'folder-symlink': 'The folder is a symbolic link and was not used; remove the link.',
  'folder-foreign': 'The folder belongs to another user and was not used; remove it.',
  'folder-writable': 'Others may write into the folder, so it was not used; remove it or set its mode to 0700.',
  'no-folder': 'Something that is no folder stands where the folder should be; remove it.',
  'file-foreign': 'What stands there is no regular file of this user and was not used; remove it.',
  'place-missing': 'The folder above it does not exist.',
  'not-permitted': 'This user may not write there; run as root.',
  'read-only': 'The file system is mounted read-only.',
  'disk-full': 'The disk is full.',
  'write-failed': 'Writing failed.',
  'write-slow': 'The disk did not take it within the time limit.',
  // Log service
  unreachable: 'CloudWatch Logs could not be reached; what is in the spool is delivered by the next run.',
  refused: 'CloudWatch Logs refused the verdict; what is in the spool is delivered once the reason is gone.',
  'client-failed': 'The client of CloudWatch Logs could not be started.',
  'events-refused': 'Older verdicts that CloudWatch Logs never takes were removed from the spool.',
  'logs-not-shipped': 'CloudWatch Logs did not take the logs; if they could be kept on the node, logs.tar.gz has them.',
  // Spool
  'spool-full': 'The spool of 16 MiB is full of final verdicts; this one was not kept for later delivery.',
  'spool-dropped': 'The spool was full and older interim verdicts were dropped from it.',
  'spool-damaged': 'Damaged files were removed from the spool.',
  'spool-other-instance': 'Verdicts of another instance, left in the image, were removed from the spool.',
  // Console
  'console-missing': 'There is no console device.',
  'console-failed': 'The console did not take the line.',
} satisfies Record<string, string>;

export type DeliveryCode = keyof typeof CODES;

export const DELIVERY_CODES: Readonly<Record<string, string>> = CODES;

/** A note whose code is in the list. */
export interface DeliveryNote extends NotChecked {
  readonly code: DeliveryCode;
}

/** A refusal with its code; `detail` is a path, a system error code or a count. */
export class DeliveryError extends Error {
  readonly code: DeliveryCode;
  readonly detail: string;

  constructor(code: DeliveryCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = 'DeliveryError';
    this.code = code;
    this.detail = detail;
  }
}

const OF_SYSTEM: Readonly<Record<string, DeliveryCode>> = {
  ENOENT: 'place-missing',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  ELOOP: 'file-foreign',
  ENXIO: 'file-foreign',
};

/** `place` is what the message names: the kernel's own path would say nothing to anybody. */
export function deliveryErrorOf(error: unknown, place: string): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const errno = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const code = OF_SYSTEM[errno] ?? 'write-failed';
  return new DeliveryError(code, code === 'write-failed' ? `${place} (${errno})` : place, { cause: error });
}

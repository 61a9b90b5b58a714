// Counts the messages that journald itself says it dropped: by its rate limit, unit by unit, and of the kernel's.
import type { Framed } from './journal-framer.ts';

const WORDS = ['MESSAGE=Suppressed ', 'MESSAGE=Missed '].map((text) => Buffer.from(`\n${text}`));
/** "from" names a unit, or its control group before systemd 230. */
const NOTICE =
  /^(?:Suppressed (?<suppressed>\d{1,12}) messages from (?<unit>\S{1,256})|Missed (?<missed>\d{1,12}) kernel messages)$/;
/** Only journald's own messages have this; no client can set it. */
const OWN_MESSAGE = '\n_TRANSPORT=driver\n';
const UNITS_MAX = 64;
const KERNEL = 'kernel';
const REST = 'other units';

export class SuppressedMessages {
  readonly #counts = new Map<string, number>();

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** True if there was a notice. */
  add({ bytes, starts }: Framed): boolean {
    let found = false;
    for (const words of WORDS)
      for (let at = bytes.indexOf(words); at >= 0; at = bytes.indexOf(words, at + words.length))
        found = this.#notice(entryAt(bytes, starts, at)) || found;
    return found;
  }

  #notice(entry: string): boolean {
    // A binary field may hold anything; journald's own messages have none.
    if (!entry.includes(OWN_MESSAGE) || entry.includes('\0')) return false;
    const message = /\nMESSAGE=(?<message>[^\n]*)/.exec(entry)?.groups?.['message'] ?? '';
    const groups = NOTICE.exec(message)?.groups;
    if (groups === undefined) return false;
    const name = groups['unit'] === undefined ? KERNEL : groups['unit'].slice(groups['unit'].lastIndexOf('/') + 1);
    const unit = this.#counts.has(name) || this.#counts.size < UNITS_MAX ? name : REST;
    this.#counts.set(unit, (this.#counts.get(unit) ?? 0) + Number(groups['suppressed'] ?? groups['missed']));
    return true;
  }
}

function entryAt(bytes: Buffer, starts: readonly number[], at: number): string {
  const index = starts.findLastIndex((start) => start <= at);
  return bytes.toString('latin1', starts[index] ?? 0, starts[index + 1] ?? bytes.length);
}

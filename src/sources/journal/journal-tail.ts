// Reads from the header of the file that journald writes to which entry is its newest: a look of microseconds, where journalctl
// takes a process. The layout is systemd's journal-def.h, unchanged since version 189.
import { type Host, HostError, type OpenFile } from '../../host/host.ts';

/** journald names its own file so; those that it is done with get longer names. */
const ACTIVE_FILES = ['/var/log/journal/*/system.journal', '/run/log/journal/*/system.journal'];
const FOLDERS = ['/var/log', '/run/log'];
const STATE_AT = 16;
const STATE_ARCHIVED = 2;
const SEQUENCE_AT = 72;
const NUMBER_AT = 160;
const READ_BYTES = NUMBER_AT + 8;
const MAGIC = 'LPKSHHRH';

/** As in a cursor. */
export interface Tail {
  readonly sequence: string;
  readonly number: number;
}

export class JournalTail {
  readonly #host: Host;
  readonly #into = Buffer.alloc(READ_BYTES);
  #file: OpenFile | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Null where there is no such file, or it cannot be read. Never throws a HostError. */
  async read(): Promise<Tail | null> {
    try {
      this.#file ??= await this.#find();
      const tail = this.#file === null ? null : await this.#tailOf(this.#file);
      if (tail === null) await this.close();
      return tail;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      await this.close();
      return null;
    }
  }

  /** The next `read` looks for the file again. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #find(): Promise<OpenFile | null> {
    for (const glob of ACTIVE_FILES) {
      const [path] = await this.#host.expandGlob(glob);
      if (path !== undefined) return this.#host.openBelowRoot(path, FOLDERS);
    }
    return null;
  }

  async #tailOf(file: OpenFile): Promise<Tail | null> {
    const head = this.#into;
    const bytes = await file.readAt(head, 0);
    if (bytes < READ_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC || head[STATE_AT] === STATE_ARCHIVED)
      return null;
    return {
      sequence: head.toString('hex', SEQUENCE_AT, SEQUENCE_AT + 16),
      number: Number(head.readBigUInt64LE(NUMBER_AT)),
    };
  }
}

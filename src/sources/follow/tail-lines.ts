// Gathers the lines of a tail into chunks. Reads nothing itself.
import type { FollowedFile, LineTail } from '../../host/host.ts';

/** With more lines that nobody fetched it stops: the rest is better read later than kept. */
const WAITING_MAX_BYTES = 1024 * 1024;

export class TailFeed {
  readonly #tail: LineTail;
  readonly #lines: string[] = [];
  #waitingBytes = 0;
  /** True once the tail gave up: what it has not handed out must be read. */
  isOver = false;

  /** `onNews`: lines came, or the tail gave up. @throws HostError `watch-limit` */
  constructor(file: FollowedFile, onNews: () => void) {
    this.#tail = file.tail(
      (line) => {
        this.#waitingBytes += line.length + 1;
        if (this.#waitingBytes > WAITING_MAX_BYTES) this.stop();
        if (this.#lines.push(line) === 1) onNews();
      },
      () => {
        this.isOver = true;
        onNews();
      },
    );
  }

  get startBytes(): number {
    return this.#tail.startBytes;
  }

  /** True while lines are on their way or waiting. */
  get isBusy(): boolean {
    return this.#tail.isReading || this.#lines.length > 0;
  }

  /** The bytes of all lines that came since the last call; null if none did. */
  take(): Buffer | null {
    const lines = this.#lines.splice(0);
    this.#waitingBytes = 0;
    return lines.length === 0 ? null : Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  }

  look(): void {
    this.#tail.look();
  }

  stop(): void {
    this.isOver = true;
    this.#tail.stop();
  }
}

// Reads a tar archive (ustar, GNU, pax) member by member out of a source that is pulled, as all other inputs are: a limit or an
// abort stops it between two blocks, and what nobody asks for is passed over and not held. (tar-stream, which makes the archives
// of the tests, gives the bytes of a cut archive just as well; it pushes, one stream a member.) Touches no file and trusts no name.
import type { ByteSource } from '../../host/host.ts';
import { instantMs } from '../../lib/instant.ts';
import { numberField, paxRecords, sumIsRight, textField } from './tar-fields.ts';

export type TarKind = 'file' | 'directory' | 'link' | 'special';

export interface TarMember {
  readonly name: string;
  readonly kind: TarKind;
  readonly sizeBytes: number;
  /** Null where the field holds no moment. */
  readonly mtimeMs: number | null;
}

export class TarError extends Error {
  readonly code: 'truncated' | 'archive-damaged';

  constructor(code: TarError['code']) {
    super(code);
    this.name = 'TarError';
    this.code = code;
  }
}

const BLOCK_BYTES = 512;
const BUFFER_BYTES = 256 * 1024;
const FILLING_MAX_BYTES = 1024 * 1024;
/** Long names and pax records are held in memory. */
const EXTRA_MAX_BYTES = 1024 * 1024;
const KINDS: Readonly<Record<string, TarKind>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '5': 'directory',
  '1': 'link',
  '2': 'link',
};

export class TarReader {
  readonly #source: ByteSource;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #start = 0;
  #end = 0;
  /** Bytes of the current member that are still to come, and what fills its last block. */
  #left = 0;
  #padding = 0;
  #globals: Readonly<Record<string, string>> = {};

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The next member, null at the end. What was not read of the one before is passed over. @throws TarError */
  async next(): Promise<TarMember | null> {
    let longName: string | null = null;
    let records: Readonly<Record<string, string>> = {};
    for (;;) {
      await this.#skip(this.#left + this.#padding);
      const header = await this.#header();
      if (header === null) return null;
      const type = String.fromCharCode(header[156]!);
      this.#expect(numberField(header, 124, 12));
      if (type === 'L') longName = textField(await this.#extra());
      else if (type === 'x') records = paxRecords(await this.#extra());
      else if (type === 'g') this.#globals = { ...this.#globals, ...paxRecords(await this.#extra()) };
      else if (type !== 'K') return this.#member(header, type, longName, { ...this.#globals, ...records });
    }
  }

  /** After the end: is there more than the zeros that fill the last record? Looks no further than tar ever fills. */
  async isFollowed(): Promise<boolean> {
    for (let looked = 0; looked < FILLING_MAX_BYTES && (await this.#fill()); looked += BUFFER_BYTES) {
      if (this.#buffer.subarray(this.#start, this.#end).some((byte) => byte !== 0)) return true;
      this.#start = this.#end;
    }
    return false;
  }

  /** Bytes of the current member, 0 at its end. @throws TarError `truncated` */
  async read(into: Buffer): Promise<number> {
    if (this.#left === 0) return 0;
    if (!(await this.#fill())) throw new TarError('truncated');
    const bytes = this.#buffer.copy(into, 0, this.#start, Math.min(this.#end, this.#start + this.#left));
    this.#start += bytes;
    this.#left -= bytes;
    return bytes;
  }

  #member(header: Buffer, type: string, longName: string | null, records: Readonly<Record<string, string>>): TarMember {
    if (records['size'] !== undefined) this.#expect(Number(records['size']));
    const kind = KINDS[type] ?? 'special';
    if (kind === 'directory' || kind === 'link') this.#expect(0);
    const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
    const prefix = isUstar ? textField(header.subarray(345, 500)) : '';
    const short = textField(header.subarray(0, 100));
    return {
      name: records['path'] ?? longName ?? (prefix === '' ? short : `${prefix}/${short}`),
      kind,
      sizeBytes: this.#left,
      mtimeMs: instantMs(Number(records['mtime'] ?? numberField(header, 136, 12)) * 1000),
    };
  }

  #expect(bytes: number): void {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TarError('archive-damaged');
    this.#left = bytes;
    this.#padding = (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
  }

  /** Null at the end: two empty blocks, or no more bytes where a member would begin. */
  async #header(): Promise<Buffer | null> {
    for (let empty = 0; empty < 2; empty++) {
      if (!(await this.#fill())) return null;
      this.#expect(BLOCK_BYTES);
      const block = await this.#whole();
      if (block.some((byte) => byte !== 0)) {
        if (!sumIsRight(block)) throw new TarError('archive-damaged');
        return block;
      }
    }
    return null;
  }

  async #extra(): Promise<Buffer> {
    if (this.#left > EXTRA_MAX_BYTES) throw new TarError('archive-damaged');
    return this.#whole();
  }

  async #whole(): Promise<Buffer> {
    const whole = Buffer.alloc(this.#left);
    for (let at = 0; at < whole.length;) at += await this.read(whole.subarray(at));
    return whole;
  }

  async #skip(bytes: number): Promise<void> {
    this.#left = 0;
    this.#padding = 0;
    for (let left = bytes; left > 0;) {
      if (!(await this.#fill())) throw new TarError('truncated');
      const passed = Math.min(left, this.#end - this.#start);
      this.#start += passed;
      left -= passed;
    }
  }

  async #fill(): Promise<boolean> {
    if (this.#start < this.#end) return true;
    this.#start = 0;
    this.#end = await this.#source.read(this.#buffer);
    return this.#end > 0;
  }
}

// Counts the entries of a journal in export form as its bytes pass by, in pieces of any size.

const HEAD = Buffer.from('\n__CURSOR=');

export class EntryCounter {
  /** As if a line had ended before the first byte. */
  #rest: Buffer = Buffer.from('\n');
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(piece: Buffer): void {
    this.#search(Buffer.concat([this.#rest, piece.subarray(0, HEAD.length - 1)]));
    this.#search(piece);
    this.#rest = Buffer.from(Buffer.concat([this.#rest, piece.subarray(-HEAD.length)]).subarray(-(HEAD.length - 1)));
  }

  #search(bytes: Buffer): void {
    for (let at = bytes.indexOf(HEAD); at >= 0; at = bytes.indexOf(HEAD, at + HEAD.length)) this.#count++;
  }
}

// Reads until a buffer is full or nothing more comes, since one reading may give less than there is.

/** `read` gets the part that is still empty and where it starts; 0 from it is the end. Returns how many bytes are there. */
export async function fill(into: Buffer, read: (rest: Buffer, at: number) => Promise<number>): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const bytes = await read(into.subarray(filled), filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return filled;
}

// Writes tar headers field by field with values that no tar would write, their sums right so that they are believed.

/** Offset and length of each field of a header block. */
export const HEADER_FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  type: [156, 1],
  linkname: [157, 100],
  magic: [257, 6],
  version: [263, 2],
  uname: [265, 32],
  gname: [297, 32],
  devmajor: [329, 8],
  devminor: [337, 8],
  prefix: [345, 155],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

export type HeaderField = keyof typeof HEADER_FIELDS;

const SUM = [148, 8] as const;
const BLOCK_BYTES = 512;

/** One member; `fields` replace what a sound header has. */
export function tarMember(
  name: string,
  content: Buffer,
  fields: Partial<Readonly<Record<HeaderField, Buffer>>> = {},
): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const sound = {
    name: Buffer.from(name),
    mode: octal(0o644, 8),
    uid: octal(0, 8),
    gid: octal(0, 8),
    size: octal(content.length, 12),
    mtime: octal(1_760_000_000, 12),
    type: Buffer.from('0'),
    magic: Buffer.from('ustar\0'),
    version: Buffer.from('00'),
  };
  for (const [field, value] of Object.entries({ ...sound, ...fields })) {
    const [at, bytes] = HEADER_FIELDS[field as HeaderField];
    header.fill(0, at, at + bytes);
    value.copy(header, at, 0, bytes);
  }
  header.fill(0x20, SUM[0], SUM[0] + SUM[1]);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    7,
  ).copy(header, SUM[0]);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)]);
}

/** A pax header for the member that follows. */
export function paxHeader(records: Readonly<Record<string, string>>, type: 'x' | 'g' = 'x'): Buffer {
  const content = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest + 1;
    while (String(length).length + rest !== length) length = String(length).length + rest;
    return `${length} ${key}=${value}\n`;
  });
  return tarMember('pax', Buffer.from(content.join('')), { type: Buffer.from(type) });
}

export function ended(...members: readonly Buffer[]): Buffer {
  return Buffer.concat([...members, Buffer.alloc(2 * BLOCK_BYTES)]);
}

function octal(value: number, bytes: number): Buffer {
  return Buffer.from(`${value.toString(8).padStart(bytes - 1, '0')}\0`);
}

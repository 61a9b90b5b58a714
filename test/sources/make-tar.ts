// Makes tar archives for the tests with a library of its own, hostile ones included.
import { type Header, pack } from 'tar-stream';

export type TarEntry = readonly [header: (Partial<Header> & Pick<Header, 'name'>) | string, content?: string | Buffer];

export async function makeTar(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content = ''] of entries)
    tar.entry(typeof header === 'string' ? { name: header } : header, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

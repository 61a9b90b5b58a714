// Pulls whole entries out of a running journalctl. Says nothing about how journalctl ended.
import type { Child } from '../../host/host.ts';
import { type Framed, JournalFramer } from './journal-framer.ts';

const READ_BYTES = 256 * 1024;

/** The child is closed at the end, whoever ends it; also where its output is no journal. @throws HostError */
export async function* journalEntries(child: Child): AsyncGenerator<Framed, void> {
  const framer = new JournalFramer();
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    while (!framer.isLost) {
      const bytes = await child.read(buffer);
      if (bytes === 0) return;
      const entries = framer.push(buffer.subarray(0, bytes));
      if (entries.starts.length > 0) yield entries;
    }
  } finally {
    await child.close();
  }
}

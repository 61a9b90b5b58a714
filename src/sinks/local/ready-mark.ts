// Remembers whether the instance had been Ready in an earlier boot: then the next one is no bootstrap. The file is ours, yet nothing is
// taken from it that does not look as this tool writes it.
import { parseObject } from '../../lib/parse-json.ts';
import { inFolder, openExistingFolder, openOwnFolder, placeFile, readOwnFile } from './own-folder.ts';
import { type Places, PLACES } from './places.ts';

const READY_MARK = 'ready.json';
const READY_MARK_MAX_BYTES = 1_024;

interface ReadyMark {
  readonly instanceId: string;
  /** The first boot in which it was Ready. */
  readonly bootId: string;
}

/** Remembers across boots that the node was Ready. The first boot stays: it is the one that counts. @throws DeliveryError */
export async function markReady(mark: ReadyMark, places: Places = PLACES): Promise<void> {
  await inFolder(await openOwnFolder(places.state), async (own) => {
    const known = markIn((await readOwnFile(own, READY_MARK, READY_MARK_MAX_BYTES))?.text ?? '');
    if (known?.instanceId === mark.instanceId) return;
    const file = await placeFile(own, READY_MARK, `${JSON.stringify(mark)}\n`);
    await file.close();
  });
}

/** True if this instance was Ready in a boot before this one: then what is seen now is no bootstrap. Never rejects. */
export async function wasReadyBefore({ instanceId, bootId }: ReadyMark, places: Places = PLACES): Promise<boolean> {
  try {
    const read = await inFolder(await openExistingFolder(places.state), (own) =>
      readOwnFile(own, READY_MARK, READY_MARK_MAX_BYTES),
    );
    const known = markIn(read?.text ?? '');
    return known !== null && known.instanceId === instanceId && known.bootId !== bootId;
  } catch {
    return false;
  }
}

function markIn(text: string): ReadyMark | null {
  const { instanceId, bootId } = parseObject(text) ?? {};
  return typeof instanceId === 'string' && typeof bootId === 'string' ? { instanceId, bootId } : null;
}

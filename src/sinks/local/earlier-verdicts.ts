// Reads what earlier runs left behind: the verdicts of this boot, and whether the instance had been Ready in an earlier one.
// The files are ours, yet nothing is taken from them that does not look as this tool writes it.
import { type DeliveryNote, deliveryErrorOf } from '../codes.ts';
import { inFolder, openExistingFolder, openOwnFolder, placeFile, readOwnFile } from './own-folder.ts';
import { type Places, PLACES } from './places.ts';
import { LAST_VERDICT, OLDER_VERDICTS, VERDICTS } from './verdict-files.ts';

/** What was said in this boot. */
export interface LastVerdict {
  readonly id: string;
  /** The highest that was used. */
  readonly sequence: number;
  /** True if any of them was final. */
  readonly final: boolean;
  readonly status: string;
  readonly causeId: string | null;
}

export interface EarlierVerdicts {
  /** Null if nothing was said yet. */
  readonly last: LastVerdict | null;
  readonly notes: readonly DeliveryNote[];
}

const FILE_MAX_BYTES = 1024 * 1024;
const TAIL_BYTES = 256 * 1024;
const SEQUENCE_MAX = 1_000_000;
const READY_MARK = 'ready.json';
const READY_MARK_MAX_BYTES = 1_024;

/** `bootId`: 32 hex digits, null where the system has none; then nothing is known. Never rejects. */
export async function readLastVerdict(bootId: string | null, places: Places = PLACES): Promise<EarlierVerdicts> {
  const notes: DeliveryNote[] = [];
  const files = [
    { folder: places.log, name: OLDER_VERDICTS, isLines: true },
    { folder: places.log, name: VERDICTS, isLines: true },
    { folder: places.run, name: LAST_VERDICT, isLines: false },
  ];
  const found: LastVerdict[] = [];
  for (const { folder, name, isLines } of bootId === null ? [] : files) {
    const read = await textOf(folder, name, isLines ? TAIL_BYTES : FILE_MAX_BYTES, notes);
    if (read === null) continue;
    const pieces = isLines ? linesOf(read) : read.whole ? [read.text] : [];
    const said = pieces.map(verdictIn);
    if (said.includes(null) || (!isLines && !read.whole))
      notes.push({ what: `${folder}/${name}`, code: 'state-invalid', detail: '' });
    found.push(...said.filter((verdict) => verdict?.bootId === bootId).map((verdict) => verdict!));
  }
  if (found.length === 0) return { last: null, notes };
  const newest = found.reduce((a, b) => (b.sequence >= a.sequence ? b : a));
  const { id, sequence, status, causeId } = newest;
  return { last: { id, sequence, status, causeId, final: found.some((verdict) => verdict.final) }, notes };
}

/** How a line of ours begins. */
const BEGINNING = '{"schemaVersion":1,';

/** Lines that are whole: the limit may have cut the first one off, and a crash any other. */
function linesOf({ text, whole }: { readonly text: string; readonly whole: boolean }): string[] {
  const lines = text.split('\n').slice(whole ? 0 : 1, -1);
  return lines.filter((line) => line !== '' && !(line.startsWith(BEGINNING) && !line.endsWith('}')));
}

async function textOf(
  folder: string,
  name: string,
  limitBytes: number,
  notes: DeliveryNote[],
): Promise<{ readonly text: string; readonly whole: boolean } | null> {
  try {
    return await inFolder(await openExistingFolder(folder), (own) => readOwnFile(own, name, limitBytes));
  } catch (error) {
    const { code, detail } = deliveryErrorOf(error, folder);
    if (code !== 'place-missing') notes.push({ what: `${folder}/${name}`, code, detail });
    return null;
  }
}

/** Null if it is no verdict. */
function verdictIn(text: string): (LastVerdict & { readonly bootId: unknown }) | null {
  const value = parse(text);
  const cause = value?.['cause'];
  const causeId = cause === null ? null : (Object(cause) as { readonly id?: unknown }).id;
  if (value === null || (causeId !== null && typeof causeId !== 'string')) return null;
  const { id, sequence, final, status, bootId } = value;
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) return null;
  if (typeof sequence !== 'number' || !Number.isInteger(sequence) || sequence < 0 || sequence > SEQUENCE_MAX)
    return null;
  if (typeof final !== 'boolean' || typeof status !== 'string') return null;
  return { id, sequence, final, status, causeId, bootId };
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

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
  const value = parse(text);
  const { instanceId, bootId } = value ?? {};
  return typeof instanceId === 'string' && typeof bootId === 'string' ? { instanceId, bootId } : null;
}

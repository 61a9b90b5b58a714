// Says of each record whose words it holds and how surely that is known: the one place where a provenance arises.
import { FOREIGN_STREAM } from '../lib/foreign-stream.ts';
import type { Provenance } from '../types.ts';
import type { LineState } from './line-state.ts';

export const UNKNOWN_STREAM = 'unknown';

export interface Place {
  readonly stream: string;
  readonly provenance: Provenance;
}

/** What streams.yaml knows; each answers with a stream, or null. */
export interface StreamNames {
  ofUnit(unit: string): string | null;
  ofIdentifier(identifier: string): string | null;
  ofContent(text: string): string | null;
  /** Whatever a script prints lands in this stream. */
  isOpen(stream: string): boolean;
  /** A file of this stream is what journalctl was asked for (`-u kubelet`): the node itself keeps no such file. */
  isDump(stream: string): boolean;
}

/** Units of people and of containers: whoever runs there may call itself what it likes. */
const UNTRUSTED_UNIT = /^(?:user@.*\.service|(?!init\.).*\.(?:scope|slice))$/;
/** Programs here were put there by root. */
const INSTALLED = /^\/(?:usr|opt|bin|sbin)\/(?:[\w.@+-]+\/)*(?<name>[\w.@+-]+)$/;
/** Below it user ids are those of the system. */
const FIRST_USER_ID = 1000;

/** `text` is the line without its outer log formats; `file` the stream that the input's name gave, null if it is mixed or tells nothing. */
export function placeOf(line: LineState, text: string, file: string | null, names: StreamNames): Place {
  if (file === FOREIGN_STREAM) return { stream: FOREIGN_STREAM, provenance: 'foreign' };
  // In a file that the node itself keeps an entry of a journal is what somebody printed.
  const isJournal = (line.fromJournal || line.trustedUnit !== null) && (file === null || names.isDump(file));
  const place = isJournal ? ofJournal(line, names) : file === null ? null : ofOwnFile(line, file, names);
  return speaking(place ?? ofMixed(line, text, names), text, names);
}

/** journald knows unit, program and user; what the writer calls itself counts only where it knows none of them. */
function ofJournal(line: LineState, names: StreamNames): Place | null {
  const { trustedUnit: unit, trustedExecutable, trustedUid } = line;
  if (unit === null)
    return trustedUid !== null && Number(trustedUid) >= FIRST_USER_ID ? strangerNamed(line, names) : null;
  const ofUnit = names.ofUnit(unit);
  if (ofUnit !== null) return { stream: ofUnit, provenance: 'proven' };
  if (UNTRUSTED_UNIT.test(unit)) return strangerNamed(line, names);
  const program = INSTALLED.exec(trustedExecutable ?? '')?.groups?.['name'];
  const stream =
    (program === undefined ? null : names.ofIdentifier(program)) ?? names.ofIdentifier(unit.replace(/\.service$/, ''));
  return stream === null ? strangerNamed(line, names) : { stream, provenance: 'proven' };
}

/** The name is shown, and believed by nobody. */
function strangerNamed({ identifier }: LineState, names: StreamNames): Place {
  return {
    stream: (identifier === null ? null : names.ofIdentifier(identifier)) ?? UNKNOWN_STREAM,
    provenance: 'foreign',
  };
}

/** A file's own name wins over names inside its lines, unless journalctl wrote the file and with it those names. */
function ofOwnFile({ identifier, isNamed }: LineState, file: string, names: StreamNames): Place {
  const named = identifier !== null && isNamed && names.isDump(file) ? names.ofIdentifier(identifier) : null;
  return named === null || named === file
    ? { stream: file, provenance: 'proven' }
    : { stream: named, provenance: 'named' };
}

function ofMixed({ identifier, isNamed, stream, fromContainer }: LineState, text: string, names: StreamNames): Place {
  const ofIdentifier = identifier === null ? null : names.ofIdentifier(identifier);
  if (ofIdentifier !== null) return { stream: ofIdentifier, provenance: 'named' };
  if (isNamed) return { stream: UNKNOWN_STREAM, provenance: 'foreign' };
  if (stream !== null) return { stream, provenance: 'named' };
  const ofContent = names.ofContent(text);
  if (ofContent !== null) return { stream: ofContent, provenance: 'pasted' };
  return { stream: UNKNOWN_STREAM, provenance: fromContainer ? 'foreign' : 'unproven' };
}

/** Where any script's output lands, only its own form tells who speaks. */
function speaking(place: Place, text: string, names: StreamNames): Place {
  if (place.provenance === 'foreign' || !names.isOpen(place.stream)) return place;
  const ofContent = names.ofContent(text);
  const isTold = ofContent !== null && (names.isOpen(ofContent) || ofContent === 'bootstrap');
  return isTold ? place : { ...place, provenance: 'unproven' };
}

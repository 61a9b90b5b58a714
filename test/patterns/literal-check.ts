// Judges the literals of expressions: they survive every carrier, are long enough to keep the scan fast, and do not stand
// in what a healthy node writes by the thousand, where each would cost a look at the line.
import { patternsOf } from '../../src/matching/matcher.ts';
import { literalFault } from '../../src/signatures/literals.ts';
import type { Pack, Pattern } from '../../src/types.ts';
import { exportForm } from '../bench/line.ts';
import { CONTAINERD, IPAMD, KUBELET, SYSTEM } from '../bench/templates.ts';
import { identityOf } from './identities.ts';

/** The scan's stride is the shortest literal's length less three. */
const LITERAL_GOOD_BYTES = 8;

/** Shorter ones, each because the text that the expression needs is no longer. */
const SHORT_ALLOWED: ReadonlySet<string> = new Set([]);
/** Texts of everyday lines without which a recovery or a milestone cannot be seen; each stands in a small part of them. */
const EVERYDAY_ALLOWED: ReadonlySet<string> = new Set([
  'VerifyControllerAttachedVolume started for volume',
  'PullImage ',
  'RunPodSandbox for ',
  ' returns sandbox id',
  ' not found',
]);

/** Complaints about every pattern of the pack, those of stalls' processes too, whose key contains the text. */
export function checkLiterals(pack: Pack, wanted: (pattern: Pattern) => boolean = () => true): string[] {
  const always = entriesOf(pack);
  const lists = new Set(pack.streamTable.streams.filter((stream) => stream.snapshot).map((stream) => stream.name));
  const everyday = [...KUBELET, ...CONTAINERD, ...IPAMD, ...SYSTEM.map(([name, text]) => `${name}: ${text}`)];
  return (
    patternsOf(pack)
      .filter(wanted)
      // Lists of one moment are small and have a scan of their own.
      .filter(({ streams }) => streams === null || streams.some((stream) => !lists.has(stream)))
      .flatMap((pattern) =>
        pattern.literals.flatMap((literal) => {
          const complain = (what: string): string[] => [`${pattern.key}: the literal "${literal}" ${what}`];
          const fault = literalFault(literal);
          if (fault !== null) return complain(fault);
          if (literal.length < LITERAL_GOOD_BYTES && !SHORT_ALLOWED.has(literal))
            return complain(
              `has fewer than ${LITERAL_GOOD_BYTES} bytes, which slows the whole scan down; name longer ones in "literals"`,
            );
          if (always.some((entry) => holds(entry, literal, pattern.ignoreCase)))
            return complain('stands in the fields of every journal entry; name another');
          const line = everyday.find((text) => holds(text, literal, pattern.ignoreCase));
          return line === undefined || EVERYDAY_ALLOWED.has(literal)
            ? []
            : complain(`stands in everyday lines: ${line.slice(0, 120)}`);
        }),
      )
  );
}

function holds(text: string, literal: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(literal.toLowerCase()) : text.includes(literal);
}

/** The fields of an entry of every stream that has a name, in export form; its message is empty. */
function entriesOf({ streamTable }: Pack): string[] {
  return streamTable.streams.flatMap(({ name }) => {
    const identity = identityOf(streamTable, name);
    if (identity === null) return [];
    const line = { name: `${identity.identifier}[7]`, unit: identity.unit, text: '', nowMs: Date.UTC(2025, 4, 6, 9) };
    return [exportForm(line, 1, true)];
  });
}

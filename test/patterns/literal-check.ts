// Judges the literals of one expression: they survive every carrier, and are long enough to keep the scan fast.
import { LITERAL_GOOD_BYTES, literalFault } from '../../src/signatures/literals.ts';
import { complaint } from './complaint.ts';
import type { Subject } from './subjects.ts';

/** Shorter ones, each because the text that the expression needs is no longer. */
const SHORT_ALLOWED: ReadonlySet<string> = new Set([]);

export function checkLiterals(subject: Subject): string[] {
  return subject.pattern.literals.flatMap((literal) => {
    const fault = literalFault(literal);
    if (fault !== null) return [complaint(subject, ['literals'], `the literal "${literal}" ${fault}`)];
    if (literal.length >= LITERAL_GOOD_BYTES || SHORT_ALLOWED.has(literal)) return [];
    return [
      complaint(
        subject,
        ['literals'],
        `the literal "${literal}" has fewer than ${LITERAL_GOOD_BYTES} bytes, which slows the whole scan down; name longer ones in "literals"`,
      ),
    ];
  });
}

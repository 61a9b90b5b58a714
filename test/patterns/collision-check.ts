// Runs the samples of every decisive signature against the whole pack: a second cause that claims the same line must be
// declared by `explains`, or kept off by `not`.
import type { Cause, Pack, Signature } from '../../src/types.ts';
import { capturesOf } from './captures-of.ts';
import { complaint, shown } from './complaint.ts';
import { packOf, readText } from './read-lines.ts';
import { matchSample, streamOf } from './sample-checks.ts';
import type { Subject } from './subjects.ts';

interface Claim {
  readonly cause: Cause;
  readonly signature: Signature;
}

export function checkCollisions(pack: Pack, subject: Subject): string[] {
  const { owner, samples } = subject;
  if (owner === null || !isClaim(owner)) return [];
  return samples.match.flatMap((sample, m) => {
    const record = matchSample(pack, subject, m)?.first;
    if (record === undefined) return [];
    return pack.causes
      .flatMap((cause) => cause.signatures.map((signature): Claim => ({ cause, signature })))
      .filter((claim) => claim.cause !== owner.cause && isClaim(claim) && capturesOf(claim.signature.pattern, record) !== null)
      .filter(({ cause }) => !explains(pack, owner.cause, cause.id) && !explains(pack, cause, owner.cause.id))
      .filter(({ signature: { pattern } }) => readText(packOf(pack, pattern), sample.line, streamOf(subject, sample)).matches.has(pattern.key))
      .map(({ signature: { pattern } }) =>
        complaint(
          subject,
          ['samples', 'match', m],
          `the line is also claimed by ${pattern.key}; declare it by explains (either way) or keep it off by not: ${shown(sample.line)}`,
        ),
      );
  });
}

/** A signature that makes a cause by a line alone. One that requires something beside its line does not. */
function isClaim({ cause, signature }: Claim): boolean {
  return cause.kind === 'cause' && signature.decisive && signature.requires.every(({ absent }) => absent);
}

/** Directly or through others; the compiler has refused cycles. */
function explains(pack: Pack, cause: Cause, id: string): boolean {
  return cause.explains.some((explanation) => {
    if (explanation.id === id) return true;
    const next = pack.causes.find((other) => other.id === explanation.id);
    return next !== undefined && explains(pack, next, id);
  });
}

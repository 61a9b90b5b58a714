// Runs the samples of every decisive signature against the whole pack: a second cause that claims the same line must be
// declared by `explains`, or kept off by `not`.
import type { Cause, Pack, Signature } from '../../src/types.ts';
import { capturesOf } from './captures-of.ts';
import { complaint, shown } from './complaint.ts';
import { packOf, readText } from './read-lines.ts';
import { matchSample, streamOf } from './sample-checks.ts';
import type { Subject } from './subjects.ts';

export interface Claim {
  readonly cause: Cause;
  readonly signature: Signature;
}

/** A claim on a sample of another cause. */
export interface Rival extends Claim {
  readonly sample: number;
}

export function checkCollisions(pack: Pack, subject: Subject): string[] {
  const { owner, samples } = subject;
  if (owner === null) return [];
  const strangers = rivalsOf(pack, subject, claimsOf(pack)).filter(
    ({ cause }) => !knowEachOther(pack, owner.cause.id, cause.id),
  );
  return strangers.map(({ sample, signature: { pattern } }) =>
    complaint(
      subject,
      ['samples', 'match', sample],
      `the line is also claimed by ${pattern.key}; declare it by explains (either way) or keep it off by not: ${shown(samples.match[sample]!.line)}`,
    ),
  );
}

export function claimsOf(pack: Pack): Claim[] {
  return pack.causes
    .flatMap((cause) => cause.signatures.map((signature): Claim => ({ cause, signature })))
    .filter(isClaim);
}

/** Which of the claims take a sample of the subject. */
export function rivalsOf(pack: Pack, subject: Subject, claims: readonly Claim[]): Rival[] {
  const { owner, samples } = subject;
  if (owner === null || !isClaim(owner)) return [];
  const others = claims.filter(({ cause }) => cause.id !== owner.cause.id);
  return samples.match.flatMap((sample, m) => {
    const record = matchSample(pack, subject, m)?.first;
    if (record === undefined) return [];
    return others
      .filter(({ signature: { pattern } }) => capturesOf(pattern, record) !== null)
      .filter(({ signature: { pattern } }) =>
        readText(packOf(pack, pattern), sample.line, streamOf(subject, sample)).matches.has(pattern.key),
      )
      .map((claim): Rival => ({ ...claim, sample: m }));
  });
}

/** A signature that makes a cause by a line alone. One that requires something beside its line does not. */
function isClaim({ cause, signature }: Claim): boolean {
  return cause.kind === 'cause' && signature.decisive && signature.requires.every(({ absent }) => absent);
}

/** Does one of the two explain the other, directly or through others? */
export function knowEachOther(pack: Pack, a: string, b: string): boolean {
  return explains(pack, a, b) || explains(pack, b, a);
}

/** The compiler has refused cycles. */
function explains(pack: Pack, id: string, other: string): boolean {
  const cause = pack.causes.find((one) => one.id === id);
  return (
    cause?.explains.some((explanation) => explanation.id === other || explains(pack, explanation.id, other)) ?? false
  );
}

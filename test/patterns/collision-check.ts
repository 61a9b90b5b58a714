// Runs the samples of every decisive signature against the whole pack: a second cause that claims the same line must be
// declared by `explains`, or kept off by `not`.
import type { Cause, Pack, Signature } from '../../src/types.ts';
import { complaint, shown } from './complaint.ts';
import { readText } from './read-lines.ts';
import { streamOf } from './sample-checks.ts';
import type { Subject } from './subjects.ts';

export function checkCollisions(pack: Pack, subject: Subject): string[] {
  const { owner, samples } = subject;
  if (owner === null || !isClaim(owner.cause, owner.signature)) return [];
  return samples.match.flatMap((sample, m) =>
    rivals(pack, owner.cause, sample.line, streamOf(subject, sample)).map(({ cause, signature }) =>
      complaint(
        subject,
        ['samples', 'match', m],
        `the line is also claimed by ${cause.id}/${signature.id}; declare it by explains (either way) or keep it off by not: ${shown(sample.line)}`,
      ),
    ),
  );
}

/** A signature that makes a cause by a line alone. One that requires something beside its line does not. */
function isClaim(cause: Cause, signature: Signature): boolean {
  return cause.kind === 'cause' && signature.decisive && signature.requires.every(({ absent }) => absent);
}

function rivals(pack: Pack, own: Cause, line: string, stream: string | null): { readonly cause: Cause; readonly signature: Signature }[] {
  const { matches } = readText(pack, line, stream);
  return pack.causes
    .filter((cause) => cause.id !== own.id && !explains(pack, own, cause.id) && !explains(pack, cause, own.id))
    .flatMap((cause) => cause.signatures.map((signature) => ({ cause, signature })))
    .filter(({ cause, signature }) => isClaim(cause, signature) && matches.has(signature.pattern.key));
}

/** Directly or through others; the compiler has refused cycles. */
function explains(pack: Pack, cause: Cause, id: string): boolean {
  return cause.explains.some((explanation) => {
    if (explanation.id === id) return true;
    const next = pack.causes.find((other) => other.id === explanation.id);
    return next !== undefined && explains(pack, next, id);
  });
}

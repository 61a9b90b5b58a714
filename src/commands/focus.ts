// Tells render where in an evidence line the part stands that a signature is about: its literal, which stands in the raw line.
import { patternsOf } from '../matching/matcher.ts';
import type { Focus } from '../render/sections.ts';
import type { Pack } from '../types.ts';

export function focusOf(pack: Pack): Focus {
  return (signature, line) => {
    const pattern = patternsOf(pack).find(({ key }) => key === signature);
    if (pattern === undefined) return null;
    const text = pattern.ignoreCase ? line.toLowerCase() : line;
    const places = pattern.literals.map((literal) => text.indexOf(pattern.ignoreCase ? literal.toLowerCase() : literal)).filter((place) => place >= 0);
    return places.length === 0 ? null : Math.min(...places);
  };
}

import { readDraft } from './draft-pack.ts';
import { subjectsOf } from './subjects.ts';
import { checkCarriers } from './carrier-check.ts';
import { checkCollisions } from './collision-check.ts';
import { checkLiterals } from './literal-check.ts';
import { checkAlternatives, checkMatchSamples, checkRejectSamples } from './sample-checks.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
const d = readDraft('/work/main/patterns', 'x');
console.log(d.notes);
const s = subjectsOf(d.sources, d.pack);
console.log(
  s.length,
  'subjects',
  s.reduce((n, x) => n + x.samples.match.length, 0),
  'match',
  s.reduce((n, x) => n + x.samples.reject.length, 0),
  'reject',
  patternsOf(d.pack).length,
);
function time(n: string, f: () => string[]) {
  const t = performance.now();
  const c = f();
  console.log(n, c.length, (performance.now() - t).toFixed(0), 'ms');
  for (const x of c.slice(0, 12)) console.log('   ', x.slice(0, 300));
}
time('match', () => s.flatMap((x) => checkMatchSamples(d.pack, x)));
time('reject', () => s.flatMap((x) => checkRejectSamples(d.pack, x)));
time('alt', () => s.flatMap((x) => checkAlternatives(d.pack, x)));
time('lit', () => s.flatMap((x) => checkLiterals(x)));
time('carriers', () => checkCarriers(d.pack, s));
time('coll', () => s.flatMap((x) => checkCollisions(d.pack, x)));

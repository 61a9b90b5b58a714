// `npm run mutate [-- GROUP/ID…]` takes every piece of the pack's knowledge out, one at a time: each must turn a check red,
// a short case, a scenario, a healthy boot, a sample or the rule on collisions. What none of them misses is printed, with
// the row that would; then it exits 1. known-survivors.txt lists what still waits for its row: it may only grow shorter. With ids it reads only the cases that name them, and no healthy boot. Nothing is read twice: a diagnosis is pure, so a mutant is judged on the matches of the whole pack.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import type { Cause, Pack, Pattern } from '../../src/types.ts';
import { claimsOf, knowEachOther, rivalsOf } from '../patterns/collision-check.ts';
import { packOf, readText } from '../patterns/read-lines.ts';
import { streamOf } from '../patterns/sample-checks.ts';
import { readStory } from '../patterns/story.ts';
import { type Subject, subjectsOf } from '../patterns/subjects.ts';
import { type KeptCase, readKeptCases } from './kept-case.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

/** Knowledge whose row in test/short-cases is still to be written, one mutant a line. */
const KNOWN_SURVIVORS = join(import.meta.dirname, 'known-survivors.txt');
const startMs = performance.now();
const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = subjectsOf(sources, pack);
const byKey = new Map(subjects.map((subject) => [subject.pattern.key, subject]));
const wanted = process.argv.slice(2);
const mutants = mutantsOf(pack).filter(({ where }) => wanted.length === 0 || wanted.includes(where));
const ids = wanted.length === 0 ? null : wanted.map((name) => name.slice(name.indexOf('/') + 1));

const read = await readKeptCases(pack, byKey, ids);
const cases = read.filter((one) => one.holds(pack));
for (const { name } of read.filter((one) => !cases.includes(one))) console.log(`left out, already red: ${name}`);
const reach = reachOf(pack);
const rivals = subjects
  .filter(({ owner }) => ids === null || owner === null || concernsWanted(owner.cause))
  .flatMap((subject) =>
    rivalsOf(pack, subject, claimsOf(pack)).map(({ cause }) => [subject.owner!.cause.id, cause.id] as const),
  )
  .filter(([a, b]) => knowEachOther(pack, a, b));

const survivors = mutants.filter((mutant) => !isCaught(mutant));
const known = new Set(readFileSync(KNOWN_SURVIVORS, 'utf8').trimEnd().split('\n'));
const fresh = survivors.filter((mutant) => !known.has(nameOf(mutant)));
for (const mutant of fresh) console.log(`${nameOf(mutant)}\n${mutant.stub.replaceAll(/^/gm, '    ')}`);
const caught = [...known].filter(
  (name) =>
    name !== '' &&
    mutants.some((mutant) => nameOf(mutant) === name) &&
    !survivors.some((mutant) => nameOf(mutant) === name),
);
for (const name of caught) console.log(`caught by now, take it out of ${basename(KNOWN_SURVIVORS)}: ${name}`);
const kinds = Object.entries(Object.groupBy(mutants, ({ kind }) => kind)).map(([kind, all]) => `${kind} ${all.length}`);
const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
console.log(
  `${mutants.length} mutants (${kinds.join(', ')}), ${survivors.length} survive, ${fresh.length} of them not known; ${cases.length} cases, ${seconds} s`,
);
if (mutants.length === 0) console.log(`nothing of the pack is called ${wanted.join(' ')}`);
if (mutants.length === 0 || fresh.length > 0 || caught.length > 0 || cases.length < read.length) process.exitCode = 1;

function nameOf({ where, what }: Mutant): string {
  return `${where}: ${what}`;
}

function isCaught(mutant: Mutant): boolean {
  if (mutant.pattern !== null) return matchesTooMuch(mutant.pattern) || newRivals(mutant);
  if (mutant.target !== null && rivals.some(([a, b]) => !knowEachOther(mutant.pack, a, b))) return true;
  return cases.some((one) => concerns(mutant, one) && !one.holds(mutant.pack));
}

/** Only these can be one of two rivals of which one is a wanted cause. */
function concernsWanted({ id, explains }: Cause): boolean {
  const wantedIds = ids ?? [];
  return (
    wantedIds.includes(id) ||
    explains.some((entry) => wantedIds.includes(entry.id)) ||
    wantedIds.some((one) => reach.get(one)?.has(id))
  );
}

/** Does a line match now that must not? */
function matchesTooMuch(pattern: Pattern): boolean {
  const subject = byKey.get(pattern.key)!;
  const only = packOf(pack, pattern);
  return (
    subject.samples.reject.some((sample) => readText(only, sample.line, streamOf(subject, sample)).matches.size > 0) ||
    cases.some(
      ({ unmatched, lines }) => unmatched.includes(pattern.key) && readStory(only, byKey, lines).matches.size > 0,
    )
  );
}

/** Does it claim the line of a cause that does not know of it? */
function newRivals(mutant: Mutant): boolean {
  const claims = claimsOf(mutant.pack).filter(({ signature }) => signature.pattern === mutant.pattern);
  const isStranger = (subject: Subject): boolean =>
    subject.owner !== null && !knowEachOther(pack, subject.owner.cause.id, mutant.id);
  return subjects.some((subject) => isStranger(subject) && rivalsOf(pack, subject, claims).length > 0);
}

/** An explanation may be a link between two others, without its own cause being there. */
function concerns({ id, target }: Mutant, { ids }: KeptCase): boolean {
  if (target === null) return ids.has(id);
  const explained = [...ids].some((one) => one === target || reach.get(target)!.has(one));
  return explained && [...ids].some((one) => one === id || reach.get(one)!.has(id));
}

/** What each id explains, directly or through others. */
function reachOf({ causes }: Pack): Map<string, Set<string>> {
  const reach = new Map<string, Set<string>>();
  const walk = (id: string): Set<string> => {
    const known = reach.get(id);
    if (known !== undefined) return known;
    const direct = causes.find((cause) => cause.id === id)!.explains.map((entry) => entry.id);
    const all = new Set(direct.flatMap((one) => [one, ...walk(one)]));
    reach.set(id, all);
    return all;
  };
  for (const { id } of causes) walk(id);
  return reach;
}

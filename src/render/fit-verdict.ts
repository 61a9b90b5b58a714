// Cuts a verdict to a number of bytes of JSON, the least important first, and counts what was cut. Keeps the shape: lists get
// shorter, strings end with `…`.
import { withoutContext } from '../lib/without-context.ts';
import type { Verdict, VerdictProbe } from '../types.ts';

type Body = Omit<Verdict, 'id' | 'status' | 'final'>;
type Cuts = Record<string, number>;
type ListName = 'otherCauses' | 'symptoms' | 'recovered' | 'timeline' | 'evidence' | 'probes' | 'notChecked';

interface Cutting {
  readonly body: Body;
  readonly cut: Cuts;
}

/** One way to save: given the bytes that are too many, it gives what is left, and what it cut is in `cut`. */
type Step = (cutting: Cutting, tooMany: number) => Cutting;

const STEPS: readonly Step[] = [
  dropContext,
  shorten(1024),
  drop('probes', 0, ({ outcome, bearing }: VerdictProbe) => outcome === 'ok' && bearing === null),
  drop('recovered', 0),
  drop('notChecked', 10),
  drop('symptoms', 3),
  drop('otherCauses', 3),
  drop('evidence', 5),
  shorten(256),
  drop('notChecked', 0),
  drop('symptoms', 0),
  drop('otherCauses', 0),
  drop('probes', 0),
  drop('timeline', 0),
  drop('evidence', 1),
  trimLongLists,
  shorten(64),
];

const ITEMS_MAX = 10;

/** `cut` is there only if something was cut. Where nothing helps, the verdict is null. */
export function fitVerdict(verdict: Body, maxBytes: number): { readonly cut?: Cuts; readonly verdict: Body | null } {
  let cutting: Cutting = { body: verdict, cut: {} };
  for (const step of [null, ...STEPS]) {
    if (step !== null) cutting = step(cutting, sizeOf(cutting) - maxBytes);
    const { body, cut } = cutting;
    if (sizeOf(cutting) <= maxBytes) return Object.keys(cut).length === 0 ? { verdict: body } : { cut, verdict: body };
  }
  return { cut: { verdict: 1 }, verdict: null };
}

/** With the keys and commas round it. */
function sizeOf({ body, cut }: Cutting): number {
  return bytesOf({ cut, verdict: body });
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A command is left out whole: half of it might do something else. */
function shorten(maxChars: number): Step {
  return ({ body, cut }) => {
    let characters = 0;
    const change = (text: string): string => {
      if (text.length <= maxChars) return text;
      characters += text.length - maxChars;
      return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')}…`;
    };
    const short = <T extends { readonly command: string | null }>(step: T): T => {
      if (step.command === null || step.command.length <= maxChars) return step;
      characters += step.command.length;
      return { ...step, command: null };
    };
    const cause =
      body.cause === null
        ? null
        : { ...body.cause, check: body.cause.check.map(short), remedy: body.cause.remedy.map(short) };
    return { body: eachString({ ...body, cause }, change) as Body, cut: count(cut, 'characters', characters) };
  };
}

/** Items from the end of a list, until it has no more than `keep` or enough is saved. */
function drop<K extends ListName>(
  name: K,
  keep: number,
  isDroppable: (item: Body[K][number]) => boolean = () => true,
): Step {
  return ({ body, cut }, tooMany) => {
    const items = [...(body[name] as readonly Body[K][number][])];
    let saved = 0;
    let dropped = 0;
    for (let index = items.length - 1; index >= 0 && items.length > keep && saved < tooMany; index--) {
      if (!isDroppable(items[index]!)) continue;
      const [item] = items.splice(index, 1);
      saved += bytesOf(item) + 1;
      dropped += 1;
    }
    return { body: { ...body, [name]: items }, cut: count(cut, name, dropped) };
  };
}

function dropContext({ body, cut }: Cutting): Cutting {
  const lines = body.evidence.reduce(
    (sum, { context }) => sum + (context === undefined ? 0 : context.before.length + context.after.length),
    0,
  );
  return { body: { ...body, evidence: withoutContext(body.evidence) }, cut: count(cut, 'lines beside them', lines) };
}

/** What is short in every verdict that the built-in pack makes. */
function trimLongLists({ body, cut }: Cutting): Cutting {
  let names = 0;
  const first = <T>(items: readonly T[]): readonly T[] => {
    names += Math.max(0, items.length - ITEMS_MAX);
    return items.slice(0, ITEMS_MAX);
  };
  const { cause, tool } = body;
  const trimmed: Body = {
    ...body,
    cause:
      cause === null
        ? null
        : { ...cause, check: first(cause.check), remedy: first(cause.remedy), references: first(cause.references) },
    tool: { ...tool, replaced: first(tool.replaced), added: first(tool.added), disabled: first(tool.disabled) },
  };
  return { body: trimmed, cut: count(cut, 'names', names) };
}

function count(cut: Cuts, what: string, more: number): Cuts {
  return more === 0 ? cut : { ...cut, [what]: (cut[what] ?? 0) + more };
}

function eachString(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => eachString(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachString(item, change)]));
}

// Replaces what is invented in a capture (instance ids, addresses, accounts, hosts, cluster names, image tags, dates) by
// other values of the same form, the same everywhere in one capture. What carries meaning stays: regions, service
// addresses, AWS's own registries, times of day.
import { latestDatedMs, yearlessMs } from '../../src/matching/stamps.ts';
import { createRandom, type Random } from '../matching/random.ts';

export interface Shuffle {
  text(original: string): string;
  /** By how much every date moves. */
  readonly shiftMs: number;
}

const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTH = `(?:${MONTHS.join('|')})`;
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;

/** `all` is the whole capture: names are collected from it first. */
export function createShuffle(all: string, seed: number): Shuffle {
  const random = createRandom(seed);
  const shiftDays = (random.int(2) === 0 ? -1 : 1) * (20 + random.int(300));
  const dates = createDates(latestDatedMs(all) ?? Date.UTC(2025, 5, 1), shiftDays * DAY_MS);
  const steps = [namesStep(all, random), idsStep(random), addressStep(random), tagStep(random), dates];
  return { text: (original) => steps.reduce((text, step) => step(text), original), shiftMs: shiftDays * DAY_MS };
}

type Step = (text: string) => string;

/** The same new value for the same old one. */
function remembered(make: (old: string) => string): (old: string) => string {
  const known = new Map<string, string>();
  return (old) => {
    const value = known.get(old) ?? make(old);
    known.set(old, value);
    return value;
  };
}

function digitsLike(random: Random, old: string, digits: string): string {
  return old.replace(/[0-9a-fA-F]/g, () => digits.charAt(random.int(digits.length)));
}

const CLUSTER_NAMES = [
  /\bclusters?\/(?<name>[A-Za-z0-9][\w-]{3,99})/g,
  /--cluster-name[= ]+"?(?<name>[A-Za-z0-9][\w-]{3,99})/g,
  /No cluster found for name: (?<name>[A-Za-z0-9][\w-]{3,99})/g,
  /bootstrap\.sh '?(?<name>[A-Za-z0-9][\w-]{3,99})/g,
  /"cluster\\?":\{\\?"name\\?":\\?"(?<name>[A-Za-z0-9][\w-]{3,99})/g,
  /name: (?<name>[A-Za-z0-9][\w-]{3,99})\n\s+apiServerEndpoint/g,
  /- "?-i"?\n\s+- "?(?<name>[A-Za-z0-9][\w-]{3,99})/g,
];
const HOST_NAMES = [
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?<name>[A-Za-z][\w-]{3,62})(?:\.[\w.-]+)? [\w(]/gm,
  /"_HOSTNAME":"(?<name>[A-Za-z][\w-]{3,62})/g,
];
/** Names that mean something. A name of letters alone is left: it might be a word of a message. */
const MEANT_NAMES = /^(?:ip-\d|i-[0-9a-f]{8}|cloud-init|[A-Za-z]+$)/;

function namesStep(all: string, random: Random): Step {
  const names = [...CLUSTER_NAMES, ...HOST_NAMES].flatMap((expression) =>
    [...all.matchAll(expression)].map((match) => match.groups!['name']!),
  );
  const known = new Set(names.filter((name) => !MEANT_NAMES.test(name)));
  const replace = remembered(
    (old) =>
      `${random.pick(['blue', 'lab', 'stage', 'team'])}-${digitsLike(random, '0000', 'abcdefghkmnpqrstuvwxyz')}-${old.length}`,
  );
  return (text) =>
    [...known].reduce(
      (result, name) => result.replaceAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'), () => replace(name)),
      text,
    );
}

function idsStep(random: Random): Step {
  const hex = remembered((old) => digitsLike(random, old, '0123456789abcdef'));
  const capitals = remembered((old) => digitsLike(random, old, '0123456789ABCDEF'));
  const account = remembered((old) => digitsLike(random, old, '123456789'));
  return (text) => {
    const accounts = new Set(
      [...text.matchAll(/arn:aws[\w-]*:[\w-]*:[\w-]*:(?<account>\d{12}):/g)].map((match) => match.groups!['account']!),
    );
    return text
      .replace(
        /\b(?<kind>i|eni|subnet|vpc|sg|ami|vol|rtb|lt)-(?<id>[0-9a-f]{17}|[0-9a-f]{8})\b/g,
        (_all, kind: string, id: string) => `${kind}-${hex(id)}`,
      )
      .replace(/\b[0-9A-F]{32}(?=\.[a-z0-9]{2,4}\.[a-z0-9-]+\.eks\.)/g, capitals)
      .replace(/(?<=sha256:)[0-9a-f]{64}\b/g, hex)
      .replace(/\b\d{12}\b/g, (number) => (accounts.has(number) ? account(number) : number));
  };
}

const ADDRESS =
  /(?<![\w.-])(?<dashes>ip-)?(?<a>\d{1,3})(?<dot>[.-])(?<b>\d{1,3})\k<dot>(?<c>\d{1,3})\k<dot>(?<d>\d{1,3})(?![\w-]|\.\d)/g;
/** Loopback, link-local, masks, multicast, and the service networks of EKS. */
const MEANT = /^(?:0|127|169\.254|255|22[4-9]|23\d|172\.20|10\.100\.0)\./;
/** Networks, gateways, name servers and broadcast keep their last number. */
const MEANT_LAST = new Set([0, 1, 2, 10, 255]);

function addressStep(random: Random): Step {
  const [second, third, fourth] = [permutation(random), permutation(random), permutation(random)];
  const octet = (from: readonly number[], n: number): number => (n === 0 || n >= 255 ? n : from[n - 1]!);
  return (text) =>
    text.replace(ADDRESS, (...match) => {
      const [all, { dashes = '', a, b, c, d, dot }] = [match[0], match.at(-1) as Record<string, string>];
      const numbers = [a, b, c, d].map(Number) as [number, number, number, number];
      if ((dot === '-') !== (dashes !== '') || numbers.some((n) => n > 255) || MEANT.test(`${numbers.join('.')}.`))
        return all;
      const b2 = a === '10' ? octet(second, numbers[1]) : numbers[1];
      const d2 = MEANT_LAST.has(numbers[3]) ? numbers[3] : octet(fourth, numbers[3]);
      return dashes + [a, b2, octet(third, numbers[2]), d2].join(dot);
    });
}

/** Of the numbers 1 to 254, so that different addresses stay different. */
function permutation(random: Random): number[] {
  const numbers = Array.from({ length: 254 }, (_, i) => i + 1);
  for (let i = numbers.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!];
  }
  return numbers;
}

const TAG =
  /(?<image>(?:\.amazonaws\.com(?:\.cn)?|ecr\.aws|docker\.io|quay\.io|ghcr\.io|registry\.k8s\.io)\/[a-z0-9._/-]+:)(?<tag>[A-Za-z0-9][\w.-]*)/g;

function tagStep(random: Random): Step {
  const replace = remembered((old) => old.replace(/\d/g, () => String(1 + random.int(9))));
  return (text) => text.replace(TAG, (_all, image: string, tag: string) => image + replace(tag));
}

function createDates(referenceMs: number, shiftMs: number): Step {
  const two = (n: number): string => String(n).padStart(2, '0');
  const moved = (year: string, month: number, day: string): Date =>
    new Date(Date.UTC(Number(year), month, Number(day)) + shiftMs);
  const yearless = (month: string, day: string): Date => {
    const placed = yearlessMs(month, day.trim(), '12:00:00', { referenceMs });
    return new Date((placed ?? referenceMs) + shiftMs);
  };
  const numeric = new RegExp(
    String.raw`\b(?<year>202\d)(?<sep>[-/])(?<month>\d\d)\k<sep>(?<day>\d\d)(?=[T ]\d\d:\d\d)`,
    'g',
  );
  const worded = new RegExp(
    String.raw`\b(?:(?<weekday>${WEEKDAY}),? )?(?<day>\d{1,2}) (?<month>${MONTH}) (?<year>202\d)\b`,
    'g',
  );
  const trailing = new RegExp(
    String.raw`\b(?<weekday>${WEEKDAY}) (?<month>${MONTH}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d)(?<zone> UTC| [+-]\d{4})? (?<year>202\d)\b`,
    'g',
  );
  const short = new RegExp(
    String.raw`(?<![\w,] )\b(?<month>${MONTH}) (?<day>[ \d]\d) (?=\d\d:\d\d:\d\d(?:\.\d+)? )(?!\S+ (?:UTC )?202\d\b)`,
    'g',
  );
  return (text) =>
    text
      .replace(numeric, (...match) => {
        const { year, sep, month, day } = match.at(-1) as Record<string, string>;
        const date = moved(year!, Number(month) - 1, day!);
        return [date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate())].join(sep);
      })
      .replace(trailing, (...match) => {
        const { month, day, time, zone = '', year } = match.at(-1) as Record<string, string>;
        const date = moved(year!, MONTHS.indexOf(month!), day!);
        return `${WEEKDAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())} ${time}${zone} ${date.getUTCFullYear()}`;
      })
      .replace(worded, (...match) => {
        const { weekday, day, month, year } = match.at(-1) as Record<string, string | undefined>;
        const date = moved(year!, MONTHS.indexOf(month!), day!);
        return `${weekday === undefined ? '' : `${WEEKDAYS[date.getUTCDay()]}, `}${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
      })
      .replace(short, (...match) => {
        const { month, day } = match.at(-1) as Record<string, string>;
        const date = yearless(month!, day!);
        return `${MONTHS[date.getUTCMonth()]} ${day!.startsWith(' ') ? String(date.getUTCDate()).padStart(2) : two(date.getUTCDate())} `;
      })
      .replace(
        /\b(?<level>[IWEF])(?<month>\d\d)(?<day>\d\d)(?= \d\d:\d\d:\d\d\.\d+ )/g,
        (_all, level: string, month: string, day: string) => {
          const date = yearless(month, day);
          return `${level}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}`;
        },
      )
      .replace(/(?<="(?:ts|time)":"?)1[67]\d{8}(?=[.,"}\d])/g, (seconds) => String(Number(seconds) + shiftMs / 1000))
      .replace(/(?<=_REALTIME_TIMESTAMP"?[:=]\s?"?)\d{16}\b/g, (us) => String(Number(us) + shiftMs * 1000));
}

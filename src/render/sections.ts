// Words the sections of a text verdict below its first lines: proof, boot, fix, and what else was seen.
import type { Evidence, FindingSummary, RedactedVerdict, TimelineEntry, VerdictCause } from '../types.ts';
import { type Reasons, wordNotChecked } from './not-checked.ts';
import { type AnswerTables, bearingItems } from './probes.ts';
import { quoteLine, type Span } from './quote-line.ts';
import { type Item, type Line, plain, type Section, type Tone } from './section.ts';
import { between, clip, clock, duration } from './wording.ts';

/** The part of a line that a signature matched; null if unknown. */
export type Focus = (signature: string, line: string) => Span | null;

/** Three rows of a terminal. */
const LINE_MAX_CHARS = 285;
const ORIGIN_MAX_CHARS = 120;
const STEP_MAX_CHARS = 500;
/** A longer command is not shown at all: half a command is worse than none. */
const COMMAND_MAX_CHARS = 1_500;
/** Signature of what is shown where no cause is known. */
const LAST_ERROR = 'last-error';
const REFERENCES_MAX = 3;
const BEARING_KEPT = 2;

/** The strongest line, what the node answered, then the other lines: one for each signature. */
export function proof(
  verdict: RedactedVerdict,
  focus: Focus,
  answers: AnswerTables,
  lineMaxChars = LINE_MAX_CHARS,
): Section {
  const [line, ...more] = bySignature(verdict.evidence).map((group) => quoted(group, verdict.at, focus, lineMaxChars));
  const bearing = bearingItems(verdict, answers);
  const items = [...(line === undefined ? [] : [line]), ...bearing, ...more];
  return {
    title: verdict.cause === null ? 'Last errors' : 'Proof',
    items,
    keep: 1 + Math.min(bearing.length, BEARING_KEPT),
    cutFrom: 'end',
    rank: 70,
  };
}

/**
 * What one signature is about, first and last; one line may be what two signatures are about. Lines seen once each are no first and
 * last: of a silence they are where it began and the process that hangs.
 */
function bySignature(evidence: readonly Evidence[]): Evidence[][] {
  const groups = new Map<string, Evidence[]>();
  const seen = new Set<string>();
  for (const one of evidence) {
    const place = `${one.origin}\n${one.line}`;
    if (seen.has(place)) continue;
    seen.add(place);
    const key = one.signature === LAST_ERROR || one.count === 1 ? place : one.signature;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function quoted(group: readonly Evidence[], at: string | null, focus: Focus, lineMaxChars: number): Item {
  const first = group[0]!;
  const times = first.count > 1 ? `×${first.count}, ` : '';
  const last = group.at(-1)!.time;
  const from = clock(first.time, at);
  const when =
    last === null || last === first.time || first.time === null ? from : `${from.replace(/Z$/, '')}–${clock(last, at)}`;
  const { text, strong } = quoteLine(first.line, focus(first.signature, first.line), lineMaxChars);
  const { context } = first;
  return [
    { ...plain(`  ${first.stream}  ${times}${when}  ${wordOrigin(first.origin)}`, 'faint'), time: first.time, hang: 4 },
    {
      ...plain(`    ${text}`),
      kind: 'quote',
      strong: strong === null ? null : { start: strong.start + 4, end: strong.end + 4 },
      ...(context === undefined ? {} : { context }),
    },
  ];
}

const JOURNAL_CURSOR = /^(?<source>.{1,4000}) s=[^\n]{1,200};t=(?<time>[0-9a-f]{1,16});/;

/** Of a journal's entry the command that shows it; a cursor's time is enough to find it. */
function wordOrigin(origin: string): string {
  const { source = '', time } = JOURNAL_CURSOR.exec(origin)?.groups ?? {};
  if (time === undefined) return clip(origin, ORIGIN_MAX_CHARS);
  return `${source === 'journal' ? '' : `${clip(source, ORIGIN_MAX_CHARS)}: `}journalctl -n 1 --cursor=t=${time}`;
}

const MARKS = {
  finished: { mark: 'ok', tone: 'good' },
  running: { mark: 'running', tone: 'plain' },
  stalled: { mark: 'stalled', tone: 'bad' },
  failed: { mark: 'failed', tone: 'bad' },
} satisfies Record<TimelineEntry['state'], { readonly mark: string; readonly tone: Tone }>;

const OPEN = { mark: 'open', tone: 'plain' } as const;

/** A step of the boot in words. */
export interface BootRow {
  readonly entry: TimelineEntry;
  readonly mark: string;
  readonly tone: Tone;
  readonly words: string;
}

export function bootRows({ status, timeline, at }: RedactedVerdict): BootRow[] {
  return timeline.map((entry, index) => {
    // A Ready node waits for nothing: what has no end only did not say so.
    const isOpen = status === 'ready' && (entry.state === 'stalled' || entry.state === 'running');
    const wentOn = entry.state === 'failed' && timeline.slice(index + 1).some(({ startedAt }) => startedAt !== null);
    const words = [
      isOpen ? `from ${clock(entry.startedAt, at)}, its end was not seen` : howLong(entry, at),
      wentOn ? 'the boot went on' : '',
    ];
    return { entry, ...(isOpen ? OPEN : MARKS[entry.state]), words: words.filter((word) => word !== '').join('; ') };
  });
}

export function boot(verdict: RedactedVerdict): Section {
  const width = Math.max(0, ...verdict.timeline.map((entry) => entry.title.length));
  const items = bootRows(verdict).map(({ entry, mark, tone, words }): Item => [
    plain(`  ${mark.padEnd(8)} ${entry.title.padEnd(width)}  ${words}`.trimEnd(), tone),
  ]);
  return { title: 'Boot', items, keep: 2, cutFrom: 'start', rank: 50 };
}

function howLong(entry: TimelineEntry, at: string | null): string {
  if (entry.seconds !== null) return duration(entry.seconds * 1000);
  const since = between(entry.startedAt, at);
  if (since === null) return '';
  return entry.state === 'finished'
    ? `from ${clock(entry.startedAt, at)}`
    : `since ${clock(entry.startedAt, at)} (${duration(since)})`;
}

export function fix(verdict: RedactedVerdict): Section {
  const items = (verdict.cause?.remedy ?? []).map((step, index): Item => stepLines(step, `${index + 1}. `));
  return { title: 'Fix', items, keep: items.length, cutFrom: 'end', rank: 90 };
}

const TOO_FEW_LINES = 'These few lines cannot prove it. Give also the lines before and after them, with their times.';
const MAY_BE_SLOW = 'It may also be slow: nothing shows yet that it hangs.';

/** Of a cause that is only possible it is the first thing to do. */
const IN_AWS =
  'Routes, endpoints, security groups, role and access in one go: the same command with --format aws-checks prints a read-only script for the administrator.';

/** `offersAwsChecks`: the reason may be found in AWS, where a script can look for it. */
export function check(verdict: RedactedVerdict, offersAwsChecks: boolean): Section {
  const offer = { text: IN_AWS, command: null, where: 'admin' as const };
  const given = [...(verdict.cause?.check ?? []), ...(offersAwsChecks ? [offer] : [])];
  const steps = given.map((step): Item => stepLines(step, '- '));
  const isOpen = verdict.cause?.possible === true;
  const open: Item[] = isOpen
    ? [[plain(`  ${verdict.status === 'bootstrapping' || verdict.status === 'stalled' ? MAY_BE_SLOW : TOO_FEW_LINES}`)]]
    : [];
  return {
    title: 'Check',
    items: [...open, ...steps],
    keep: isOpen ? 1 + Math.min(1, steps.length) : 0,
    cutFrom: 'end',
    rank: isOpen ? 95 : 40,
  };
}

/** A step with its command behind the prompt of the shell that it is for. */
function stepLines({ text, command, where }: VerdictCause['remedy'][number], mark: string): Line[] {
  const indent = ' '.repeat(2 + mark.length);
  const prompt = `${where}$ `;
  const lines = commandLines(command).map((line, index) =>
    plain(`${indent}${index === 0 ? prompt : ' '.repeat(prompt.length)}${line}`, 'heading'),
  );
  return [
    { ...plain(`  ${mark}${clip(text, STEP_MAX_CHARS)}`), mark: mark.trimEnd(), hang: indent.length },
    ...lines.map((line): Line => ({ ...line, kind: 'command' })),
  ];
}

function commandLines(command: string | null): string[] {
  if (command === null) return [];
  if (command.length > COMMAND_MAX_CHARS) return [`(a command of ${command.length} characters, see --format json)`];
  return command.trimEnd().split('\n');
}

export function references(verdict: RedactedVerdict): Section {
  const items = (verdict.cause?.references ?? [])
    .slice(0, REFERENCES_MAX)
    .map((url): Item => [{ ...plain(`  ${clip(url, 200)}`, 'faint'), kind: 'link' }]);
  return { title: 'See', items, keep: 1, cutFrom: 'end', rank: 10, folds: true };
}

/** What the cause brings with it: nothing that must be looked into by itself. */
export function consequences(verdict: RedactedVerdict): Section {
  const explained = [...verdict.otherCauses, ...verdict.symptoms].filter(({ explainedBy }) => explainedBy !== null);
  const items = explained.map((finding): Item => {
    const from = finding.explainedBy === verdict.cause?.id ? '' : `, from ${finding.explainedBy}`;
    return [plain(`  ${finding.title} (${finding.id}${from}), ${seen(finding, verdict.at)}`, 'faint')];
  });
  return { title: 'Follows from it', items, keep: 1, cutFrom: 'end', rank: 35, folds: true };
}

export function otherCauses(verdict: RedactedVerdict): Section {
  const items = verdict.otherCauses
    .filter(({ explainedBy }) => explainedBy === null)
    .map((finding): Item => [
      plain(`  ${finding.title} (${finding.id}, confidence ${finding.confidence}), ${seen(finding, verdict.at)}`),
    ]);
  return { title: 'Other possible causes', items, keep: 2, cutFrom: 'end', rank: 60 };
}

export function symptoms(verdict: RedactedVerdict): Section {
  const items = verdict.symptoms
    .filter(({ explainedBy }) => explainedBy === null)
    .map((finding): Item => [plain(`  ${finding.title} (${finding.id}), ${seen(finding, verdict.at)}`)]);
  return { title: 'Symptoms', items, keep: 2, cutFrom: 'end', rank: 35, folds: true };
}

function seen(finding: FindingSummary, at: string | null): string {
  if (finding.count === 0) return 'seen by a probe';
  return `${finding.count > 1 ? `×${finding.count}, ` : ''}last ${clock(finding.lastAt, at)}`;
}

export function recovered(verdict: RedactedVerdict): Section {
  const items = verdict.recovered.map((finding): Item => {
    const how =
      finding.state === 'earlier-boot'
        ? 'in an earlier boot'
        : finding.by === null
          ? 'ended'
          : `ended by ${finding.by}`;
    return [plain(`  ${finding.title} (${finding.id}), last ${clock(finding.lastAt, verdict.at)}, ${how}`, 'faint')];
  });
  return { title: 'Seen, but not the cause', items, keep: 1, cutFrom: 'end', rank: 20, folds: true };
}

export function notChecked(verdict: RedactedVerdict, reasons: Reasons): Section {
  const items = wordNotChecked(verdict.notChecked, reasons).map((line): Item => [plain(`  ${line}`, 'doubtful')]);
  return { title: 'Not checked', items, keep: 3, cutFrom: 'end', rank: 30, folds: true };
}

export function colophon({ tool }: RedactedVerdict): Section {
  const changes = [
    ['replaced', tool.replaced],
    ['added', tool.added],
    ['disabled', tool.disabled],
  ] as const;
  const words = changes
    .filter(([, ids]) => ids.length > 0)
    .map(([change, ids]) => `; ${change}: ${clip(ids.join(', '), 200)}`);
  return {
    title: null,
    items: [
      [
        plain(
          `eks-bootstrap-analyzer ${tool.version}, patterns ${tool.packDigest.slice(0, 12)}${words.join('')}`,
          'faint',
        ),
      ],
    ],
    keep: 0,
    cutFrom: 'end',
    rank: 5,
  };
}

// Words the sections of a text verdict below its first lines: proof, boot, fix, and what else was seen.
import type { FindingSummary, RedactedVerdict, TimelineEntry } from '../types.ts';
import { type Reasons, wordNotChecked } from './not-checked.ts';
import { type AnswerTables, bearingItems } from './probes.ts';
import { type Item, plain, type Section, type Tone } from './section.ts';
import { between, clip, clipRound, clock, duration } from './wording.ts';

/** Where in a line the part stands that a signature matched; null if unknown. */
export type Focus = (signature: string, line: string) => number | null;

const LINE_MAX_CHARS = 220;
const ORIGIN_MAX_CHARS = 120;
const STEP_MAX_CHARS = 500;
/** A longer command is not shown at all: half a command is worse than none. */
const COMMAND_MAX_CHARS = 1_500;
const REFERENCES_MAX = 3;
const BEARING_KEPT = 2;

/** The strongest line, what the node answered, then the other lines. */
export function proof(verdict: RedactedVerdict, focus: Focus, answers: AnswerTables): Section {
  // One line may be what two signatures are about.
  const first = verdict.evidence.filter(
    (evidence, index, all) => all.findIndex(({ origin, line }) => origin === evidence.origin && line === evidence.line) === index,
  );
  const [line, ...more] = first.map((evidence): Item => {
    const times = evidence.count > 1 ? `  ×${evidence.count}` : '';
    return [
      plain(`  ${evidence.stream}  ${clock(evidence.time, verdict.at)}  ${clip(evidence.origin, ORIGIN_MAX_CHARS)}${times}`, 'faint'),
      plain(`    ${clipRound(evidence.line, focus(evidence.signature, evidence.line), LINE_MAX_CHARS)}`),
    ];
  });
  const bearing = bearingItems(verdict, answers);
  const items = [...(line === undefined ? [] : [line]), ...bearing, ...more];
  return { title: verdict.cause === null ? 'Last errors' : 'Proof', items, keep: 1 + Math.min(bearing.length, BEARING_KEPT), cutFrom: 'end', rank: 70 };
}

const MARKS = {
  finished: { mark: 'ok', tone: 'good' },
  running: { mark: 'running', tone: 'plain' },
  stalled: { mark: 'stalled', tone: 'bad' },
  failed: { mark: 'failed', tone: 'bad' },
} satisfies Record<TimelineEntry['state'], { readonly mark: string; readonly tone: Tone }>;

export function boot(verdict: RedactedVerdict): Section {
  const width = Math.max(0, ...verdict.timeline.map((entry) => entry.title.length));
  const items = verdict.timeline.map((entry): Item => {
    const { mark, tone } = MARKS[entry.state];
    return [plain(`  ${mark.padEnd(8)} ${entry.title.padEnd(width)}  ${howLong(entry, verdict.at)}`.trimEnd(), tone)];
  });
  return { title: 'Boot', items, keep: 2, cutFrom: 'start', rank: 50 };
}

function howLong(entry: TimelineEntry, at: string | null): string {
  if (entry.seconds !== null) return duration(entry.seconds * 1000);
  const since = between(entry.startedAt, at);
  if (since === null) return '';
  return entry.state === 'finished' ? `from ${clock(entry.startedAt, at)}` : `since ${clock(entry.startedAt, at)} (${duration(since)})`;
}

export function fix(verdict: RedactedVerdict): Section {
  const steps = (verdict.cause?.remedy ?? []).map(({ text, command }, index): Item => [
    plain(`  ${index + 1}. ${clip(text, STEP_MAX_CHARS)}`),
    ...commandLines(command).map((line) => plain(`     ${line}`, 'heading')),
  ]);
  const references = (verdict.cause?.references ?? []).slice(0, REFERENCES_MAX).map((url): Item => [plain(`  See ${clip(url, 200)}`, 'faint')]);
  return { title: 'Fix', items: [...steps, ...references], keep: steps.length, cutFrom: 'end', rank: 90 };
}

/** Of a cause that is only possible it is the first thing to do. */
export function check(verdict: RedactedVerdict): Section {
  const steps = (verdict.cause?.check ?? []).map(({ text, command, where }): Item => [
    plain(`  - ${clip(text, STEP_MAX_CHARS)}${command === null ? '' : where === 'node' ? ' (on the node)' : ' (with your own credentials)'}`),
    ...commandLines(command).map((line) => plain(`    ${line}`, 'heading')),
  ]);
  const isOpen = verdict.cause?.possible === true;
  const open: Item[] = isOpen ? [[plain('  These few lines cannot show that it holds. Send also the lines before and after them, with their times.')]] : [];
  return { title: 'Check', items: [...open, ...steps], keep: isOpen ? 1 + Math.min(1, steps.length) : 0, cutFrom: 'end', rank: isOpen ? 95 : 40 };
}

function commandLines(command: string | null): string[] {
  if (command === null) return [];
  if (command.length > COMMAND_MAX_CHARS) return [`(a command of ${command.length} characters, see --format json)`];
  return command.trimEnd().split('\n');
}

export function otherCauses(verdict: RedactedVerdict): Section {
  const items = verdict.otherCauses.map((finding): Item => {
    const explained = finding.explainedBy === null ? '' : `, explained by ${finding.explainedBy}`;
    return [plain(`  ${finding.title} (${finding.id}, ${finding.confidence}${explained}), ${seen(finding, verdict.at)}`)];
  });
  return { title: 'Other possible causes', items, keep: 2, cutFrom: 'end', rank: 60 };
}

export function symptoms(verdict: RedactedVerdict): Section {
  const items = verdict.symptoms.map((finding): Item => [plain(`  ${finding.title} (${finding.id}), ${seen(finding, verdict.at)}`, 'faint')]);
  return { title: 'Symptoms', items, keep: 1, cutFrom: 'end', rank: 10 };
}

function seen(finding: FindingSummary, at: string | null): string {
  if (finding.count === 0) return 'seen by a probe';
  return `${finding.count > 1 ? `×${finding.count}, ` : ''}last ${clock(finding.lastAt, at)}`;
}

export function recovered(verdict: RedactedVerdict): Section {
  const items = verdict.recovered.map((finding): Item => {
    const how = finding.state === 'earlier-boot' ? 'in an earlier boot' : finding.by === null ? 'ended' : `ended by ${finding.by}`;
    return [plain(`  ${finding.title} (${finding.id}), last ${clock(finding.lastAt, verdict.at)}, ${how}`, 'faint')];
  });
  return { title: 'Seen, but not the cause', items, keep: 1, cutFrom: 'end', rank: 20 };
}

export function notChecked(verdict: RedactedVerdict, reasons: Reasons): Section {
  const items = wordNotChecked(verdict.notChecked, reasons).map((line): Item => [plain(`  ${line}`, 'doubtful')]);
  return { title: 'Not checked', items, keep: 3, cutFrom: 'end', rank: 30 };
}

export function colophon({ tool }: RedactedVerdict): Section {
  const changes = [
    ['replaced', tool.replaced],
    ['added', tool.added],
    ['disabled', tool.disabled],
  ] as const;
  const words = changes.filter(([, ids]) => ids.length > 0).map(([change, ids]) => `; ${change}: ${clip(ids.join(', '), 200)}`);
  return {
    title: null,
    items: [[plain(`eks-bootstrap-analyzer ${tool.version}, patterns ${tool.packDigest.slice(0, 12)}${words.join('')}`, 'faint')]],
    keep: 0,
    cutFrom: 'end',
    rank: 5,
  };
}

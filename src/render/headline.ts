// Words the first lines of a verdict: status and cause, what it means, and which node at what time.
import type { RedactedVerdict, Status } from '../types.ts';
import { type Item, plain, type Section, type Tone } from './section.ts';
import { secondsToReady } from './seconds-to-ready.ts';
import { between, clip, clock, duration } from './wording.ts';

const TONES = {
  ready: 'good',
  bootstrapping: 'plain',
  stalled: 'bad',
  failed: 'bad',
  unknown: 'doubtful',
} satisfies Record<Status, Tone>;
export const WITHOUT_CAUSE = {
  ready: 'the node joined the cluster and is Ready',
  bootstrapping: 'no failure found so far, the boot has not ended',
  stalled: 'the boot stopped making progress, and no known cause was found',
  failed: 'a step of the boot failed, and no known cause was found',
  unknown: 'no known cause in what was read',
} satisfies Record<Status, string>;
/** Code of what a run without root could not read. */
export const NOT_ROOT = 'not-root';
const WITHOUT_RIGHTS = 'Not run as root: most logs of a node can be read by root alone. Run it again with sudo.';
const SUMMARY_MAX_CHARS = 700;
const NODE_MAX_CHARS = 400;

/** The first line in its parts. */
export interface TitleParts {
  /** `FAILED:`, `READY, but` */
  readonly status: string;
  readonly title: string;
  /** `(swap-enabled, confidence high)`, empty without a cause. */
  readonly aside: string;
  readonly tone: Tone;
}

export function titleParts(verdict: RedactedVerdict): TitleParts {
  const { status, cause } = verdict;
  const [word, tone] = [status.toUpperCase(), TONES[status]];
  if (cause === null) return { status: `${word}:`, title: withoutCause(verdict), aside: '', tone };
  const joint = status === 'ready' ? ', but' : cause.possible ? ', possibly:' : ':';
  const aside = `(${cause.id}, confidence ${cause.confidence})`;
  return { status: `${word}${joint}`, title: cause.title, aside, tone };
}

export function headline(verdict: RedactedVerdict): Section {
  const { cause } = verdict;
  const { status, title, aside, tone } = titleParts(verdict);
  const meaning = cause === null ? standing(verdict) : clip(cause.summary, SUMMARY_MAX_CHARS);
  const lacksRights = verdict.notChecked.some(({ code }) => code === NOT_ROOT);
  const items: Item[] = [
    ...(lacksRights ? [[plain(WITHOUT_RIGHTS, 'doubtful')]] : []),
    [{ ...plain(`${status} ${title} ${aside}`.trimEnd(), tone), kind: 'title' }],
    ...(meaning === '' ? [] : [[plain(meaning)]]),
    [plain(nodeLine(verdict), 'faint')],
  ];
  return { title: null, items, keep: items.length, cutFrom: 'end', rank: 100 };
}

function withoutCause(verdict: RedactedVerdict): string {
  const { status } = verdict;
  const seconds = status === 'ready' ? secondsToReady(verdict) : null;
  return seconds === null ? WITHOUT_CAUSE[status] : `Ready ${duration(seconds * 1000)} after boot`;
}

/** Where the boot stands, when no cause can be named. */
function standing(verdict: RedactedVerdict): string {
  if (verdict.status === 'ready') return '';
  const { reached, current, since } = verdict.phase;
  if (reached === null && current === null) return 'None of the known steps of a boot was seen in what was read.';
  const idleMs = between(since, verdict.at);
  const idle =
    idleMs === null || idleMs < 1_000 ? '' : ` No progress for ${duration(idleMs)}, since ${clock(since, verdict.at)}.`;
  const finished =
    reached === null ? 'No step is known to have finished' : `Last finished: ${titleOf(verdict, reached)}`;
  const hasBegun = verdict.timeline.some(({ phase, state }) => phase === current && state !== 'finished');
  const waiting = current === null ? '' : `; waiting ${hasBegun ? 'in' : 'in or before'}: ${titleOf(verdict, current)}`;
  return `${finished}${waiting}.${idle}`;
}

function titleOf(verdict: RedactedVerdict, phase: string): string {
  return verdict.timeline.find((entry) => entry.phase === phase)?.title ?? phase;
}

function nodeLine({ node, at, uptimeSeconds }: RedactedVerdict): string {
  const names = [
    node.instanceId,
    node.privateDnsName,
    node.instanceType,
    node.availabilityZone ?? node.region,
    node.cluster === null ? null : `cluster ${node.cluster}`,
    node.nodePool === null ? null : `node pool ${node.nodePool}`,
    node.capacityType,
    node.os,
    node.kubeletVersion === null ? null : `kubelet ${node.kubeletVersion}`,
  ].filter((name) => name !== null);
  const uptime = uptimeSeconds === null ? '' : `, ${duration(uptimeSeconds * 1000)} after boot`;
  const when = at === null ? 'at an unknown time' : `as of ${clock(at, null)}${uptime}`;
  return clip([names.length === 0 ? 'Node not named' : names.join(', '), when].join('; '), NODE_MAX_CHARS);
}

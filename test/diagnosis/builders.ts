// Small packs and match results for the tests of the diagnosis: everything has a default, a test names what matters.
import type {
  Cause,
  LogRecord,
  MatchResult,
  MatchSummary,
  Milestone,
  Pack,
  Pattern,
  Phase,
  PhaseRole,
  ProbeOutcome,
  ProbeResult,
  ProbeUse,
  Requirement,
  Signature,
} from '../../src/types.ts';

export const START_MS = Date.UTC(2025, 4, 6, 8, 0, 0);

export function pattern(key: string, over: Partial<Pattern> = {}): Pattern {
  return {
    key,
    streams: null,
    regex: key,
    ignoreCase: false,
    literals: [key],
    not: [],
    levels: null,
    unit: null,
    keepTimes: 0,
    startsBoot: false,
    guarded: false,
    ...over,
  };
}

export function signature(causeId: string, id: string, over: Partial<Signature> = {}): Signature {
  return {
    id,
    pattern: pattern(`${causeId}/${id}`),
    decisive: true,
    wording: 'own',
    occurrences: null,
    stays: false,
    requires: [],
    appliesTo: {},
    derivedOnly: false,
    ...over,
  };
}

export function cause(id: string, over: Partial<Cause> = {}): Cause {
  return {
    id,
    title: id,
    kind: 'cause',
    group: 'host',
    phase: 'bootstrap',
    severity: 'fatal',
    repair: 'fix-first',
    persistsMs: 0,
    summary: `${id} happened`,
    explains: [],
    signatures: [signature(id, 's')],
    stalls: [],
    recoveredBy: [],
    probes: [],
    remedy: [],
    check: [],
    idle: false,
    image: [],
    falsePositives: [],
    awsChecks: false,
    references: [],
    ...over,
  };
}

export function milestone(
  id: string,
  phase: string | null,
  kind: Milestone['kind'],
  facts: Record<string, string> = {},
): Milestone {
  return { id, kind, phase, title: id, pattern: pattern(id), facts };
}

const ROLES: Readonly<Record<string, PhaseRole>> = {
  kernel: 'machine',
  registration: 'registration',
  cni: 'network',
  ready: 'ready',
};

/** The shape of the real phases: host, two steps, registration, cni, ready. */
export const PHASES: readonly Phase[] = ['kernel', 'bootstrap', 'kubelet-start', 'registration', 'cni', 'ready'].map(
  (id) => ({
    id,
    title: id,
    families: null,
    usualMs: 10_000,
    stalledAfterMs: 60_000,
    role: ROLES[id] ?? null,
    isScript: false,
    asks:
      id === 'ready'
        ? { probe: 'node-registered', yes: ['ok'], no: ['not-ready', 'unauthorized', 'forbidden', 'not-found'] }
        : null,
  }),
);

export const MILESTONES: readonly Milestone[] = [
  milestone('kernel-started', 'kernel', 'started'),
  milestone('bootstrap-started', 'bootstrap', 'started'),
  milestone('bootstrap-finished', 'bootstrap', 'finished'),
  milestone('kubelet-started', 'kubelet-start', 'finished'),
  milestone('node-registered', 'registration', 'finished'),
  milestone('cni-installed', 'cni', 'finished'),
  milestone('node-ready', 'ready', 'finished'),
  milestone('node-not-ready', 'ready', 'failed'),
];

export function pack(causes: readonly Cause[], over: Partial<Pack> = {}): Pack {
  return {
    digest: '0'.repeat(64),
    streamTable: {
      streams: [],
      processList: 'processes',
      groups: {},
      mixedPaths: [],
      foreign: { paths: [], except: [], content: [] },
      factFiles: [],
      ignoredPaths: [],
      logFolders: [],
    },
    phases: PHASES,
    milestones: MILESTONES,
    causes,
    replaced: [],
    added: [],
    disabled: [],
    ...over,
  };
}

/** A record `seconds` after START_MS; null for one without a stamp. */
export function record(seconds: number | null, over: Partial<LogRecord> = {}): LogRecord {
  return {
    stream: 'kubelet',
    process: 'kubelet[1]',
    time: { wallMs: seconds === null ? null : START_MS + seconds * 1000, monotonicMs: null },
    origin: { source: 'messages', offset: seconds === null ? 0 : seconds, cursor: null },
    raw: `line at ${seconds}`,
    message: 'message',
    level: 'error',
    component: null,
    unit: null,
    provenance: 'proven',
    ...over,
  };
}

/** Matches of one pattern at the given seconds. */
export function seen(
  key: string,
  at: readonly (number | null)[],
  captures: Record<string, string> = {},
  over: Partial<LogRecord> = {},
): [string, MatchSummary] {
  const records = at.map((seconds) => record(seconds, over));
  const summary: MatchSummary = {
    key,
    provenance: over.provenance ?? 'proven',
    count: records.length,
    first: records[0]!,
    last: records.at(-1)!,
    firstRecords: records.slice(0, 3),
    lastRecords: records.slice(-3),
    times: records.map(({ time }) => time.wallMs).filter((ms) => ms !== null),
    captures,
    lastCaptures: captures,
    streams: [...new Set(records.map(({ stream }) => stream))],
  };
  return [key, summary];
}

/** What the matcher found; the capture ends `endSeconds` after START_MS. */
export function matched(
  endSeconds: number,
  summaries: readonly [string, MatchSummary][],
  over: Partial<MatchResult> = {},
): MatchResult {
  return {
    matches: new Map(summaries),
    earlierMatches: new Map(),
    sources: [
      {
        source: 'messages',
        bytes: 1,
        streams: ['kubelet'],
        firstWallMs: START_MS,
        lastWallMs: START_MS + endSeconds * 1000,
        lastMonotonicMs: null,
        bootId: null,
        lastErrors: [],
        earlierVerdicts: 0,
      },
    ],
    bootWallMs: START_MS,
    bootId: null,
    facts: {},
    notChecked: [],
    ...over,
  };
}

export const CAPTURE = { nowMs: null, uptimeSeconds: null, version: '0.0.0', sequence: 0, final: true } as const;

export function use(
  probe: string,
  code: string | readonly string[],
  as: ProbeUse['as'],
  over: Partial<ProbeUse> = {},
): ProbeUse {
  return {
    probe,
    codes: typeof code === 'string' ? [code] : code,
    as,
    where: [],
    when: 'stalled',
    requires: [],
    appliesTo: {},
    ...over,
  };
}

export function answer(
  probe: string,
  code: string,
  facts: ProbeResult['facts'] = {},
  outcome: ProbeOutcome = code === 'ok' ? 'ok' : 'fail',
): ProbeResult {
  return { probe, code, outcome, facts, elapsedMs: 10 };
}

export function requirement(kind: Requirement['kind'], target: string, over: Partial<Requirement> = {}): Requirement {
  return {
    kind,
    target,
    codes: null,
    order: null,
    withinMs: null,
    sameStream: false,
    sameProcess: false,
    absent: false,
    ...over,
  };
}

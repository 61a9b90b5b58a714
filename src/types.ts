// The shared vocabulary: the shapes that every part passes on. Imports nothing and holds no behaviour.

// ---------------------------------------------------------------- records

/** Where a record stands: a file with the byte offset of its first line, or a journal with the entry's cursor. */
export interface Origin {
  readonly source: string;
  readonly offset: number | null;
  /** Line of the file, from 1; null or absent where nobody counted, 0 where the text was rewritten on its way and has no place. */
  readonly line?: number | null;
  readonly cursor: string | null;
  /** Byte offset behind its last line; absent where the offset is null. */
  readonly end?: number;
}

/** When a record was written. `wallMs` is Unix time in ms; `monotonicMs` counts from the boot; null where the line gives none. */
export interface RecordTime {
  readonly wallMs: number | null;
  readonly monotonicMs: number | null;
}

/**
 * Who can have said it, the surest first. proven: journald's trusted fields, or the component's own file. named: a mixed log
 * whose line names the process. pasted: no name, but form or content tells the component. unproven: nothing tells. foreign:
 * another program's words. How each arises: src/matching/provenance.ts; what needs which: src/diagnosis/trust.ts.
 */
export type Provenance = 'proven' | 'named' | 'pasted' | 'unproven' | 'foreign';

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** One log entry with every log format taken off. `message` has at most 16 KiB, `raw` at most 4 KiB. */
export interface LogRecord {
  readonly stream: string;
  /** Identifier with pid (`kubelet[3214]`), the unit of "same process"; null if the line names none. */
  readonly process: string | null;
  readonly time: RecordTime;
  readonly origin: Origin;
  readonly raw: string;
  readonly message: string;
  readonly level: Level | null;
  /** Source file or caller that logged it (`kubelet_node_status.go`), null if unknown. */
  readonly component: string | null;
  readonly unit: string | null;
  /** How often it happened, where the record itself says so (an event's `x210 over 48m`). */
  readonly repeats?: number;
  readonly provenance: Provenance;
  /** Of what may become evidence. */
  around?: { lines(): EvidenceContext };
}

// ---------------------------------------------------------------- the compiled pack

export type CauseKind = 'cause' | 'symptom';
/** fatal: does not heal by itself. transient: counts as failed only after `persists`. degraded: the node may be Ready all the same. */
export type Severity = 'fatal' | 'transient' | 'degraded';

/** Whether a new node in place of this one would do better. What each means: docs/json.md. */
export const REPAIRS = ['replace-helps', 'replace-useless', 'wait', 'fix-first'] as const;
export type Repair = (typeof REPAIRS)[number];

export interface Requirement {
  readonly kind: 'signature' | 'milestone' | 'probe';
  /** Pattern key (`cause/signature`, `milestone`) or probe name. */
  readonly target: string;
  /** Answers of the probe that meet it; null: whatever means trouble. */
  readonly codes: readonly string[] | null;
  readonly order: 'before' | 'after' | null;
  readonly withinMs: number | null;
  readonly sameStream: boolean;
  readonly sameProcess: boolean;
  /** True: the target must be absent. */
  readonly absent: boolean;
}

/** A compiled regular expression with its gate: the one shape that the matcher knows. */
export interface Pattern {
  /** `cause-id/signature-id`, a milestone id, or `cause-id/stall-id#process`. */
  readonly key: string;
  /** Streams whose records it may match; null: any. */
  readonly streams: readonly string[] | null;
  readonly regex: string;
  readonly ignoreCase: boolean;
  /** At least one of these stands in every line that the expression matches (ASCII, 4 to 64 bytes). */
  readonly literals: readonly string[];
  /** Expressions that veto the match. */
  readonly not: readonly string[];
  readonly levels: readonly Level[] | null;
  readonly unit: string | null;
  /** How many match times are kept, for `occurrences`. */
  readonly keepTimes: number;
  /** A match starts a new boot: what this source said before belongs to an earlier one. */
  readonly startsBoot: boolean;
  /** From an operator's file: nobody has measured how long its expressions can take. */
  readonly guarded: boolean;
}

/** Runs the expressions of guarded patterns, so that none of them can hold up the rest. */
export interface ExpressionGuard {
  /** False if the work was cut off or not begun: then the pattern is off from now on. */
  run(pattern: Pattern, work: () => void): boolean;
}

export interface Signature {
  readonly id: string;
  readonly pattern: Pattern;
  readonly decisive: boolean;
  /** common: other programs print the same text, so that it proves little while its speaker is unknown; anyone: nothing at all. */
  readonly wording: 'own' | 'common' | 'anyone';
  readonly occurrences: {
    readonly atLeast: number;
    readonly withinMs: number | null;
    readonly lastingMs: number | null;
  } | null;
  /** True: said once, it lasts. */
  readonly stays: boolean;
  readonly requires: readonly Requirement[];
  readonly appliesTo: Readonly<Record<string, readonly string[]>>;
  /** True if every sample is only derived: then it proves at most `medium`. */
  readonly derivedOnly: boolean;
}

export interface Stall {
  readonly id: string;
  readonly after: string;
  readonly without: readonly string[];
  readonly forMs: number;
  readonly process: Pattern | null;
  /** It only makes the cause possible: the step may as well be slow. */
  readonly suspects: boolean;
  readonly appliesTo: Readonly<Record<string, readonly string[]>>;
}

export interface Explanation {
  readonly id: string;
  readonly withinMs: number | null;
  readonly onlyIfBefore: boolean;
}

/** A condition on one fact of a probe's answer; a fact that the answer does not have fails it. */
export type FactTest =
  | { readonly fact: string; readonly test: 'equals'; readonly value: string | number | boolean }
  | { readonly fact: string; readonly test: 'in'; readonly value: readonly (string | number)[] }
  | { readonly fact: string; readonly test: 'matches'; readonly value: string }
  | { readonly fact: string; readonly test: 'atLeast' | 'atMost'; readonly value: number };

/** What an answer says about a cause. ends: it was so, and is over. */
export type Bearing = 'proves' | 'confirms' | 'refutes' | 'ends';

export interface ProbeUse {
  readonly probe: string;
  readonly codes: readonly string[];
  readonly as: Bearing;
  readonly where: readonly FactTest[];
  /** When it proves without any line: once the boot makes no progress, or whenever the node is not Ready. */
  readonly when: 'stalled' | 'always';
  /** What must be there besides for it to prove without any line. */
  readonly requires: readonly Requirement[];
  readonly appliesTo: Readonly<Record<string, readonly string[]>>;
}

export interface RemedyStep {
  readonly text: string;
  readonly command: string | null;
  /** Whose shell the command is for. */
  readonly where: 'node' | 'admin';
  /** Facts of the node that the step is for. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

export interface Cause {
  readonly id: string;
  readonly title: string;
  readonly kind: CauseKind;
  readonly group: string;
  readonly phase: string;
  readonly severity: Severity;
  readonly persistsMs: number;
  /** Null for a symptom. */
  readonly repair: Repair | null;
  readonly summary: string;
  readonly explains: readonly Explanation[];
  readonly signatures: readonly Signature[];
  readonly stalls: readonly Stall[];
  /** Milestone ids or signature keys after which the finding no longer counts. */
  readonly recoveredBy: readonly string[];
  readonly probes: readonly ProbeUse[];
  readonly remedy: readonly RemedyStep[];
  /** Read-only steps that confirm the cause. */
  readonly check: readonly RemedyStep[];
  /** True where an instance that was never meant to join shows the same. */
  readonly idle: boolean;
  /** Faults of an image that become this cause when it boots. */
  readonly image: readonly string[];
  readonly falsePositives: readonly string[];
  /** An administrator may find the reason in AWS: in the network, the role or the access entries. */
  readonly awsChecks: boolean;
  readonly references: readonly string[];
}

/** ended: the phase is over, which says nothing about its success; finished: it ended well. */
export type MilestoneKind = 'started' | 'progress' | 'finished' | 'ended' | 'failed' | 'fact';

export interface Milestone {
  readonly id: string;
  readonly kind: MilestoneKind;
  /** Phase it belongs to; null for mere facts. */
  readonly phase: string | null;
  readonly title: string;
  readonly pattern: Pattern;
  /** Node facts that the milestone proves by itself, e.g. `os: al2023`. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface Phase {
  readonly id: string;
  readonly title: string;
  /** OS families in which the phase exists; null: all. */
  readonly families: readonly string[] | null;
  readonly usualMs: number;
  readonly stalledAfterMs: number;
  /** What the diagnosis takes it for; each role is there once, null for all other phases. */
  readonly role: PhaseRole | null;
  /** True for a script of the AMI, to which everything belongs that its log holds while it runs. */
  readonly isScript: boolean;
  /** The probe that knows for sure whether the phase is reached, and which of its codes say so. */
  readonly asks: { readonly probe: string; readonly yes: readonly string[]; readonly no: readonly string[] } | null;
}

export const PHASE_ROLES = ['machine', 'registration', 'network', 'ready'] as const;
export type PhaseRole = (typeof PHASE_ROLES)[number];

/** How one stream is recognised; the fields are tried in this order. */
export interface StreamRule {
  readonly name: string;
  readonly title: string;
  /** A list taken at one moment and not a log; its patterns are tried on such files alone. */
  readonly snapshot: boolean;
  /** journald's trusted `_SYSTEMD_UNIT` (regular expressions, anchored). */
  readonly units: readonly string[];
  /** Syslog identifiers, also the names before `[pid]:` in text logs (regular expressions, anchored). */
  readonly identifiers: readonly string[];
  /** Path globs of files whose unnamed lines belong to the stream. */
  readonly paths: readonly string[];
  /** Live file globs that `diagnose` reads; a subset of what `paths` recognises. */
  readonly liveFiles: readonly string[];
  /** What any script prints lands here too, so that only a line's own form tells who said it. */
  readonly open: boolean;
  /** Last resort: expressions on the bare line. */
  readonly content: readonly string[];
}

export interface FactFile {
  readonly path: string;
  readonly fact: string;
  readonly regex: string;
}

export interface StreamTable {
  readonly streams: readonly StreamRule[];
  /** The stream whose files list the node's processes. */
  readonly processList: string;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Path globs that are many streams in one file (journal output, syslog, console). */
  readonly mixedPaths: readonly string[];
  /** What others say: never evidence for a cause of this node. */
  readonly foreign: {
    /** Files of other programs (logs of pods), `except` the node's own among them. */
    readonly paths: readonly string[];
    readonly except: readonly string[];
    /** How lines of workstation tools begin that name nobody. */
    readonly content: readonly string[];
  };
  /** Small files that hold one node fact each (log collector bundles). */
  readonly factFiles: readonly FactFile[];
  /** Path globs that hold nothing to read. */
  readonly ignoredPaths: readonly string[];
  /** Folders in which a symbolic link of a log may end on a live node. */
  readonly logFolders: readonly string[];
}

export interface Pack {
  /** sha256 over the pack's content, 64 hex digits. */
  readonly digest: string;
  readonly streamTable: StreamTable;
  readonly phases: readonly Phase[];
  readonly milestones: readonly Milestone[];
  readonly causes: readonly Cause[];
  /** Ids that an operator's file replaced, added or disabled. */
  readonly replaced: readonly string[];
  readonly added: readonly string[];
  readonly disabled: readonly string[];
}

// ---------------------------------------------------------------- matching → diagnosis

/** What the matcher knows of one pattern: counters and a few records, never a list that grows with the log. */
export interface MatchSummary {
  readonly key: string;
  /** The best among its records. Records that are trusted less than others are left out where those exist. */
  readonly provenance: Provenance;
  readonly count: number;
  readonly first: LogRecord;
  readonly last: LogRecord;
  /** The first three records, in order of arrival. */
  readonly firstRecords: readonly LogRecord[];
  /** The last three records, in order of arrival; may repeat `firstRecords`. */
  readonly lastRecords: readonly LogRecord[];
  /** The latest match times in ms, oldest first, at most `keepTimes`. */
  readonly times: readonly number[];
  /** Named groups of the first match; and of all matches, where a later value replaces an earlier one. */
  readonly captures: Readonly<Record<string, string>>;
  readonly lastCaptures: Readonly<Record<string, string>>;
  readonly streams: readonly string[];
}

/** What is known of one input after it was read to its end. */
export interface SourceSummary {
  readonly source: string;
  readonly bytes: number;
  readonly streams: readonly string[];
  /** Wall time of the first and last dated record of the current boot. */
  readonly firstWallMs: number | null;
  readonly lastWallMs: number | null;
  readonly lastMonotonicMs: number | null;
  readonly bootId: string | null;
  /** The last error-level records, newest last, at most three a stream. */
  readonly lastErrors: readonly LogRecord[];
  /** Verdict lines of this tool that the input holds. */
  readonly earlierVerdicts: number;
}

/** What is asked of inputs that are still being read: `times` leaves out their last errors, which a verdict shows and a decision does not need. */
export type Extent = 'whole' | 'times';

export interface MatchResult {
  readonly matches: ReadonlyMap<string, MatchSummary>;
  /** Matches of boots before the current one. */
  readonly earlierMatches: ReadonlyMap<string, MatchSummary>;
  readonly sources: readonly SourceSummary[];
  /** Wall time at which the current boot began, null if unknown. */
  readonly bootWallMs: number | null;
  readonly bootId: string | null;
  /** Node facts found in small fact files. */
  readonly facts: Readonly<Record<string, string>>;
  readonly notChecked: readonly NotChecked[];
}

export type ProbeOutcome = 'ok' | 'fail' | 'timeout' | 'skipped';

export interface ProbeResult {
  readonly probe: string;
  readonly outcome: ProbeOutcome;
  readonly code: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly elapsedMs: number;
}

// ---------------------------------------------------------------- the verdict

export interface VerdictProbe extends ProbeResult {
  /** What it says about the cause of the verdict, null if nothing. */
  readonly bearing: Bearing | null;
}

export type Status = 'ready' | 'bootstrapping' | 'stalled' | 'failed' | 'unknown';
export type Confidence = 'high' | 'medium' | 'low';

/** Something that was not looked at. `code` is from a closed list (src/render/not-checked.ts words it). */
export interface NotChecked {
  readonly what: string;
  readonly code: string;
  readonly detail: string;
}

export interface VerdictCause {
  readonly id: string;
  readonly title: string;
  readonly confidence: Confidence;
  /** True where the lines are too few to show that it holds: `check` confirms it. */
  readonly possible: boolean;
  /** What an automation may do about it. */
  readonly repair: Repair;
  readonly summary: string;
  /** Read-only steps that confirm the cause. */
  readonly check: readonly {
    readonly text: string;
    readonly command: string | null;
    readonly where: 'node' | 'admin';
  }[];
  readonly remedy: readonly {
    readonly text: string;
    readonly command: string | null;
    readonly where: 'node' | 'admin';
  }[];
  readonly references: readonly string[];
}

export interface FindingSummary {
  readonly id: string;
  readonly title: string;
  readonly confidence: Confidence;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** Records; 0 if only a probe saw it. */
  readonly count: number;
  /** Id of the cause that explains it, null if none does. */
  readonly explainedBy: string | null;
}

export interface RecoveredFinding {
  readonly id: string;
  readonly title: string;
  /** `recovered` in this boot, or seen only in an `earlier-boot`. */
  readonly state: 'recovered' | 'earlier-boot';
  readonly lastAt: string | null;
  /** Milestone, signature or probe that ended it. */
  readonly by: string | null;
}

export interface TimelineEntry {
  readonly phase: string;
  readonly title: string;
  readonly state: 'finished' | 'running' | 'stalled' | 'failed';
  readonly startedAt: string | null;
  readonly seconds: number | null;
}

/** Whole lines that stand next to a line in its source, whosever they are, at most three on each side. */
export interface EvidenceContext {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Evidence {
  readonly stream: string;
  readonly time: string | null;
  readonly origin: string;
  readonly line: string;
  readonly signature: string;
  readonly count: number;
  /** Absent where nothing stands there. */
  readonly context?: EvidenceContext;
}

export interface NodeFacts {
  readonly instanceId: string | null;
  readonly instanceType: string | null;
  readonly region: string | null;
  readonly availabilityZone: string | null;
  readonly account: string | null;
  readonly partition: string | null;
  readonly amiId: string | null;
  readonly privateDnsName: string | null;
  readonly vpcId: string | null;
  readonly subnetId: string | null;
  readonly securityGroups: string | null;
  readonly roleName: string | null;
  readonly roleArn: string | null;
  readonly cluster: string | null;
  readonly endpointHost: string | null;
  readonly nodePool: string | null;
  /** `on-demand`, `spot`, `reserved` or `capacity-block`. */
  readonly capacityType: string | null;
  readonly kubeletVersion: string | null;
  readonly os: string | null;
}

export interface Verdict {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly status: Status;
  readonly final: boolean;
  readonly cause: VerdictCause | null;
  readonly otherCauses: readonly FindingSummary[];
  readonly symptoms: readonly FindingSummary[];
  readonly recovered: readonly RecoveredFinding[];
  readonly phase: { readonly reached: string | null; readonly current: string | null; readonly since: string | null };
  readonly timeline: readonly TimelineEntry[];
  readonly evidence: readonly Evidence[];
  readonly probes: readonly VerdictProbe[];
  readonly notChecked: readonly NotChecked[];
  readonly node: NodeFacts;
  readonly tool: {
    readonly version: string;
    readonly packDigest: string;
    readonly replaced: readonly string[];
    readonly added: readonly string[];
    readonly disabled: readonly string[];
  };
  readonly bootId: string | null;
  readonly sequence: number;
  /** ISO time at which the verdict was made; in a capture the time of its last record. */
  readonly at: string | null;
  readonly uptimeSeconds: number | null;
}

declare const redacted: unique symbol;
/** A verdict that went through src/redaction: the only thing that render accepts. */
export type RedactedVerdict = Verdict & { readonly [redacted]: true };

/** What was counted of a boot so far; each thing counts once, whoever says it. */
export interface Tally {
  /** Its beginning. */
  readonly started: boolean;
  /** Ids of the causes that were said of it, in their order. */
  readonly seen: readonly string[];
  /** Its last word. */
  readonly ended: boolean;
  readonly recovered: boolean;
}

/** What one event is the first of its boot to say. */
export interface Counts {
  readonly started: boolean;
  readonly seen: boolean;
  readonly ended: boolean;
  readonly recovered: boolean;
  /** Of which cause; null: of none. */
  readonly cause: string | null;
}

/** All that was said in a boot, by every run: what the next one has to know to say nothing twice. */
export interface SaidInBoot {
  /** 32 hex digits. */
  readonly bootId: string;
  /** Grows by one with each event: of two records of a boot the higher one holds all. */
  readonly step: number;
  /** Of the next verdict. */
  readonly sequence: number;
  /** What the run that follows the boot said as its last word; null: nothing yet. */
  readonly lastWord: Status | null;
  /** What that run said last, in ms since boot, and which causes it ever named; null: nothing yet. */
  readonly answer: { readonly atMs: number; readonly text: string; readonly causes: readonly string[] } | null;
  readonly tally: Tally;
  /** The logs behind its failure were gathered to be shipped: that happens once. */
  readonly logs: boolean;
}

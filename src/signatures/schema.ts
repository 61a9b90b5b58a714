// The shape of a pack file as an author writes it. It checks form only; meaning (known ids, cycles, literals) is
// checked in compile.ts. patterns/schema.json is generated from here.
import * as v from 'valibot';
import { PHASE_ROLES, REPAIRS } from '../types.ts';

const id = v.pipe(v.string(), v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be a kebab-case id'));
const reference = v.pipe(v.string(), v.regex(/^[a-z0-9-]+(?:\/[a-z0-9-]+)?$/, 'must be an id or cause/signature'));
const duration = v.pipe(v.string(), v.regex(/^\d+(?:ms|s|m|h)$/, 'must be a duration such as 500ms, 30s, 5m, 1h'));
const text = v.pipe(v.string(), v.minLength(1, 'must not be empty'));
const regex = v.pipe(v.string(), v.minLength(1), v.maxLength(2000, 'an expression has at most 2,000 characters'));
const level = v.picklist(['debug', 'info', 'warn', 'error', 'fatal']);

const matchSample = v.strictObject({
  line: text,
  /** Stream the line is read from; default: the first one of the signature. */
  stream: v.optional(text),
  captures: v.optional(v.record(v.string(), v.string())),
  /** Where the line is known from: `src <component version and file>`, `seen <issue>`, or `derived`. */
  source: v.pipe(v.string(), v.regex(/^(?:src|seen|derived)\b/, 'must begin with src, seen or derived')),
});
const rejectSample = v.strictObject({ line: text, stream: v.optional(text), because: text });
const samples = v.strictObject({
  match: v.pipe(v.array(matchSample), v.minLength(1, 'needs at least one sample that matches')),
  reject: v.optional(v.array(rejectSample), []),
});

const patternEntries = {
  streams: v.optional(v.array(text)),
  regex,
  literals: v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(4), v.maxLength(64))), v.minLength(1))),
  ignoreCase: v.optional(v.boolean(), false),
  not: v.optional(v.array(regex), []),
  level: v.optional(v.array(level)),
  unit: v.optional(regex),
};

const appliesTo = v.optional(v.record(v.string(), v.union([text, v.array(text)])), {});

const codes = v.union([id, v.pipe(v.array(id), v.minLength(1))]);

const requirement = v.pipe(
  v.strictObject({
    signature: v.optional(reference),
    milestone: v.optional(id),
    probe: v.optional(id),
    /** Of a probe: the answers that meet it; without any, every answer that means trouble. */
    code: v.optional(codes),
    within: v.optional(duration),
    order: v.optional(v.picklist(['before', 'after'])),
    sameStream: v.optional(v.boolean(), false),
    sameProcess: v.optional(v.boolean(), false),
    absent: v.optional(v.boolean(), false),
  }),
  v.check(
    (r) => [r.signature, r.milestone, r.probe].filter((x) => x !== undefined).length === 1,
    'names exactly one of signature, milestone, probe',
  ),
  v.check((r) => r.code === undefined || r.probe !== undefined, 'only a probe answers with a code'),
);

const signature = v.strictObject({
  id,
  ...patternEntries,
  decisive: v.boolean(),
  /**
   * Whose words are these? own: only the named components print this text, so it tells its speaker by itself. common: any program may
   * print it (panic, time-out, no space left, forbidden); without a known speaker it is worth no more than a guess. anyone: not even that.
   */
  wording: v.optional(v.picklist(['own', 'common', 'anyone']), 'own'),
  occurrences: v.optional(
    v.strictObject({
      atLeast: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(100)),
      within: v.optional(duration),
      /** At least this long between the first and the last. */
      lasting: v.optional(duration),
    }),
  ),
  /** True: it is said once, and holds until something shows that it is over. It lasts though nobody repeats it. */
  stays: v.optional(v.boolean(), false),
  requires: v.optional(v.array(requirement), []),
  appliesTo,
  samples,
});

const stall = v.strictObject({
  id,
  after: id,
  without: v.pipe(v.array(id), v.minLength(1)),
  for: duration,
  process: v.optional(regex),
  /** True: it may as well be slow. The cause is then only possible, and the boot's status stays what it is. */
  suspects: v.optional(v.boolean(), false),
  appliesTo,
});

const fact = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/, 'must be the snake_case name of a fact'));
const word = v.union([v.string(), v.number()]);
/** A condition on one fact of the answer; a fact that the answer does not have fails it. */
const factTest = v.variant('test', [
  v.strictObject({ fact, test: v.literal('equals'), value: v.union([v.string(), v.number(), v.boolean()]) }),
  v.strictObject({ fact, test: v.literal('in'), value: v.pipe(v.array(word), v.minLength(1)) }),
  v.strictObject({ fact, test: v.literal('matches'), value: regex }),
  v.strictObject({ fact, test: v.literal('atLeast'), value: v.number() }),
  v.strictObject({ fact, test: v.literal('atMost'), value: v.number() }),
]);

const probeUse = v.pipe(
  v.strictObject({
    probe: id,
    /** One answer of the probe's list, or several that say the same here. */
    code: codes,
    /**
     * proves: it makes a finding without any line, and confirms where there are lines. confirms, refutes: it makes a finding of
     * lines surer, or less sure. ends: what the lines say was so, and is over.
     */
    as: v.picklist(['proves', 'confirms', 'refutes', 'ends']),
    where: v.optional(v.array(factTest), []),
    /**
     * When it proves without any line. A probe sees a moment, in which a healthy boot may not have come so far yet: therefore
     * only a boot that makes no progress is judged by it (stalled), but for what no healthy boot ever answers (always).
     */
    when: v.optional(v.picklist(['stalled', 'always']), 'stalled'),
    /** What must be there besides for it to prove without any line: the step that needs what the probe found broken. */
    requires: v.optional(v.array(requirement), []),
    appliesTo,
  }),
  v.check(
    (use) => use.as === 'proves' || (use.when === 'stalled' && use.requires.length === 0),
    'when and requires are for proves alone',
  ),
  v.check(
    ({ requires }) =>
      requires.every((r) => r.within === undefined && r.order === undefined && !r.sameStream && !r.sameProcess),
    'an answer has no place among the lines: no within, order, sameStream or sameProcess',
  ),
);

/**
 * One thing to do. `when` binds it to what is known of the node (os, partition, node_manager …): a fact that differs leaves the step out, an
 * unknown fact keeps it. `where` says whose shell the command is for.
 */
const step = v.strictObject({
  text,
  command: v.optional(text),
  where: v.optional(v.picklist(['node', 'admin']), 'node'),
  when: appliesTo,
});

/** `patterns/<group>/<cause-id>.yaml` */
export const packFileSchema = v.strictObject({
  id,
  title: v.pipe(v.string(), v.minLength(3), v.maxLength(80)),
  kind: v.picklist(['cause', 'symptom']),
  phase: id,
  severity: v.picklist(['fatal', 'transient', 'degraded']),
  persists: v.optional(duration, '0s'),
  /** Whether a new node in place of this one would do better; every cause says it, no symptom does. */
  repair: v.optional(v.picklist(REPAIRS)),
  summary: v.pipe(v.string(), v.minLength(10), v.maxLength(400)),
  explains: v.optional(
    v.array(
      v.union([id, v.strictObject({ id, within: v.optional(duration), onlyIfBefore: v.optional(v.boolean(), true) })]),
    ),
    [],
  ),
  signatures: v.optional(v.array(signature), []),
  stalls: v.optional(v.array(stall), []),
  recoveredBy: v.optional(v.array(reference), []),
  probes: v.optional(v.array(probeUse), []),
  remedy: v.pipe(v.array(step), v.minLength(1)),
  /** What confirms the cause before anything is changed: read-only steps, the surest first. */
  check: v.optional(v.array(step), []),
  /** An instance that was never meant to join shows the same. */
  idle: v.optional(v.boolean(), false),
  /** Faults that `check-image` finds in an image and that become this cause when it boots. */
  image: v.optional(v.array(id), []),
  falsePositives: v.optional(v.array(text), []),
  /** True where the reason is to be found in AWS: the verdict then offers the script of `--format aws-checks`. */
  awsChecks: v.optional(v.boolean(), false),
  references: v.optional(v.array(v.pipe(v.string(), v.url('must be a URL'))), []),
});
export type PackFile = v.InferOutput<typeof packFileSchema>;

/** An operator's file that only switches a built-in cause off. */
export const disabledFileSchema = v.strictObject({ id, disabled: v.literal(true) });

const milestone = v.strictObject({
  id,
  kind: v.picklist(['started', 'progress', 'finished', 'ended', 'failed', 'fact']),
  title: text,
  startsBoot: v.optional(v.boolean(), false),
  facts: v.optional(v.record(v.string(), v.string()), {}),
  ...patternEntries,
  samples,
});

/** `patterns/phases.yaml` */
export const phasesFileSchema = v.strictObject({
  phases: v.array(
    v.strictObject({
      id,
      title: text,
      families: v.optional(v.array(text)),
      usual: duration,
      stalledAfter: duration,
      role: v.optional(v.picklist(PHASE_ROLES)),
      /** A script of the AMI: while it runs, what its log holds behind its own lines is its output too. */
      script: v.optional(v.boolean(), false),
      asks: v.optional(v.strictObject({ probe: id, yes: v.array(id), no: v.array(id) })),
      milestones: v.array(milestone),
    }),
  ),
  facts: v.optional(v.array(milestone), []),
});
export type PhasesFile = v.InferOutput<typeof phasesFileSchema>;

/** `patterns/streams.yaml` */
export const streamsFileSchema = v.strictObject({
  streams: v.array(
    v.strictObject({
      name: id,
      title: text,
      /** A list taken at one moment (processes, unit states) and not a log: known by its path alone. */
      snapshot: v.optional(v.boolean(), false),
      units: v.optional(v.array(regex), []),
      identifiers: v.optional(v.array(regex), []),
      paths: v.optional(v.array(text), []),
      liveFiles: v.optional(v.array(text), []),
      /** What any script prints lands here too, so that only a line's own form tells who said it. */
      open: v.optional(v.boolean(), false),
      content: v.optional(v.array(regex), []),
    }),
  ),
  /** The stream whose files list the node's processes: there a stall finds what hangs. */
  processList: id,
  groups: v.optional(v.record(v.string(), v.array(text)), {}),
  mixedPaths: v.optional(v.array(text), []),
  /** What others say: never evidence for a cause of this node. */
  foreign: v.optional(
    v.strictObject({
      paths: v.optional(v.array(text), []),
      except: v.optional(v.array(text), []),
      content: v.optional(v.array(regex), []),
    }),
    { paths: [], except: [], content: [] },
  ),
  factFiles: v.optional(v.array(v.strictObject({ path: text, fact: text, regex })), []),
  ignoredPaths: v.optional(v.array(text), []),
  logFolders: v.optional(v.array(text), []),
});
export type StreamsFile = v.InferOutput<typeof streamsFileSchema>;
export type PatternFile = Pick<
  v.InferOutput<typeof signature>,
  'streams' | 'regex' | 'literals' | 'ignoreCase' | 'not' | 'level' | 'unit'
>;
export type SamplesFile = v.InferOutput<typeof samples>;
export type RequirementFile = v.InferOutput<typeof requirement>;
export type ProbeUseFile = v.InferOutput<typeof probeUse>;

// Asks the node through its probes and remembers the latest answer of each. The only way from a command to the probes.
import { nearest } from '../../nearest.ts';
import { OperatorError } from '../../operator-error.ts';
import { EXIT_BAD_USAGE } from '../../exit-codes.ts';
import type { Settings } from '../../parse-arguments.ts';
import { PROBES } from '../../probes/index.ts';
import type { Known, Probe } from '../../probes/probe.ts';
import { type ProbeParts, runProbes } from '../../probes/run-probes.ts';
import type { AnswerTables } from '../../render/probes.ts';
import type { NotChecked, ProbeResult } from '../../types.ts';

/** Who the node is. */
export const IDENTITY: ReadonlySet<string> = new Set([
  'instance-metadata-reachable',
  'cluster-configured',
  'identity-told',
]);
/** Files of the node alone: as good as free. */
export const CLUSTER: ReadonlySet<string> = new Set(['cluster-configured', 'identity-told']);
/** What the API server says of it, with all that is known of the node. */
export const READINESS: ReadonlySet<string> = new Set([
  ...PROBES.filter(({ stage }) => stage === 'facts').map(({ name }) => name),
  'node-registered',
]);

/** What every code of every probe means. */
export const ANSWERS: AnswerTables = new Map(PROBES.map(({ name, answers }) => [name, answers]));

export interface ProbingRequest {
  /** Names to ask if the operator left the choice; null: all. */
  readonly names: ReadonlySet<string> | null;
  /** False: leaves out what is asked whatever the logs say. */
  readonly withBase?: boolean;
  readonly known: Known;
  readonly signal: AbortSignal;
  readonly totalMs?: number;
  /** True: what was answered once is not asked again. */
  readonly onlyNew?: boolean;
}

export interface Probing {
  /** The latest answers, in the order of the registry. */
  results(): readonly ProbeResult[];
  /** What an answer said of the node; null if none did. */
  fact(name: string): string | null;
  /** Probes that ended by a fault of ours. */
  notes(): readonly NotChecked[];
  /** Never rejects: what is not answered in time is an answer too, unless the signal ended it. */
  ask(request: ProbingRequest): Promise<void>;
}

/** @throws OperatorError for a name that no probe has. */
export function createProbing(doors: Omit<ProbeParts, 'known'>, choice: Settings['probe']): Probing {
  const chosen = chooser(choice);
  const results = new Map<Probe, readonly ProbeResult[]>();
  const notes = new Map<string, NotChecked>();
  let learned: Known = new Map();
  const latest = (): readonly ProbeResult[] => PROBES.flatMap((probe) => results.get(probe) ?? []);
  return {
    results: latest,
    fact: (name) => {
      const value = latest().find(({ facts }) => facts[name] !== undefined)?.facts[name];
      return value === undefined ? null : String(value);
    },
    notes: () => [...notes.values()],
    async ask({ names, withBase = true, known, signal, totalMs, onlyNew = false }) {
      const probes = PROBES.filter(
        (probe) =>
          (chosen(probe, names) || (choice === 'auto' && withBase && isBase(probe))) &&
          !(onlyNew && results.has(probe)),
      );
      if (probes.length === 0) return;
      const limits = { signal, ...(totalMs === undefined ? {} : { totalMs }) };
      const run = await runProbes(probes, { ...doors, known: new Map([...known, ...learned]) }, limits).catch(
        (error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        },
      );
      if (run === null) return;
      for (const probe of probes) {
        results.set(
          probe,
          run.results.filter((result) => result.probe === probe.name),
        );
        notes.delete(probe.name);
      }
      for (const note of run.notChecked) notes.set(note.what, note);
      learned = new Map([...learned, ...run.known]);
    },
  };
}

/** What is asked whatever the logs say: who the node is, and what costs it next to nothing. */
function isBase({ stage, isBase: base = false }: Probe): boolean {
  return stage === 'facts' || base;
}

function chooser(choice: Settings['probe']): (probe: Probe, names: ReadonlySet<string> | null) => boolean {
  if (choice === 'none') return () => false;
  if (choice === 'all') return () => true;
  if (choice === 'auto') return ({ name }, names) => names === null || names.has(name);
  const known = PROBES.map(({ name }) => name);
  for (const name of choice) {
    if (known.includes(name)) continue;
    const close = nearest(name, known);
    const advice = close === null ? `The probes are ${known.join(', ')}.` : `Did you mean ${close}?`;
    throw new OperatorError(`There is no probe "${name}". ${advice}`, EXIT_BAD_USAGE);
  }
  const wanted = new Set(choice);
  return ({ name }) => wanted.has(name);
}

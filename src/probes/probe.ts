// The shape of a probe: one bounded, read-only question to the live node. Holds no behaviour.
import type { Host } from '../host/host.ts';
import type { Network } from '../host/network/network.ts';
import type { System } from '../host/system.ts';
import type { ProbeOutcome } from '../types.ts';

/** Named, typed values of an answer: node facts, and placeholders of summaries and remedies. */
export type ProbeFacts = Readonly<Record<string, string | number | boolean>>;

/** What is known of the node from its logs and from the probes of the first stage, by fact name. */
export type Known = ReadonlyMap<string, string>;

export interface ProbeContext {
  readonly host: Host;
  readonly system: System;
  readonly network: Network;
  readonly known: Known;
  /** Aborted at the probe's own limit, at the limit of all, or when the run is stopped. */
  readonly signal: AbortSignal;
}

/** Meaning of one code: its outcome, and a sentence in which `{name}` stands for a fact. */
export interface AnswerRule {
  readonly outcome: ProbeOutcome;
  readonly sentence: string;
}

export interface Probe<Code extends string = string> {
  /** A yes/no question (`swap-off`); the file's name. */
  readonly name: string;
  /** `facts` probes run first: what they find out is `known` to the others. */
  readonly stage: 'facts' | 'questions';
  readonly limitMs?: number;
  /** Cheap and telling enough to be asked whatever the logs say; `facts` probes always are. */
  readonly isBase?: boolean;
  /** The closed list of its codes. */
  readonly answers: Readonly<Record<Code, AnswerRule>>;
  /** One answer, or one for each thing in trouble. @throws only by a bug; the runner turns it into `broken`. */
  ask(context: ProbeContext): Promise<ProbeAnswer<Code> | readonly ProbeAnswer<Code>[]>;
}

export interface ProbeAnswer<Code extends string = string> {
  readonly code: Code;
  readonly facts: ProbeFacts;
}

// What a command gets: the process that it runs in, its settings, the doors to all outside, and the signal that stops it. Holds
// no behaviour, so that a test can pass plain objects.
import type { Host } from '../host/host.ts';
import type { Network } from '../host/network/network.ts';
import type { System } from '../host/system.ts';
import type { After } from '../lib/after.ts';
import type { Settings } from '../parse-arguments.ts';
import type { ShippedKind } from '../sinks/cloudwatch/names.ts';
import type { Places } from '../sinks/local/places.ts';
import type { OutputStream } from '../sinks/local/stream.ts';
import type { Shipper } from '../sinks/shipper.ts';
import type { NodeFacts } from '../types.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The part of `process` that the tool uses; a test passes its own. */
export interface RunProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The user that it runs as, 0 for root; absent where there are none. */
  geteuid?(): number;
  on(event: StopSignal, listener: () => void): unknown;
  off(event: StopSignal, listener: () => void): unknown;
}

/** A node by its three doors. */
export interface Machine {
  readonly host: Host;
  readonly system: System;
  readonly network: Network;
}

/** Everything outside of the run. */
export interface Doors {
  /** The files of the machine alone, for a command that asks it nothing. */
  files(): Host;
  /** The machine itself, or the one whose files lie below a root. @throws HostError */
  machine(root: string | null): Promise<Machine>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file of options that are kept on the node, null if there is none. */
  environmentFile(): Promise<string | null>;
  /** As whom the run reads; 0 is root. */
  userId(): number;
  /** Where the run keeps what is its own. */
  readonly places: Places;
  /** The time that the loop of a live run waits by. */
  readonly after: After;
  /** A client of the log service for the verdicts of this node, or for its logs. */
  openShipper(node: NodeFacts, settings: Settings, machine: Machine, of?: ShippedKind): Promise<Shipper>;
}

/** What a command gets: who started it, and the signal that stops it. */
export interface CommandContext {
  readonly process: RunProcess;
  readonly settings: Settings;
  readonly operands: readonly string[];
  readonly doors: Doors;
  readonly signal: AbortSignal;
  /** Asks for this long to finish by itself after the signal; then its exit code counts. */
  finishWithin(limitMs: number): void;
}

// What a scenario is: a node, what befalls it while the analyzer watches, and the verdict that must come. Boots nothing (run-scenario.ts).
import type { Status, Verdict } from '../../src/types.ts';
import type { TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';

export interface Expected {
  readonly status: Status;
  readonly final?: boolean;
  /** Cause id; null: none. */
  readonly cause: string | null;
  /** Texts that must stand in the lines of its evidence. */
  readonly evidence?: readonly string[];
}

export interface Scenario {
  /** A sentence: the node and what it suffers. */
  readonly title: string;
  readonly node: NodeOptions;
  /** What happens while it is watched; the expectation is waited for afterwards. */
  readonly during?: (node: TestNode) => Promise<void>;
  readonly expected: Expected;
  /** From the start of the boot to that verdict. */
  readonly withinSeconds: number;
  /** More that must hold once that verdict is there. */
  readonly also?: (verdict: Verdict, node: TestNode) => void | Promise<void>;
  /** Causes that no verdict on the way may name. */
  readonly never?: readonly string[];
}

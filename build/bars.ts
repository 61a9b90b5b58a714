// A bar is a figure or fact that the project promises. Proofs and benchmarks append theirs to dist/bars.jsonl; CI prints them and fails by them.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from './project.ts';

export const BARS_FILE = join(DIST, 'bars.jsonl');

export interface Bar {
  readonly bar: string;
  readonly wanted: string;
  readonly seen: string;
  readonly ok: boolean;
  /** True: CI fails. A speed bar only fails when missed by more than twice, since machines differ. */
  readonly failed: boolean;
}

export interface Figure {
  readonly bar: string;
  readonly unit: string;
  readonly wanted: number;
  readonly seen: number;
}

/** A time or size: less is better. */
export function atMost({ bar, unit, wanted, seen }: Figure): Bar {
  return {
    bar,
    wanted: `≤ ${wanted} ${unit}`,
    seen: `${round(seen)} ${unit}`,
    ok: seen <= wanted,
    failed: !(seen <= wanted * 2),
  };
}

/** A rate: more is better. */
export function atLeast({ bar, unit, wanted, seen }: Figure): Bar {
  return {
    bar,
    wanted: `≥ ${wanted} ${unit}`,
    seen: `${round(seen)} ${unit}`,
    ok: seen >= wanted,
    failed: !(seen >= wanted / 2),
  };
}

/** A fact: holds or fails. */
export function fact(bar: string, wanted: string, seen: string, ok: boolean = wanted === seen): Bar {
  return { bar, wanted, seen, ok, failed: !ok };
}

export function recordBar(bar: Bar): void {
  mkdirSync(DIST, { recursive: true });
  appendFileSync(BARS_FILE, `${JSON.stringify(bar)}\n`);
  console.log(
    `${bar.ok ? 'ok    ' : bar.failed ? 'FAILED' : 'missed'}  ${bar.bar}: wanted ${bar.wanted}, seen ${bar.seen}`,
  );
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

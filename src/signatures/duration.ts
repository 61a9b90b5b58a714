// Durations as the pack writes them.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s` → 90000. The schema has already checked the form. */
export function durationMs(text: string): number {
  const { amount, unit } = /^(?<amount>\d+)(?<unit>ms|s|m|h)$/.exec(text)!.groups as { amount: string; unit: string };
  return Number(amount) * UNIT_MS[unit]!;
}

/** Null for none. */
export function optionalMs(text: string | undefined): number | null {
  return text === undefined ? null : durationMs(text);
}

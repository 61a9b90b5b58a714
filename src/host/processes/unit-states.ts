// Asks systemd for properties of units. Knows no unit and judges nothing.
import type { UnitProperties } from '../system.ts';
import { toolOutput } from './tool-output.ts';

/** Longer than any probe waits: its signal ends the question. */
const TIME_LIMIT_MS = 10_000;

/** Units that systemd has no file of are left out. Null if systemd does not run here. Works since systemd 219. @throws the signal's reason */
export async function unitStates(
  names: readonly string[],
  properties: readonly string[],
  signal: AbortSignal,
): Promise<readonly UnitProperties[] | null> {
  const args = ['show', '--no-pager', `--property=${['Id', 'LoadState', ...properties].join(',')}`, '--', ...names];
  const output = await toolOutput({ name: 'systemctl', args, timeLimitMs: TIME_LIMIT_MS, signal });
  const units = parseUnits(output?.stdout ?? '');
  return units.length === 0 ? null : units.filter((unit) => unit.get('LoadState') !== 'not-found');
}

/** Blocks of `Key=value`, with an empty line between them. */
export function parseUnits(text: string): UnitProperties[] {
  return text
    .split(/\n{2,}/)
    .map((block) => new Map(block.split('\n').flatMap((line) => pairOf(line))))
    .filter((unit) => unit.has('Id'));
}

function pairOf(line: string): [string, string][] {
  const equals = line.indexOf('=');
  return equals < 0 ? [] : [[line.slice(0, equals), line.slice(equals + 1)]];
}

// Where the steps of a boot lie on an axis of time since boot, for those who draw it. Knows nothing of how it is drawn.
import type { RedactedVerdict } from '../types.ts';
import { type BootRow, bootRows } from './sections.ts';
import { millis, SINCE_BOOT } from './wording.ts';

/** What a good boot takes for each phase, in ms, by its id. */
export type UsualMs = ReadonlyMap<string, number>;

/** All places are ms from the start of the axis. */
export interface Bar {
  readonly row: BootRow;
  /** Null where the boot did not say when the step began. */
  readonly from: number | null;
  readonly to: number;
  /** False where the boot did not say when the step ended: it goes on, or is drawn until the next one began. */
  readonly hasEnd: boolean;
  readonly usualTo: number | null;
}

export interface BootPicture {
  /** True where the axis begins at the boot and not at the first step that was seen. */
  readonly isFromBoot: boolean;
  readonly length: number;
  readonly bars: readonly Bar[];
  /** Null for a time that lies outside, or is of the other kind. */
  place(time: string | null): number | null;
}

const LENGTH_MIN_MS = 1_000;

/** Null where no step has a time. */
export function bootPicture(verdict: RedactedVerdict, usualMs: UsualMs): BootPicture | null {
  const rows = bootRows(verdict);
  const sample = rows.find(({ entry }) => entry.startedAt !== null)?.entry.startedAt;
  if (sample === undefined || sample === null) return null;
  const sinceBoot = SINCE_BOOT.test(sample);
  const msOf = (time: string | null): number | null => {
    const ms = time === null || SINCE_BOOT.test(time) !== sinceBoot ? NaN : millis(time);
    return Number.isFinite(ms) ? ms : null;
  };
  const starts = rows.map(({ entry }) => msOf(entry.startedAt));
  const known = starts.filter((ms) => ms !== null);
  if (known.length === 0) return null;
  const first = Math.min(...known);
  const [now, uptime] = [msOf(verdict.at), verdict.uptimeSeconds];
  const bootMs = sinceBoot ? 0 : now === null || uptime === null ? null : now - uptime * 1000;
  const isFromBoot = bootMs !== null && bootMs <= first;
  const zero = isFromBoot ? bootMs : first;
  const ends = rows.map(({ entry }, index) =>
    starts[index] === null || entry.seconds === null ? null : starts[index]! + entry.seconds * 1000,
  );
  const lastSeen = Math.max(...known, ...ends.filter((ms) => ms !== null));
  // A Ready node's boot is over when its last step is, however long it ran on.
  const last = verdict.status === 'ready' || now === null ? lastSeen : Math.max(lastSeen, now);
  const length = Math.max(LENGTH_MIN_MS, last - zero);
  return {
    isFromBoot,
    length,
    bars: rows.map((row, index): Bar => {
      const start = starts[index]!;
      if (start === null) return { row, from: null, to: 0, hasEnd: true, usualTo: null };
      const usual = usualMs.get(row.entry.phase);
      const next = starts.slice(index + 1).find((ms) => ms !== null && ms > start);
      const open = row.entry.state === 'finished' ? start : row.entry.state === 'failed' ? (next ?? last) : last;
      return {
        row,
        from: start - zero,
        to: (ends[index] ?? open) - zero,
        hasEnd: ends[index] !== null,
        usualTo: usual === undefined ? null : Math.min(length, start - zero + usual),
      };
    }),
    place(time) {
      const ms = msOf(time);
      return ms === null || ms < zero || ms > zero + length ? null : ms - zero;
    },
  };
}

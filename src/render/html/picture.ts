// The boot as a picture: a bar for each step by time since boot, a dashed frame for what a good boot takes, a numbered line for each
// proof. Widths are shares of the whole and texts have their own size, so that it is as readable on a phone as on paper.
import { type Bar, type BootPicture, bootPicture, type UsualMs } from '../boot-picture.ts';
import type { RedactedVerdict } from '../../types.ts';
import { clip, duration } from '../wording.ts';
import { escapeHtml } from './escape.ts';

export interface Event {
  /** The number under which the proof stands below the picture. */
  readonly number: number;
  readonly time: string | null;
}

const TOP_PX = 26;
const ROW_PX = 44;
const AXIS_PX = 30;
const BAR_PX = 12;
const TITLE_MAX_CHARS = 26;
/** Events nearer to one another than this share of the axis have one number line. */
const NEAR = 0.06;
/** What took no time can be seen, too. */
const SHARE_MIN = 0.006;
const TICKS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400];
const TICKS_MAX = 4;

/** HTML of the figure; empty where no step has a time. */
export function bootFigure(verdict: RedactedVerdict, usualMs: UsualMs, events: readonly Event[]): string {
  const picture = bootPicture(verdict, usualMs);
  if (picture === null) return '';
  const height = TOP_PX + picture.bars.length * ROW_PX + AXIS_PX;
  const marks = marksOf(picture, events);
  return `<div class="picture">
<svg role="img" aria-labelledby="boot-title boot-desc" height="${height}">
<title id="boot-title">The boot, step by step</title>
<desc id="boot-desc">${escapeHtml(inWords(picture))}</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>
${axis(picture, height)}
${marks.map((mark) => eventMark(mark, height)).join('\n')}
${picture.bars.map((bar, index) => step(bar, TOP_PX + index * ROW_PX, picture)).join('\n')}
</svg>
</div>
<p class="faint">Time since ${picture.isFromBoot ? 'boot' : 'the first step that was seen'}. Dashed: what a good boot takes.${
    picture.bars.some(({ row }) => row.tone === 'bad') ? ' Hatched: what failed or hangs.' : ''
  }${marks.length === 0 ? '' : ' Numbers: the proofs.'}</p>`;
}

function step(bar: Bar, y: number, { length }: BootPicture): string {
  const { row, from, to, usualTo, hasEnd } = bar;
  const isBad = row.tone === 'bad';
  const words = `${isBad ? '✕ ' : ''}${row.mark}${from === null ? '' : ` ${row.mark === 'open' ? '' : duration(to - from)}`}`;
  const text = `<text x="0" y="${y + 12}">${escapeHtml(clip(row.entry.title, TITLE_MAX_CHARS))}</text>
<text class="${isBad ? 'alarm' : 'soft'}" x="100%" y="${y + 12}" text-anchor="end">${escapeHtml(words.trimEnd())}</text>`;
  if (from === null) return text;
  const place = `x="${share(from, length)}" y="${y + 21}" width="${share(Math.max(to - from, SHARE_MIN * length), length)}" height="${BAR_PX}" rx="2"`;
  const shape = isBad ? 'broken' : hasEnd ? 'step' : 'open';
  const hatch = isBad ? `<rect ${place} fill="url(#hatch)"/>` : '';
  const usual =
    usualTo === null
      ? ''
      : `<rect class="usual" x="${share(from, length)}" y="${y + 18}" width="${share(usualTo - from, length)}" height="${BAR_PX + 6}" rx="3"/>`;
  return `${text}\n<rect class="${shape}" ${place}/>${hatch}${usual}`;
}

function axis({ length }: BootPicture, height: number): string {
  const stepS = TICKS_S.find((seconds) => length / 1000 / seconds <= TICKS_MAX) ?? length / 1000 / TICKS_MAX;
  const y = height - AXIS_PX + 4;
  const ticks: string[] = [];
  for (let ms = 0; ms <= length; ms += stepS * 1000) {
    const anchor = ms === 0 ? 'start' : ms > 0.9 * length ? 'end' : 'middle';
    ticks.push(`<line class="axis" x1="${share(ms, length)}" x2="${share(ms, length)}" y1="${TOP_PX}" y2="${y + 4}"/>
<text class="soft" x="${share(ms, length)}" y="${y + 19}" text-anchor="${anchor}">${ms === 0 ? '0' : duration(ms)}</text>`);
  }
  return `${ticks.join('\n')}\n<line class="axis" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

interface Mark {
  readonly at: number;
  readonly numbers: readonly number[];
}

function marksOf(picture: BootPicture, events: readonly Event[]): Mark[] {
  const placed = events
    .map(({ number, time }) => ({ number, ms: picture.place(time) }))
    .filter((event) => event.ms !== null)
    .toSorted((a, b) => a.ms! - b.ms!);
  const marks: Mark[] = [];
  for (const { number, ms } of placed) {
    const at = ms! / picture.length;
    const last = marks.at(-1);
    if (last === undefined || at - last.at > NEAR) marks.push({ at, numbers: [number] });
    else marks[marks.length - 1] = { at: last.at, numbers: [...last.numbers, number] };
  }
  return marks;
}

function eventMark({ at, numbers }: Mark, height: number): string {
  const x = `${(at * 100).toFixed(2)}%`;
  const anchor = at < 0.04 ? 'start' : at > 0.92 ? 'end' : 'middle';
  const label = numbers.toSorted((a, b) => a - b).join(', ');
  return `<line class="event" x1="${x}" x2="${x}" y1="${TOP_PX - 6}" y2="${height - AXIS_PX + 4}"/>
<circle class="knob" cx="${x}" cy="${TOP_PX - 6}" r="3"/>
<text class="soft" x="${x}" y="${TOP_PX - 13}" text-anchor="${anchor}">${label}</text>`;
}

function share(ms: number, length: number): string {
  return `${((ms / length) * 100).toFixed(2)}%`;
}

function inWords({ bars }: BootPicture): string {
  return bars.map(({ row }) => `${row.entry.title}: ${row.mark}${row.words === '' ? '' : `, ${row.words}`}.`).join(' ');
}

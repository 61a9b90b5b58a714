// How a page looks, in figures that hold for every version of browser and fonts: where its parts stand, how long the bars are, which
// colours are really painted. Pictures compared dot by dot would break with each update of a font, and say nothing of what matters.
import { inflateSync } from 'node:zlib';
import type { Tab } from './browser.ts';

/** Left edge, top, width and height in CSS pixels. */
type Box = readonly [number, number, number, number];

export interface Looks {
  /** By name, from the top left. */
  readonly parts: Readonly<Record<string, Box>>;
  /** Kind, left edge and width; of the picture of the boot. */
  readonly bars: readonly (readonly [string, number, number])[];
  /** By what they are for; only those that the screenshot shows. */
  readonly colours: Readonly<Record<string, string>>;
}

/** Lines break elsewhere in another font: a share, and one line. */
const HEIGHT_SLACK = 0.35;
const LINE_PX = 24;
const EDGE_SLACK_PX = 3;
/** Fewer dots of a colour are chance. */
const DOTS_MIN = 20;

const READ = `(() => {
  const box = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y + scrollY, width, height].map(Math.round); };
  const named = { headline: document.querySelector('h1'), picture: document.querySelector('.picture'), folded: document.querySelector('.rest'), end: document.querySelector('footer') };
  for (const section of document.querySelectorAll('main section')) named[section.querySelector('h2').textContent] = section;
  const edge = document.querySelector('.picture svg')?.getBoundingClientRect().x;
  const style = (selector, name) => { const one = document.querySelector(selector); return one && getComputedStyle(one)[name]; };
  return {
    parts: Object.fromEntries(Object.entries(named).filter(([, one]) => one).map(([name, one]) => [name, box(one)])),
    bars: [...document.querySelectorAll('svg rect[class]')].map((one) => { const { x, width } = one.getBoundingClientRect(); return [one.getAttribute('class'), Math.round(x - edge), Math.round(width)]; }),
    colours: { page: style('body', 'backgroundColor'), card: style('.picture', 'backgroundColor'), command: style('pre', 'backgroundColor'), words: style('h2', 'color'), status: style('h1 .status', 'color'), match: style('mark', 'backgroundColor'), step: style('svg .step', 'fill'), broken: style('svg .broken', 'fill') },
  };
})()`;

/** Of the page that is open, as it is before anything is unfolded. */
export async function looksOf(tab: Tab): Promise<Looks> {
  const { parts, bars, colours } = (await tab.evaluate(READ)) as Looks;
  const options = { format: 'png', captureBeyondViewport: true, optimizeForSpeed: true };
  const { data } = (await tab.send('Page.captureScreenshot', options)) as { data: string };
  const dots = dotsOf(Buffer.from(data, 'base64'));
  const painted = Object.entries(colours).filter(
    ([, colour]) => colour !== null && (dots.get(colour) ?? 0) >= DOTS_MIN,
  );
  const inOrder = Object.entries(parts).toSorted(([, a], [, b]) => a[1] - b[1] || a[0] - b[0]);
  return { parts: Object.fromEntries(inOrder), bars, colours: Object.fromEntries(painted) };
}

/** What differs by more than fonts explain, in words. */
export function differences(stored: Looks | undefined, seen: Looks): string[] {
  if (stored === undefined) return ['nothing is stored of it'];
  const faults: string[] = [];
  const same = (what: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      faults.push(`${what}: ${JSON.stringify(b)}, stored ${JSON.stringify(a)}`);
  };
  const near = (what: string, a: number, b: number, slack = EDGE_SLACK_PX): void => {
    if (Math.abs(a - b) > slack) faults.push(`${what}: ${b} px, stored ${a}`);
  };
  // Beside one another two columns are; in each the order counts.
  const columns = ({ parts }: Looks): unknown =>
    Object.values(Object.groupBy(Object.keys(parts), (name) => (parts[name]![0] < 500 ? 'left' : 'right')));
  same('parts, from the top', columns(stored), columns(seen));
  for (const [name, [x, , width, height]] of Object.entries(stored.parts)) {
    const other = seen.parts[name];
    if (other === undefined) continue;
    near(`left edge of ${name}`, x, other[0]);
    near(`width of ${name}`, width, other[2]);
    near(`height of ${name}`, height, other[3], LINE_PX + HEIGHT_SLACK * height);
  }
  same(
    'kinds of bars',
    stored.bars.map(([kind]) => kind),
    seen.bars.map(([kind]) => kind),
  );
  for (const [index, [kind, x, width]] of stored.bars.entries()) {
    near(`left edge of bar ${index + 1} (${kind})`, x, seen.bars[index]?.[1] ?? NaN);
    near(`width of bar ${index + 1} (${kind})`, width, seen.bars[index]?.[2] ?? NaN);
  }
  same('colours', stored.colours, seen.colours);
  return faults;
}

/** How many dots have each colour, as CSS writes it. Chromium writes 8 bits a channel, not interlaced (https://www.w3.org/TR/png-3/). */
function dotsOf(png: Buffer): Map<string, number> {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const bytes = inflateSync(Buffer.concat(packed));
  const row = width * channels;
  const counts = new Map<number, number>();
  let above = new Uint8Array(row);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (row + 1)]!;
    const line = Uint8Array.from(bytes.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
    for (let i = 0; i < row; i++) {
      const [left, corner] = i < channels ? [0, 0] : [line[i - channels]!, above[i - channels]!];
      line[i] = line[i]! + predicted(filter, left, above[i]!, corner);
    }
    for (let i = 0; i < row; i += channels) {
      const colour = (line[i]! << 16) | (line[i + 1]! << 8) | line[i + 2]!;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    above = line;
  }
  return new Map(
    [...counts].map(([colour, n]) => [`rgb(${colour >> 16}, ${(colour >> 8) & 255}, ${colour & 255})`, n]),
  );
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 2) return filter * left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// The HTML of whole captures, opened by a browser that has no network: at the width of a phone and of a desk, light and dark, and
// printed. Also that --jobs says what one process says.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { OTHER_REASONS } from '../../src/render/not-checked.ts';
import { renderHtml } from '../../src/render/html/verdict-page.ts';
import { eachText, hostileVerdict } from '../render/hostile-verdicts.ts';
import { type Browser, openBrowser } from './browser.ts';
import { differences, type Looks, looksOf } from './html-looks.ts';
import { CAPTURES, each, open, SCHEMES, STORED_LOOKS, STORED_PAGES, WIDTHS } from './html-pages.ts';

/** Of a verdict on a captured node. */
const SHEETS_MAX = 2;
const HTML_MAX_BYTES = 150_000;
/** A page of one colour has 4 KB. */
const PICTURE_MIN_BYTES = 15_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const stored = JSON.parse(readFileSync(STORED_LOOKS, 'utf8')) as Record<string, Looks>;

const folder = mkdtempSync(join(tmpdir(), 'eba-html-'));
let browser: Browser;
before(async () => (browser = await openBrowser()));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Attacks in every text, one of them without a single space. */
function writeHostile(name: string, attack: string): void {
  const verdict = eachText(hostileVerdict('x', true), (text) => (text === 'x' ? attack : text));
  const options = {
    offersAwsChecks: false,
    focus: () => null,
    follows: () => false,
    reasons: OTHER_REASONS,
    answers: new Map(),
    usualMs: new Map(),
  };
  writeFileSync(join(folder, name), renderHtml(verdict as ReturnType<typeof hostileVerdict>, options));
}

test('--jobs gives the pages of one process', () => {
  const { status, stdout } = each('--format', 'html', '--output', folder, '--jobs', '2');
  assert.deepEqual([status, stdout], [10, '']);
  assert.equal(readdirSync(folder).length, CAPTURES.length + 1);
  assert.deepEqual(each('--jobs', '2'), each());
});

test('a part that is gone, narrower or elsewhere, a bar or a colour that is another, is a difference; another font is none', () => {
  const looks = stored[`${STORED_PAGES[0]} 390 light`]!;
  const [x, y, width, height] = looks.parts['Fix']!;
  const changed = (parts: Looks['parts'], more: Partial<Looks> = {}): string[] =>
    differences(looks, { ...looks, parts: { ...looks.parts, ...parts }, ...more });
  assert.deepEqual(changed({ Fix: [x, y + 40, width, height + 100] }), []);
  assert.match(changed({ Fix: [x, y, width - 40, height] }).join(), /width of Fix/);
  assert.match(changed({ Fix: [x, y, width, 0] }).join(), /height of Fix/);
  const { Fix: _fix, ...others } = looks.parts;
  assert.match(differences(looks, { ...looks, parts: others }).join(), /parts, from the top/);
  assert.match(changed({}, { bars: looks.bars.slice(1) }).join(), /kinds of bars/);
  assert.match(changed({}, { colours: { ...looks.colours, broken: looks.colours['step']! } }).join(), /colours/);
  assert.match(differences(undefined, looks).join(), /nothing is stored/);
});

test('every page fits, is readable, asks for nothing and prints on two sheets', { timeout: 120_000 }, async (t) => {
  writeHostile(
    'hostile.html',
    `<script>document.title='bad'</script><img src="https://192.0.2.1/i.png"><style>body{display:none}</style>`,
  );
  writeHostile('unbroken.html', 'W'.repeat(300));
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { tab } = browser;
  const faults: string[] = [];
  for (const file of files) {
    assert.ok(readFileSync(file).length <= HTML_MAX_BYTES, file);
    const grounds = new Set<unknown>();
    for (const width of WIDTHS)
      for (const scheme of SCHEMES) {
        const fault = (what: string): number => faults.push(`${file} at ${width} px, ${scheme}: ${what}`);
        await open(tab, file, width, scheme);
        const { data } = (await tab.send('Page.captureScreenshot')) as { data: string };
        if (Buffer.from(data, 'base64').length < PICTURE_MIN_BYTES) fault('nothing is shown');
        if (STORED_PAGES.includes(basename(file)))
          for (const difference of differences(stored[`${basename(file)} ${width} ${scheme}`], await looksOf(tab)))
            fault(difference);
        await tab.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
        const widest = Number(await tab.evaluate('document.documentElement.scrollWidth'));
        if (widest > width) fault(`${widest} px wide`);
        if ((await tab.evaluate('document.title')) === 'bad') fault('a script ran');
        grounds.add(await tab.evaluate('getComputedStyle(document.body).backgroundColor'));
        await tab.evaluate(AXE);
        const found = await tab.evaluate(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 100)).join(" ")}`))',
        );
        for (const violation of found as string[]) fault(violation);
      }
    if (grounds.size !== SCHEMES.length) faults.push(`${file}: light and dark are the same`);
    await tab.open(`file://${file}`);
    const { data } = (await tab.send('Page.printToPDF')) as { data: string };
    const sheets =
      Buffer.from(data, 'base64')
        .toString('latin1')
        .match(/\/Type ?\/Page\b(?!s)/g)?.length ?? 0;
    t.diagnostic(`${file}: ${sheets} sheets`);
    if (sheets < 1 || (sheets > SHEETS_MAX && file.includes('capture'))) faults.push(`${file}: ${sheets} sheets`);
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(
    tab.requests.filter((address) => !address.startsWith(`file://${folder}/`)),
    [],
  );
});

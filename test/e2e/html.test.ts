// The HTML of whole captures, opened by a browser that has no network: at the width of a phone and of a desk, light and dark, and
// printed. Also that --jobs says what one process says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { OTHER_REASONS } from '../../src/render/not-checked.ts';
import { renderHtml } from '../../src/render/html/verdict-page.ts';
import { eachText, hostileVerdict } from '../render/hostile-verdicts.ts';
import { type Browser, openBrowser } from './browser.ts';
import { EXECUTABLE } from './node.ts';

const CAPTURES = [
  'scenarios/al2-ecr-login-hang',
  'scenarios/al2023-clock-skew',
  'scenarios/al2-user-data-script-failed',
  'scenarios/al2023-s3-layer-unreachable',
  'scenarios/bottlerocket-node-unauthorized',
  'healthy/al2023-json',
].map((name) => join(ROOT, 'test', name, 'capture'));
const WIDTHS = [390, 1280];
const SCHEMES = ['light', 'dark'];
const HEIGHT = 844;
/** Of a verdict on a captured node. */
const SHEETS_MAX = 2;
const HTML_MAX_BYTES = 150_000;
/** A page of one colour has 4 KB. */
const PICTURE_MIN_BYTES = 15_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'eba-html-'));
let browser: Browser;
before(async () => (browser = await openBrowser()));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

function each(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  const command = ['analyze', ...CAPTURES, '--each', '--prefix', 'never', ...args];
  const { status, stdout } = spawnSync(EXECUTABLE, command, { encoding: 'utf8', timeout: 120_000 });
  return { status, stdout };
}

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
        await tab.send('Emulation.setDeviceMetricsOverride', {
          width,
          height: HEIGHT,
          deviceScaleFactor: 1,
          mobile: width < 500,
        });
        await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        await tab.open(`file://${file}`);
        const { data } = (await tab.send('Page.captureScreenshot')) as { data: string };
        if (Buffer.from(data, 'base64').length < PICTURE_MIN_BYTES) fault('nothing is shown');
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

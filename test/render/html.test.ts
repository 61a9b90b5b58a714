import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { HTML_MAX_BYTES, type HtmlOptions, renderHtml } from '../../src/render/html/verdict-page.ts';
import { OTHER_REASONS } from '../../src/render/not-checked.ts';
import { renderText } from '../../src/render/text.ts';
import { ATTACKS, eachText, harmlessTwin, hostileVerdict } from './hostile-verdicts.ts';
import { FAILED, redacted, UNKNOWN } from './verdicts.ts';

const OPTIONS: HtmlOptions = {
  follows: () => false,
  offersAwsChecks: false,
  focus: (_signature, line) => ({ start: Math.floor(line.length / 3), end: Math.ceil(line.length / 2) }),
  reasons: OTHER_REASONS,
  answers: new Map([
    ['swap-off', { 'swap-on': { sentence: 'Swap is switched on ({swap_mib} MiB on {swap_device}).' } }],
  ]),
  usualMs: new Map([['cloud-init', 15_000]]),
};

function tagsOf(html: string): string[] {
  return html.match(/<[^>]*>/g)!;
}

/** What a reader sees, without the marks. */
function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"', '#39': "'" };
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?<name>[a-z0-9#]+);/g, (_all, name: string) => entities[name]!);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}

for (const keepsTimes of [true, false])
  test(`no text of a verdict makes or changes a tag${keepsTimes ? ', nor does it in the picture' : ''}`, () => {
    for (const attack of ATTACKS) {
      const hostile = hostileVerdict(attack, keepsTimes);
      const page = renderHtml(hostile, OPTIONS);
      assert.deepEqual(tagsOf(page), tagsOf(renderHtml(harmlessTwin(hostile), OPTIONS)), attack);
      assert.doesNotMatch(page.replace(/<style>.*?<\/style>/s, ''), /<(?:script|img|image|iframe|object|link|a) /i);
      assert.ok(squeezed(textOf(page)).includes(squeezed(attack)), attack);
    }
  });

test('only a plain https address of the references is a link', () => {
  const at = (...references: string[]): string =>
    renderHtml(redacted({ ...FAILED, cause: { ...FAILED.cause!, references } }), OPTIONS);
  assert.match(
    at('https://docs.example.com/a?b=c'),
    /<a rel="noreferrer" href="https:\/\/docs\.example\.com\/a\?b=c">/,
  );
  for (const address of ['javascript:alert(1)', 'http://x.example/', 'https://x.example/"onclick="', '//x.example'])
    assert.ok(!at(address).includes('<a '), address);
});

test('a policy allows the one style and nothing else', () => {
  const page = renderHtml(redacted(FAILED), OPTIONS);
  const style = /<style>(?<text>.*)<\/style>/s.exec(page)!.groups!['text']!;
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(
    page.includes(`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`),
  );
  assert.doesNotMatch(page.replace(/<style>.*<\/style>/s, ''), / style=|<script|@import|url\((?!#hatch)/);
});

test('it says all that the text says', () => {
  for (const verdict of [FAILED, UNKNOWN]) {
    const page = squeezed(textOf(renderHtml(redacted(verdict), OPTIONS)));
    const words = renderText(redacted(verdict), { ...OPTIONS, color: false, prefix: '', isLog: false, width: null })
      .split('\n')
      .flatMap((line) => line.trim().split(/ {2,}|^(?:\d+\.|-) /))
      .filter((part) => part !== '');
    for (const part of words) assert.ok(page.includes(squeezed(part)), part);
  }
});

test('the lines beside a proof are folded under it, with the proof between them', () => {
  const page = renderHtml(redacted(FAILED), OPTIONS);
  const { words, lines } = /<details class="beside"><summary>(?<words>[^<]*)<\/summary><pre>(?<lines>.*?)<\/pre>/s.exec(
    page,
  )!.groups!;
  assert.equal(words, 'With the lines beside it: 1 before, 1 after');
  const [before, proof, after] = textOf(lines!).split('\n');
  assert.match(before!, /Started kubelet\.service\.$/);
  assert.match(squeezed(proof!), /runningwithswaponisnotsupported/);
  assert.match(after!, /status=1\/FAILURE$/);
  const { context: _context, ...alone } = FAILED.evidence[0]!;
  assert.ok(!renderHtml(redacted({ ...FAILED, evidence: [alone] }), OPTIONS).includes('class="beside"><summary'));
});

test('the picture shows each step, its state in words, what is usual, and the numbers of the proofs', () => {
  const page = renderHtml(redacted(FAILED), OPTIONS);
  const svg = /<svg .*<\/svg>/s.exec(page)![0];
  assert.match(svg, /<title id="boot-title">/);
  assert.match(svg, /<desc id="boot-desc">cloud-init: ok, 5 s\. kubelet: failed/);
  assert.equal(svg.match(/class="usual"/g)?.length, 1);
  assert.match(svg, /class="broken".*fill="url\(#hatch\)"/);
  assert.match(svg, /✕ failed 3 min 14 s/);
  // 204 s after boot at 08:18:54: the first proof, of 08:15:44, lies at 14 s.
  assert.match(svg, /<circle class="knob" cx="6\.86%"/);
});

test('without any time there is a table and no picture', () => {
  const page = renderHtml(
    redacted({ ...FAILED, timeline: FAILED.timeline.map((entry) => ({ ...entry, startedAt: null, seconds: null })) }),
    OPTIONS,
  );
  assert.ok(!page.includes('<svg') && page.includes('<td>cloud-init</td>'));
});

test('a page keeps its size and says what it left out', () => {
  const long = eachText(FAILED, (text) =>
    /^\d{4}-/.test(text) ? text : `${text} ${'<&"\'>'.repeat(400)}`,
  ) as typeof FAILED;
  const many = {
    ...long,
    evidence: Array.from({ length: 80 }, (_, index) => ({ ...long.evidence[0]!, count: 1, origin: `log:${index}` })),
  };
  const page = renderHtml(redacted(many), OPTIONS);
  assert.ok(Buffer.byteLength(page) <= HTML_MAX_BYTES);
  assert.match(page, /Parts of it were left out for length \(\d+ /);
});

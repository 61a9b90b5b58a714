import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKDOWN_MAX_BYTES, type MarkdownOptions, renderMarkdown } from '../../src/render/markdown/markdown.ts';
import { OTHER_REASONS } from '../../src/render/not-checked.ts';
import { renderText } from '../../src/render/text.ts';
import type { Verdict } from '../../src/types.ts';
import { ATTACKS, eachText, hostileVerdict } from './hostile-verdicts.ts';
import { FAILED, redacted, UNKNOWN } from './verdicts.ts';

const OPTIONS: MarkdownOptions = {
  follows: () => false,
  offersAwsChecks: false,
  focus: () => null,
  reasons: OTHER_REASONS,
  answers: new Map([
    ['swap-off', { 'swap-on': { sentence: 'Swap is switched on ({swap_mib} MiB on {swap_device}).' } }],
  ]),
  usualMs: new Map([['cloud-init', 15_000]]),
};

/** What is left to be looked into: without fenced blocks (https://spec.commonmark.org/0.31.2/#fenced-code-blocks) and code spans (#code-spans). */
function live(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const marks = /^ {0,3}(?<marks>`{3,}|~{3,})/.exec(line)?.groups!['marks'] ?? null;
    if (fence !== null) {
      if (marks !== null && marks[0] === fence[0] && marks.length >= fence.length && line.trim() === marks)
        fence = null;
    } else if (marks !== null && !line.slice(marks.length).includes('`')) fence = marks;
    else lines.push(withoutSpans(line));
  }
  assert.equal(fence, null, 'a fence is open at the end');
  return lines.join('\n');
}

function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(?<marks>`+)(?!`).*?(?<!`)\k<marks>(?!`)/g, 'code');
}

const OWN =
  /^(?:<details><summary>[A-Z][A-Za-z, ]+ \(\d+\)<\/summary>|<\/details>|#{2,3} (?=[A-Za-z]|code)|(?:\d+\.|-) )/gm;

test('no text of a verdict is a mark-up, a mention, a link or HTML', () => {
  for (const keepsTimes of [true, false])
    for (const attack of ATTACKS) {
      const markdown = renderMarkdown(hostileVerdict(attack, keepsTimes), OPTIONS);
      const rest = live(markdown).replace(OWN, '');
      assert.doesNotMatch(rest, /[`<@[\]*_~&\\$#|=%{}]|:\/\/|www\.|:\w+:|!\d|^ *(?:>|-|\+|\d+[.)]| {4})/m, attack);
      assert.ok(!/evil|octocat|deadbeef|javascript/.test(rest), attack);
    }
});

test('only a plain https address of the references is a link', () => {
  const at = (...references: string[]): string =>
    live(renderMarkdown(redacted({ ...FAILED, cause: { ...FAILED.cause!, references } }), OPTIONS));
  assert.match(at('https://docs.example.com/a?b=c'), /^- <https:\/\/docs\.example\.com\/a\?b=c>$/m);
  for (const address of ['javascript:alert(1)', 'http://x.example/', 'https://x.example/>', '//x.example'])
    assert.match(at(address), /^- code\)?$/m, address);
});

test('headline, fix, check and proof are open, and a command says whose shell it is for', () => {
  const markdown = renderMarkdown(redacted(FAILED), OPTIONS);
  assert.ok(
    markdown.startsWith(
      `## FAILED: Swap is switched on (swap-enabled, confidence high)\n\n${FAILED.cause!.summary}\n\n`,
    ),
  );
  assert.ok(
    markdown.includes(
      '### Fix\n\n1. Switch swap off.\n\nOn the node:\n\n```sh\nswapoff -a && systemctl restart kubelet\n```\n\n2. ',
    ),
  );
  assert.ok(markdown.includes('```sh\ngrep -n swap /etc/fstab\nsystemctl list-units --type=swap --all\n```\n'));
  assert.ok(markdown.indexOf('### Boot') < markdown.indexOf('<details>'));
});

test('the lines beside a proof stand in a folded part', () => {
  const markdown = renderMarkdown(redacted(FAILED), OPTIONS);
  const { block } =
    /<details><summary>Proof with the lines beside it \(1\)<\/summary>\n\n```\n(?<block>.*?)\n```\n\n<\/details>/s.exec(
      markdown,
    )!.groups!;
  const [before, proof, after] = block!.split('\n');
  assert.match(before!, /^ {2}May .*Started kubelet\.service\.$/);
  assert.match(proof!, /^> kubelet: E run\.go:74\] "command failed"/);
  assert.match(after!, /^ {2}May .*status=1\/FAILURE$/);
});

test('bars stand beside the steps: as long as they took, and dotted to what is usual', () => {
  const lines = renderMarkdown(redacted(FAILED), OPTIONS).split('\n');
  const start = lines.indexOf('### Boot') + 3;
  // One cell is 6.4 s of 204 s: cloud-init from 0 to 5 s, usually to 15 s; the kubelet from 10 s on.
  assert.equal(lines[start], `|█··${' '.repeat(29)}| ok       cloud-init  5 s`);
  assert.match(lines[start + 1]!, /^\| ▒{31}\| failed {3}kubelet/);
});

test('it says all that the text says', () => {
  for (const verdict of [FAILED, UNKNOWN]) {
    const squeezed = (text: string): string => text.replace(/[\s`:]+/g, '');
    const markdown = squeezed(renderMarkdown(redacted(verdict), OPTIONS));
    const parts = renderText(redacted(verdict), { ...OPTIONS, color: false, prefix: '', isLog: false, width: null })
      .split('\n')
      .flatMap((line) =>
        line
          .trim()
          .replace(/^(?:node|admin)\$ /, '')
          .split(/ {2,}/),
      )
      .filter((part) => part !== '');
    for (const part of parts) assert.ok(markdown.includes(squeezed(part)), part);
  }
});

test('it keeps its size and says what it left out', () => {
  const long = eachText(FAILED, (text) => (/^\d{4}-/.test(text) ? text : `${text} ${'` '.repeat(800)}`)) as Verdict;
  const many = {
    ...long,
    evidence: Array.from({ length: 80 }, (_, index) => ({ ...long.evidence[0]!, count: 1, origin: `log:${index}` })),
  };
  const markdown = renderMarkdown(redacted(many), OPTIONS);
  assert.ok(Buffer.byteLength(markdown) <= MARKDOWN_MAX_BYTES);
  assert.match(markdown, /Parts of it were left out for length/);
  live(markdown);
});

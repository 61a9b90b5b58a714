import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderCausesPage } from '../../build/causes-page.ts';
import { ROOT } from '../../build/project.ts';
import { inlineCode, shortSample } from '../../build/sample-text.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const page = renderCausesPage(sources, pack);

test('every cause is in the contents and has a section, every symptom a row', () => {
  for (const { id, kind, title } of pack.causes) {
    if (kind === 'symptom') assert.ok(page.includes(`\n| \`${id}\` | `), id);
    else for (const part of [`- [${title}](#${id})`, `<a id="${id}"></a>`]) assert.ok(page.includes(part), part);
  }
});

test('the same pack gives the same page', () =>
  assert.equal(renderCausesPage(loadFolder(join(ROOT, 'patterns')), pack), page));

test('a long line is cut round what its expression matches', () => {
  const line = `${'before '.repeat(40)}the fault${' after'.repeat(40)}`;
  const short = shortSample(line, { regex: '^the fault', ignoreCase: false });
  assert.match(short, /^….*the fault.*…$/);
  assert.ok(short.length <= 182);
  assert.equal(shortSample('one\n  two', { regex: 'one', ignoreCase: false }), 'one two');
});

test('inline code may hold back-ticks', () => {
  assert.equal(inlineCode('a'), '`a`');
  assert.equal(inlineCode('a `b`'), '`` a `b` ``');
});

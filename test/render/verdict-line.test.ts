import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderVerdictLine, VERDICT_LINE_MAX_BYTES } from '../../src/render/verdict-line.ts';
import { readText } from '../patterns/read-lines.ts';
import { readPack } from '../patterns/verdict-of.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted } from './verdicts.ts';

const line = FAILED.evidence[0]!.line;
const many = Array.from({ length: 8 }, () => ({ ...FAILED.evidence[0]!, line: `${line} ${'"ä'.repeat(1_500)}` }));
const noted = Array.from({ length: 500 }, (_, at) => ({ what: `${line} ${at}`, code: 'missing', detail: line }));
const LONG: Verdict = {
  ...FAILED,
  evidence: many,
  notChecked: noted,
  probes: Array.from({ length: 400 }, () => ({ ...FAILED.probes[0]!, facts: { line } })),
};

test('a verdict that is small stands there whole', () => {
  assert.deepEqual(JSON.parse(renderVerdictLine(redacted(FAILED))), FAILED);
});

test('a verdict that is too long is cut and still a verdict', () => {
  const text = renderVerdictLine(redacted(LONG));
  assert.ok(
    Buffer.byteLength(text) <= VERDICT_LINE_MAX_BYTES && text.endsWith('\n') && !text.slice(0, -1).includes('\n'),
  );
  const cut = JSON.parse(text) as Verdict;
  assert.deepEqual(
    [cut.id, cut.cause, cut.node, Object.keys(cut)],
    [FAILED.id, FAILED.cause, FAILED.node, Object.keys(FAILED)],
  );
  assert.ok(cut.evidence.length > 0);
});

test('a log reader takes nothing of it for evidence', () => {
  const pack = readPack();
  assert.ok(readText(pack, `${line}\n`, null).matches.size > 0);
  const { matches, sources } = readText(
    pack,
    [FAILED, LONG, FAILED].map((verdict) => renderVerdictLine(redacted(verdict))).join(''),
    null,
  );
  assert.deepEqual([matches.size, sources[0]!.earlierVerdicts, sources[0]!.lastErrors], [0, 3, []]);
});

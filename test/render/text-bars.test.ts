// What a person has to read, measured on every captured node: rows to the end of "Fix", matches that are cut, longest line.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { consequencesOf } from '../../src/commands/consequences.ts';
import { focusOf } from '../../src/commands/focus.ts';
import { ANSWERS } from '../../src/commands/live/probing.ts';
import { REASONS } from '../../src/commands/print-verdict.ts';
import { redactVerdict } from '../../src/redaction/redact.ts';
import { quoteLine } from '../../src/render/quote-line.ts';
import { renderText, TEXT_MAX_CHARS } from '../../src/render/text.ts';
import { answersBeside } from '../patterns/answers.ts';
import { captures } from '../patterns/capture-folders.ts';
import { judge, matchesOf, readPack } from '../patterns/verdict-of.ts';
import { readCases } from '../score/practice-case.ts';

const ROWS_MAX = 24;
const COLUMNS = 100;
const QUOTE_MAX_CHARS = 285;
const PIPED_MAX_CHARS = 800;
/** Beside the repository, or beside the folder that holds its work trees. */
const PRACTICE =
  ['..', '../..'].map((up) => join(ROOT, up, 'shared', 'practice')).find((folder) => existsSync(folder)) ?? null;
const COMMAND = /^ +(?:node|admin)\$ /;

const pack = readPack();
const focus = focusOf(pack);

interface Figures {
  readonly name: string;
  readonly rows: number;
  readonly cut: readonly string[];
  /** Of the lines that are no commands. */
  readonly longest: number;
  readonly longestPiped: number;
  readonly characters: number;
}

async function measure(name: string, folder: string): Promise<Figures> {
  const verdict = redactVerdict(judge(pack, await matchesOf(pack, folder), answersBeside(folder)));
  const shared = {
    color: false,
    prefix: '',
    isLog: false,
    offersAwsChecks: pack.causes.find(({ id }) => id === verdict.cause?.id)?.awsChecks === true,
    focus,
    follows: consequencesOf(pack, verdict.cause?.id ?? null),
    reasons: REASONS,
    answers: ANSWERS,
  };
  const piped = renderText(verdict, { ...shared, width: null });
  const lines = renderText(verdict, { ...shared, width: COLUMNS }).split('\n');
  const cut = verdict.evidence.flatMap(({ signature, line }) => {
    const match = focus(signature, line);
    if (match === null) return [];
    const { text, strong } = quoteLine(line, match, QUOTE_MAX_CHARS);
    const words = line.slice(match.start, match.end).replaceAll('\t', ' ');
    return strong !== null && text.slice(strong.start, strong.end) === words ? [] : [`${signature}: ${text}`];
  });
  return {
    name,
    rows: rowsToEndOfFix(lines),
    cut,
    longest: longestOf(lines),
    longestPiped: longestOf(piped.split('\n')),
    characters: piped.length,
  };
}

/** As a terminal of that width shows them, commands broken by the terminal included. 0 without a fix. */
function rowsToEndOfFix(lines: readonly string[]): number {
  const fix = lines.indexOf('Fix');
  if (fix < 0) return 0;
  const end = lines.indexOf('', fix);
  return lines.slice(0, end).reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

/** A word that is longer than the line is not broken. */
function longestOf(lines: readonly string[]): number {
  return Math.max(
    ...lines.filter((line, index) => !isCommand(lines, index) && line.trim().includes(' ')).map((line) => line.length),
  );
}

/** Also the further lines of one, which stand below it. */
function isCommand(lines: readonly string[], index: number): boolean {
  return COMMAND.test(lines[index]!) || (/^ {9}/.test(lines[index]!) && index > 0 && isCommand(lines, index - 1));
}

function report(t: TestContext, all: readonly Figures[]): void {
  const rows = all.map((one) => one.rows).toSorted((a, b) => a - b);
  const most = (pick: (one: Figures) => number): number => Math.max(...all.map(pick));
  t.diagnostic(
    `${all.length} captures: rows to the end of Fix: median ${rows[rows.length >> 1]}, most ${rows.at(-1)}; cut matches ${all.flatMap(({ cut }) => cut).length}; ` +
      `longest line ${most(({ longest }) => longest)} at ${COLUMNS} columns, ${most(({ longestPiped }) => longestPiped)} in a pipe; most characters ${most(({ characters }) => characters)}`,
  );
  assert.deepEqual(
    all.filter((one) => one.rows > ROWS_MAX).map((one) => `${one.name}: ${one.rows} rows`),
    [],
  );
  assert.deepEqual(
    all.flatMap((one) => one.cut.map((what) => `${one.name}: ${what}`)),
    [],
  );
  assert.deepEqual(
    all
      .filter((one) => one.longest > COLUMNS || one.longestPiped > PIPED_MAX_CHARS)
      .map((one) => `${one.name}: ${one.longest}, ${one.longestPiped}`),
    [],
  );
  assert.ok(most(({ characters }) => characters) < TEXT_MAX_CHARS);
}

for (const kind of ['scenarios', 'healthy'] as const)
  test(`text of test/${kind}`, async (t) => {
    const all: Figures[] = [];
    for (const capture of captures(kind)) all.push(await measure(basename(dirname(capture)), capture));
    report(t, all);
  });

test(
  'text of the practice captures',
  { skip: PRACTICE === null ? 'there are no practice captures at ../shared/practice' : false },
  async (t) => {
    const all: Figures[] = [];
    for (const { id, logs } of readCases(PRACTICE!)) all.push(await measure(id, logs));
    report(t, all);
  },
);

// Words a score for a reader: the misses with what was said instead, the causes, the confidence, the wrappers. Pure.
import type { Mark } from './mark.ts';
import { isNone } from './practice-case.ts';

const LINE_MAX_CHARS = 180;

export function reportOf(marks: readonly Mark[]): string {
  return [...misses(marks), ...perCause(marks), ...confidenceTable(marks), ...totals(marks)].join('\n');
}

function misses(marks: readonly Mark[]): string[] {
  const wrong = marks.filter(({ right }) => !right);
  return wrong.length === 0 ? ['no misses'] : ['misses', ...wrong.flatMap(miss)];
}

function miss({ case: given, said, confidence, firstEvidence }: Mark): string[] {
  const labels = `${given.shape} ${given.os} ${given.difficulty}`;
  const head = `  ${given.id} (${labels}): wanted ${[...given.truth, ...given.acceptable].join(' or ')}, said ${said}${confidence === null ? '' : ` (${confidence})`}`;
  return firstEvidence === null ? [head] : [head, `      ${cut(firstEvidence)}`];
}

function cut(text: string): string {
  return text.length > LINE_MAX_CHARS ? `${text.slice(0, LINE_MAX_CHARS)}…` : text;
}

function perCause(marks: readonly Mark[]): string[] {
  const causes = [...new Set(marks.map((mark) => mark.case.truth[0]!))].sort();
  const rows = causes.map((cause) => {
    const own = marks.filter((mark) => mark.case.truth[0] === cause);
    return `  ${String(own.filter(({ right }) => right).length).padStart(3)} of ${String(own.length).padStart(3)}  ${cause}`;
  });
  return ['', 'right per cause', ...rows];
}

function confidenceTable(marks: readonly Mark[]): string[] {
  const named = marks.filter(({ confidence }) => confidence !== null);
  const row = (title: string, of: readonly Mark[]): string =>
    `  ${title.padEnd(6)}${['high', 'medium', 'low'].map((level) => String(of.filter(({ confidence }) => confidence === level).length).padStart(8)).join('')}`;
  return [
    '',
    'confidence    high  medium     low',
    row(
      'right',
      named.filter(({ right }) => right),
    ),
    row(
      'wrong',
      named.filter(({ right }) => !right),
    ),
  ];
}

function totals(marks: readonly Mark[]): string[] {
  const none = marks.filter((mark) => isNone(mark.case));
  const evidenced = marks.filter(
    ({ right, cause, firstEvidence }) => right && cause !== null && firstEvidence !== null,
  );
  return [
    '',
    `right: ${ratio(marks.filter(({ right }) => right).length, marks.length)}`,
    `none-cases without a cause: ${ratio(none.filter(({ right }) => right).length, none.length)}`,
    `right answers whose first evidence is a wrapper: ${ratio(evidenced.filter(({ wrapped }) => wrapped).length, evidenced.length)}`,
  ];
}

function ratio(part: number, whole: number): string {
  return `${part} of ${whole} (${percent(part, whole).toFixed(1)} %)`;
}

/** 100 where there is nothing to count. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (part / whole) * 100;
}

// The bars of one folder of labelled captures. Whole captures are also judged on how sure the answers are; of a paste one
// often cannot be.
import { atLeast, atMost, type Bar, fact } from '../../build/bars.ts';
import { CORE_CAUSES } from './core-causes.ts';
import type { Mark } from './mark.ts';
import { isNone } from './practice-case.ts';
import { percent } from './report.ts';

/** By the folder's name; others are judged like `practice`. */
const RIGHT_PERCENT: Readonly<Record<string, number>> = { practice: 97, 'practice-wild': 95, 'practice-lab': 100 };
const WHOLE = 'practice';
const CORE_PERCENT = 85;
const HIGH_PERCENT = 80;
const HIGH_OR_MEDIUM_PERCENT = 97;
const WRONG_WITH_MEDIUM_PERCENT = 20;
const WRAPPERS_PERCENT = 2;

export function barsOf(folder: string, marks: readonly Mark[]): Bar[] {
  const wrong = marks.filter(({ right }) => !right);
  const alarms = wrong.filter((mark) => isNone(mark.case)).map((mark) => mark.case.id);
  const sure = wrong.filter(({ confidence }) => confidence === 'high').map((mark) => mark.case.id);
  const name = `score ${folder}`;
  return [
    atLeast({
      bar: `${name}: right`,
      unit: '%',
      wanted: RIGHT_PERCENT[folder] ?? RIGHT_PERCENT[WHOLE]!,
      seen: percent(marks.length - wrong.length, marks.length),
    }),
    fact(`${name}: wrong answers with high confidence`, 'none', sure.join(' ') || 'none'),
    fact(`${name}: none-cases with a cause`, 'none', alarms.join(' ') || 'none'),
    ...(folder in RIGHT_PERCENT && folder !== WHOLE ? [] : barsOfWhole(name, marks)),
  ];
}

function barsOfWhole(name: string, marks: readonly Mark[]): Bar[] {
  const core = marks.filter((mark) => mark.case.truth.some((id) => CORE_CAUSES.has(id)));
  const right = core.filter((mark) => mark.right).length;
  const named = marks.filter(({ right: isRight, confidence }) => isRight && confidence !== null);
  const wrong = marks.filter((mark) => !mark.right);
  const sure = (of: readonly Mark[], ...levels: readonly Mark['confidence'][]): number =>
    of.filter(({ confidence }) => levels.includes(confidence)).length;
  const wrapped = named.filter((mark) => mark.wrapped).length;
  return [
    atLeast({
      bar: `${name}: right answers with high confidence`,
      unit: '%',
      wanted: HIGH_PERCENT,
      seen: percent(sure(named, 'high'), named.length),
    }),
    atLeast({
      bar: `${name}: right answers with high or medium`,
      unit: '%',
      wanted: HIGH_OR_MEDIUM_PERCENT,
      seen: percent(sure(named, 'high', 'medium'), named.length),
    }),
    atMost({
      bar: `${name}: wrong answers with medium`,
      unit: '%',
      wanted: WRONG_WITH_MEDIUM_PERCENT,
      seen: share(sure(wrong, 'medium'), wrong.length),
    }),
    atMost({
      bar: `${name}: first evidence is a wrapper`,
      unit: '%',
      wanted: WRAPPERS_PERCENT,
      seen: share(wrapped, named.length),
    }),
    atLeast({
      bar: `${name}: right on the ${core.length} cases of the first pack`,
      unit: '%',
      wanted: CORE_PERCENT,
      seen: percent(right, core.length),
    }),
  ];
}

/** 0 where there is nothing to count. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : percent(part, whole);
}

// Which sections a verdict has, in the order in which an operator needs them. Text, Markdown and HTML write the same ones, so
// that none of them can lack what another says.
import type { RedactedVerdict } from '../types.ts';
import { headline } from './headline.ts';
import type { Reasons } from './not-checked.ts';
import { type AnswerTables, type Follows, probes } from './probes.ts';
import type { Section } from './section.ts';
import {
  boot,
  check,
  colophon,
  consequences,
  fix,
  type Focus,
  notChecked,
  otherCauses,
  proof,
  recovered,
  references,
  symptoms,
} from './sections.ts';

/** What a verdict does not hold itself: how its parts are worded and shown. */
export interface ReportOptions {
  readonly focus: Focus;
  readonly follows: Follows;
  readonly reasons: Reasons;
  readonly answers: AnswerTables;
  /** Is there a script for the administrator's shell, which the check then names? */
  readonly offersAwsChecks: boolean;
}

export interface Report {
  readonly headline: Section;
  /** Fix and check; of a cause that is only possible the check comes first. */
  readonly steps: readonly Section[];
  readonly proof: Section;
  readonly boot: Section;
  readonly rest: readonly Section[];
  readonly colophon: Section;
}

/** `lineMaxChars`: at how many a quoted line is cut, without it at what three rows of a terminal hold. */
export function reportOf(
  verdict: RedactedVerdict,
  { focus, follows, reasons, answers, offersAwsChecks }: ReportOptions,
  lineMaxChars?: number,
): Report {
  const steps = [fix(verdict), check(verdict, offersAwsChecks)];
  return {
    headline: headline(verdict),
    steps: verdict.cause?.possible === true ? steps.toReversed() : steps,
    proof: proof(verdict, focus, answers, lineMaxChars),
    boot: boot(verdict),
    rest: [
      probes(verdict, answers, follows),
      consequences(verdict),
      otherCauses(verdict),
      symptoms(verdict),
      recovered(verdict),
      notChecked(verdict, reasons),
      references(verdict),
    ],
    colophon: colophon(verdict),
  };
}

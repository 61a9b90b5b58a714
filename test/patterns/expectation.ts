// Compares a verdict with what a kept case says about it. Pure; every sentence it returns is a fault.
import type { Bearing, Confidence, Status, Verdict } from '../../src/types.ts';

/** What is left out is not looked at. */
export interface Expectation {
  readonly status?: Status | undefined;
  /** Null: no cause may be named. */
  readonly cause?: string | null | undefined;
  readonly confidence?: Confidence | undefined;
  /** Each stands in some line of the evidence. */
  readonly evidenceIncludes?: readonly string[] | undefined;
  /** The signature of the first line of the evidence. */
  readonly firstEvidence?: string | undefined;
  /** Signatures that the evidence names. */
  readonly evidence?: readonly string[] | undefined;
  /** Ids among the symptoms and other causes, with what explains each; null: nothing does. */
  readonly explained?: Readonly<Record<string, string | null>> | undefined;
  /** Ids that stand nowhere in the verdict, but for what is over. */
  readonly absent?: readonly string[] | undefined;
  /** Ids that are over, with what ended each. */
  readonly recovered?: Readonly<Record<string, string>> | undefined;
  /** Signatures that no line matched. */
  readonly unmatched?: readonly string[] | undefined;
  /** What answers of probes (`probe/code`) say about the cause; null: nothing. */
  readonly bearing?: Readonly<Record<string, Bearing | null>> | undefined;
  /** Symptoms that are listed, with how sure. */
  readonly symptoms?: readonly string[] | Readonly<Record<string, Confidence>> | undefined;
}

export function faultsOf(verdict: Verdict, expected: Expectation): string[] {
  const listed = [...verdict.symptoms, ...verdict.otherCauses];
  const faults: string[] = [];
  const same = (what: string, seen: string | null | undefined, wanted: string | null | undefined): void => {
    if (wanted !== undefined && seen !== wanted) faults.push(`${what} is ${String(seen)}, not ${String(wanted)}`);
  };
  same('the cause', verdict.cause?.id ?? null, expected.cause);
  same('the status', verdict.status, expected.status);
  same('the confidence', verdict.cause?.confidence, expected.confidence);
  same('the first evidence', verdict.evidence[0]?.signature, expected.firstEvidence);
  for (const text of expected.evidenceIncludes ?? [])
    if (!verdict.evidence.some(({ line }) => line.includes(text))) faults.push(`no evidence holds "${text}"`);
  for (const key of expected.evidence ?? [])
    if (!verdict.evidence.some(({ signature }) => signature === key)) faults.push(`no evidence is ${key}`);
  for (const [id, by] of Object.entries(expected.explained ?? {})) {
    const found = listed.find((one) => one.id === id);
    if (found === undefined) faults.push(`${id} is not listed`);
    else same(`what explains ${id}`, found.explainedBy, by);
  }
  for (const id of expected.absent ?? [])
    if (verdict.cause?.id === id || listed.some((one) => one.id === id)) faults.push(`${id} is there`);
  for (const [id, by] of Object.entries(expected.recovered ?? {}))
    same(`what ended ${id}`, verdict.recovered.find((one) => one.id === id && one.state === 'recovered')?.by, by);
  for (const [answer, as] of Object.entries(expected.bearing ?? {}))
    same(`what ${answer} says`, verdict.probes.find(({ probe, code }) => `${probe}/${code}` === answer)?.bearing, as);
  if (Array.isArray(expected.symptoms)) {
    for (const id of expected.symptoms as readonly string[])
      if (!listed.some((one) => one.id === id)) faults.push(`${id} is not listed`);
  } else
    for (const [id, sure] of Object.entries(expected.symptoms ?? {}))
      same(`the confidence of ${id}`, listed.find((one) => one.id === id)?.confidence, sure);
  return faults;
}

/** The verdict in a few lines, for a complaint. */
export function said({ status, cause, otherCauses, symptoms, evidence }: Verdict): string {
  const lines = evidence.map(({ stream, signature, line }) => `  ${stream} ${signature}: ${line}`);
  const ids = (findings: Verdict['symptoms']): string =>
    findings
      .map(({ id, explainedBy }) => (explainedBy === null ? id : `${id} (explained by ${explainedBy})`))
      .join(', ') || 'none';
  return [
    `${status}, cause ${cause?.id ?? 'none'} (${cause?.confidence ?? '-'}), others ${ids(otherCauses)}, symptoms ${ids(symptoms)}`,
    ...lines,
  ].join('\n');
}

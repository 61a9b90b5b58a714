// Words what was found in an image: as text, or as JSON. What the image itself says in it was redacted before.
import { fillSentence, type Facts } from './fill-sentence.ts';

export interface ImageReport {
  readonly root: string;
  readonly os: string;
  readonly osVersion: string | null;
  readonly faults: readonly ImageFault[];
  readonly notChecked: readonly { readonly check: string; readonly why: string }[];
  /** What was looked at. */
  readonly checks: readonly string[];
  readonly tool: { readonly version: string; readonly packDigest: string };
}

export interface ImageFault {
  readonly code: string;
  /** What it becomes when the image boots; null where an operator switched that cause off. */
  readonly cause: { readonly id: string; readonly title: string } | null;
  readonly says: string;
  readonly fix: string;
  readonly values: Facts;
}

export function renderImageText({ root, os, osVersion, faults, notChecked, checks }: ImageReport): string {
  const what = `${root} (${[os, osVersion].filter(Boolean).join(' ')})`;
  const head =
    faults.length === 0
      ? `OK: nothing was found in ${what} that would keep it from becoming a node.`
      : `FAULTY: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${what}.`;
  const blocks = faults.map(({ code, cause, says, fix, values }) =>
    [
      `${code}: ${fillSentence(says, values)}`,
      ...(cause === null ? [] : [`  Becomes  ${cause.id}: ${cause.title}`]),
      `  Fix      ${fillSentence(fix, values)}`,
    ].join('\n'),
  );
  const missed = notChecked.map(({ check, why }) => `  ${check}: ${why}`);
  const end = [
    ...(missed.length === 0 ? [] : ['Not checked', ...missed]),
    `Looked at: ${checks.join(', ')}. Only a boot proves an image.`,
  ].join('\n');
  return `${[head, ...blocks, end].join('\n\n')}\n`;
}

export function renderImageJson({ faults, ...report }: ImageReport): string {
  const worded = faults.map(({ says, fix, values, ...fault }) => ({
    ...fault,
    says: fillSentence(says, values),
    fix: fillSentence(fix, values),
    values,
  }));
  return `${JSON.stringify({ schemaVersion: 1, status: faults.length === 0 ? 'ok' : 'faulty', ...report, faults: worded }, null, 2)}\n`;
}

// The one shape in which a check of the pack says what is wrong: addressed to the author of a file.
import type { Subject } from './subjects.ts';

/** `file:line: pattern: what`; `path` leads from the subject to the part at fault. */
export function complaint(subject: Subject, path: readonly (string | number)[], what: string): string {
  return `${subject.file}:${subject.lineOf(path)}: ${subject.pattern.key}: ${what}`;
}

/** A log line shortened for a complaint, its line breaks visible. */
export function shown(text: string): string {
  const oneLine = text.replaceAll('\n', '⏎').replaceAll('\t', '⇥').replaceAll('\r', '␍').replaceAll('\x1b', '␛');
  return oneLine.length > 220 ? `${oneLine.slice(0, 220)}…` : oneLine;
}

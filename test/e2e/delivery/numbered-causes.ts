// Pattern files of an operator with as many causes as a test needs: each is said at once and ends the one before it, so that a
// single boot has something new to say each time.
import { OPERATOR_FOLDER } from '../../../src/signatures/operator-folder.ts';

/** Id of a cause; numbers begin with 1. */
export function causeOf(number: number): string {
  return `numbered-fault-${digits(number)}`;
}

/** What the kubelet prints of it. */
export function lineOf(number: number): string {
  return `E0102 09:00:01.123456    2711 run.go:72] "Numbered fault" err="${wordsOf(number)}"`;
}

/** By path on the node. */
export function numberedCauses(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => at + 1).map((number) => [
      `${OPERATOR_FOLDER}/${causeOf(number)}.yaml`,
      fileOf(number, number < count),
    ]),
  );
}

function digits(number: number): string {
  return String(number).padStart(3, '0');
}

function wordsOf(number: number): string {
  return `fault ${digits(number)} of this test`;
}

function fileOf(number: number, hasNext: boolean): string {
  return `id: ${causeOf(number)}
title: Fault ${digits(number)}
kind: cause
phase: kubelet-start
severity: fatal
repair: fix-first
summary: The kubelet says that it has fault ${digits(number)}.
signatures:
  - id: said
    streams: [kubelet, cloud-init-output]
    regex: '${wordsOf(number)}'
    decisive: true
    samples:
      match:
        - line: '${lineOf(number)}'
          source: derived
      reject:
        - line: '${lineOf(number).replace('fault ', 'no fault ').replace(digits(number), 'at all')}'
          because: it has no number
${hasNext ? `recoveredBy: [${causeOf(number + 1)}/said]\n` : ''}remedy:
  - text: Nothing is to be done.
`;
}

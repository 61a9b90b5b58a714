// Words the row of test/short-cases (or of a pattern file) that would notice a mutant: to be pasted and, where it says so, filled in.
import type { Cause, ProbeUse, Stall } from '../../src/types.ts';

/** The line that tells a cause in a short case: its first decisive signature, or any. */
export function lineOf({ id, signatures }: Cause): string {
  return (signatures.find(({ decisive }) => decisive) ?? signatures[0])?.pattern.key ?? `${id}/REPLACE-signature`;
}

export function row(table: string, told: string, other: string): string {
  return `${table}:\n  ${told}:\n    - ${other}`;
}

export function list(table: string, told: string): string {
  return `${table}:\n  - ${told}`;
}

export function stubOfVeto(veto: string): string {
  return `samples:\n  reject:\n    - line: 'REPLACE with a line that only the veto ${veto.replaceAll("'", "''")} keeps out'\n      because: REPLACE`;
}

export function stubOfStall(id: string, { id: stall, after, forMs, process }: Stall): string {
  const waited = `{ text: Started Session 1 of User root., after: ${forMs / 1000 + 60}s }`;
  const running =
    process === null ? '' : `, { text: 'REPLACE with a process that ${process.regex} finds', stream: processes }`;
  return `stories:\n  - name: ${id} ${stall}\n    lines: [${after}${running}, ${waited}]\n    expect: { cause: ${id} }`;
}

/** `part`: the condition that the mutant lacks; null: it lacks the whole use. */
export function stubOfProbe(id: string, told: string, use: ProbeUse, part: string | null): string {
  const answer = `${use.probe}/${use.codes[0]!}`;
  if (use.as !== 'proves') {
    const table = part !== null ? 'unheard' : { confirms: 'confirms', refutes: 'refutes', ends: 'over' }[use.as];
    const filled =
      part === null ? answer : `{ answer: ${answer}, facts: { REPLACE: with facts that do not meet "${part}" } }`;
    return row(table, told, filled);
  }
  const needs = use.requires.filter(({ absent, kind }) => !absent && kind !== 'probe').map(({ target }) => target);
  const more = part === null ? '' : `\n      ${lineFor(answer, part)}`;
  return `proves:\n  ${id}:\n    - answers: [${answer}]${needs.length === 0 ? '' : `\n      after: [${needs.join(', ')}]`}${more}`;
}

function lineFor(answer: string, part: string): string {
  const [word, ...rest] = part.split(' ');
  const named = rest.join(' ');
  if (word === 'requires') return named.startsWith('no ') ? `notWith: [${named.slice(3)}]` : `without: [${named}]`;
  if (word === 'where') return `notAs: [{ answer: ${answer}, facts: { ${named}: REPLACE with another value } }]`;
  return word === 'when' ? 'soon: false' : '# REPLACE with a story on a node to which it does not apply';
}

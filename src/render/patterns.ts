// Words the pack itself: the list of causes, and all that is known of one.
import type { Cause, FactTest, Pattern, ProbeUse, Requirement } from '../types.ts';
import { renderTable } from './table.ts';

const COLUMNS = ['id', 'kind', 'phase', 'severity', 'title'] as const;

/** One line a cause, with a heading. */
export function renderPatternList(causes: readonly Cause[]): string {
  return renderTable(
    COLUMNS,
    causes.map((cause) => COLUMNS.map((column) => cause[column])),
  );
}

export function renderPatternListJson(causes: readonly Cause[]): string {
  return `${JSON.stringify(
    causes.map((cause) => Object.fromEntries(COLUMNS.map((column) => [column, cause[column]]))),
    null,
    2,
  )}\n`;
}

/** Everything that the pack holds of one cause. */
export function renderPattern(cause: Cause): string {
  const sections = [
    [
      `${cause.id}: ${cause.title}`,
      `${cause.kind} in phase ${cause.phase}, ${cause.severity}${cause.persistsMs > 0 ? ` after ${seconds(cause.persistsMs)}` : ''}${cause.repair === null ? '' : `; repair: ${cause.repair}`}`,
      cause.summary,
    ],
    titled(
      'Explains',
      cause.explains.map(({ id, withinMs }) => (withinMs === null ? id : `${id} (within ${seconds(withinMs)})`)),
    ),
    ...cause.signatures.map((signature) => [
      `Signature ${signature.id} (${signature.decisive ? 'decisive' : 'a hint'})`,
      ...patternLines(signature.pattern),
      ...(signature.occurrences === null
        ? []
        : [
            `  at least ${signature.occurrences.atLeast} times${within(signature.occurrences.withinMs)}${lasting(signature.occurrences.lastingMs)}`,
          ]),
      ...signature.requires.map((requirement) => `  only ${wordRequirement(requirement)}`),
      ...conditions(signature.appliesTo),
    ]),
    ...cause.stalls.map((stall) => [
      `Stall ${stall.id}`,
      `  ${stall.after}, then for ${seconds(stall.forMs)} none of: ${stall.without.join(', ')}`,
      ...(stall.process === null ? [] : [`  while a process runs: ${stall.process.regex}`]),
      ...conditions(stall.appliesTo),
    ]),
    titled('Recovered by', cause.recoveredBy),
    titled('Probes', cause.probes.map(wordProbeUse)),
    [
      'Fix',
      ...cause.remedy.flatMap(({ text, command }, step) => [
        `  ${step + 1}. ${text}`,
        ...(command === null
          ? []
          : command
              .trimEnd()
              .split('\n')
              .map((line) => `     ${line}`)),
      ]),
    ],
    titled('In an image, check-image finds it as', cause.image),
    titled('Not to be taken for it', cause.falsePositives),
    titled('References', cause.references),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

export function renderPatternJson(cause: Cause): string {
  return `${JSON.stringify(cause, null, 2)}\n`;
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function patternLines(pattern: Pattern): string[] {
  return [
    `  streams   ${pattern.streams?.join(', ') ?? 'any'}`,
    `  regex     ${pattern.regex}${pattern.ignoreCase ? '   (any case)' : ''}`,
    ...pattern.not.map((expression) => `  not       ${expression}`),
    ...(pattern.levels === null ? [] : [`  level     ${pattern.levels.join(', ')}`]),
    ...(pattern.unit === null ? [] : [`  unit      ${pattern.unit}`]),
    `  literals  ${pattern.literals.join(' | ')}`,
  ];
}

function wordProbeUse({ probe, codes, as, where, when, requires, appliesTo }: ProbeUse): string {
  const moment = as !== 'proves' ? [] : [when === 'always' ? 'at any time' : 'once the boot makes no progress'];
  const parts = [
    ...where.map(wordFactTest),
    ...moment,
    ...requires.map(wordRequirement),
    ...conditions(appliesTo).map((line) => line.trim().replace(/ +/g, ' ')),
  ];
  return [`${probe} ${codes.join(' or ')} ${as} it`, ...parts].join(', ');
}

function wordFactTest({ fact, test, value }: FactTest): string {
  return `where ${fact} ${test} ${JSON.stringify(value)}`;
}

function wordRequirement({
  kind,
  target,
  codes,
  order,
  withinMs,
  sameStream,
  sameProcess,
  absent,
}: Requirement): string {
  const same = [sameStream ? 'in the same stream' : '', sameProcess ? 'by the same process' : ''].filter(
    (words) => words !== '',
  );
  const place = order === null ? '' : order === 'before' ? ' before it' : ' after it';
  const what = codes === null ? target : `${target} ${codes.join(' or ')}`;
  return [`${absent ? 'without' : 'with'} ${kind} ${what}${place}${within(withinMs)}`, ...same].join(', ');
}

function conditions(appliesTo: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(appliesTo).map(([fact, values]) => `  where     ${fact} is ${values.join(' or ')}`);
}

function within(ms: number | null): string {
  return ms === null ? '' : ` within ${seconds(ms)}`;
}

function lasting(ms: number | null): string {
  return ms === null ? '' : ` over at least ${seconds(ms)}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

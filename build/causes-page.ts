// Words the pack as one Markdown page for operators: every cause with its meaning, its proof and its fix, and all symptoms.

import type { PackSources } from '../src/signatures/compile.ts';
import type { Cause, FactTest, Milestone, Pack, ProbeUse, Requirement, Signature, Stall } from '../src/types.ts';
import { inlineCode, shortSample } from './sample-text.ts';

const STREAMS_NAMED_MAX = 5;
const GROUP_TITLES: Readonly<Record<string, string>> = { cni: 'CNI' };

/** `sources` and `pack` belong together. Ends with a newline. */
export function renderCausesPage(sources: PackSources, pack: Pack): string {
  const causes = pack.causes.filter((cause) => cause.kind === 'cause');
  const groups = groupsInPhaseOrder(pack, causes);
  const symptoms = pack.causes.filter((cause) => cause.kind === 'symptom');
  const samplesOf = new Map(
    sources.causes.flatMap(({ source }) =>
      source.data.signatures.map((signature) => [
        `${source.data.id}/${signature.id}`,
        signature.samples.match[0]!.line,
      ]),
    ),
  );
  return [
    '# Known causes',
    'What `eks-bootstrap-analyzer` recognises: what each cause means, what proves it, and how it is fixed. Words in _italics_ and `<like_this>` are filled in from the logs and the answers of the node.',
    'This page is made from [patterns/](../patterns) by `npm run generate`.',
    ...groups.map(({ title, members }) =>
      [`**[${title}](#${anchor(title)})**`, members.map((cause) => `- [${cause.title}](#${cause.id})`).join('\n')].join(
        '\n\n',
      ),
    ),
    '**[Symptoms](#symptoms)**',
    ...groups.flatMap(({ title, members }) => [
      `## ${title}`,
      ...members.flatMap((cause) => section(cause, pack, samplesOf)),
    ]),
    '## Symptoms',
    'These only follow from a cause. They are shown with it, and never named as the cause.',
    table(symptoms),
    '',
  ].join('\n\n');
}

interface Group {
  readonly title: string;
  readonly members: readonly Cause[];
}

/** Groups by the middle one of their causes' phases, causes by their phase and id. */
function groupsInPhaseOrder(pack: Pack, causes: readonly Cause[]): Group[] {
  const place = (cause: Cause): number => pack.phases.findIndex((phase) => phase.id === cause.phase);
  const byGroup = Map.groupBy(causes, (cause) => cause.group);
  return [...byGroup]
    .map(([group, members]) => ({
      title: GROUP_TITLES[group] ?? capital(group.replaceAll('-', ' ')),
      members: members.toSorted((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1)),
      order: members.map(place).toSorted((a, b) => a - b)[Math.floor((members.length - 1) / 2)]!,
    }))
    .toSorted((a, b) => a.order - b.order || (a.title < b.title ? -1 : 1));
}

function section(cause: Cause, pack: Pack, samplesOf: ReadonlyMap<string, string>): string[] {
  const phase = pack.phases.find(({ id }) => id === cause.phase)!;
  const lasting = cause.persistsMs > 0 ? `, once it has lasted ${duration(cause.persistsMs)}` : '';
  return [
    `<a id="${cause.id}"></a>`,
    `### ${escaped(cause.title)}`,
    `\`${cause.id}\`, phase ${phase.title}, ${cause.severity}${lasting}${cause.repair === null ? '' : `; ${cause.repair}`}`,
    plain(cause.summary),
    '**What proves it**',
    [
      ...cause.signatures.map((signature) => signatureLine(signature, pack, samplesOf.get(signature.pattern.key)!)),
      ...cause.stalls.map((stall) => stallLine(stall, pack)),
      ...cause.probes.filter((use) => use.as === 'proves').map((use) => `- ${probeWords(use, pack)}`),
    ].join('\n'),
    '**Fix**',
    stepLines(cause.remedy),
    ...(cause.check.length === 0 ? [] : ['**Check**', stepLines(cause.check)]),
    ...listed(
      '**What a live node adds**',
      cause.probes.filter((use) => use.as !== 'proves').map((use) => probeWords(use, pack)),
    ),
    ...listed('**Not to be taken for it**', cause.falsePositives.map(plain)),
    ...listed(
      '**References**',
      cause.references.map((url) => `<${url}>`),
    ),
  ];
}

function stepLines(steps: Cause['remedy']): string {
  return steps
    .map(({ text, command }, step) => [`${step + 1}. ${plain(text)}`, ...commandLines(command)].join('\n'))
    .join('\n');
}

function signatureLine({ pattern, decisive, occurrences, requires }: Signature, pack: Pack, sample: string): string {
  const within =
    occurrences === null || occurrences.withinMs === null ? '' : ` within ${duration(occurrences.withinMs)}`;
  const notes = [
    ...(occurrences === null ? [] : [`at least ${occurrences.atLeast} times${within}`]),
    ...requires.map((requirement) => requirementWords(requirement, pack)),
    ...(decisive ? [] : ['a hint']),
  ];
  return `- ${capital(logs(pattern.streams, pack))}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}: ${inlineCode(shortSample(sample, pattern))}`;
}

/** When it counts, and what it then does. */
function probeWords({ probe, codes, as, where, when, requires, appliesTo }: ProbeUse, pack: Pack): string {
  const facts = where.map(factWords);
  const nodes = Object.entries(appliesTo).map(([fact, values]) => `on ${fact} ${values.join(' or ')}`);
  const moment =
    as !== 'proves'
      ? []
      : [when === 'always' ? 'at any time before the node is Ready' : 'once the boot makes no progress'];
  const conditions = [
    ...facts,
    ...nodes,
    ...moment,
    ...requires.map((requirement) => requirementWords(requirement, pack)),
  ];
  const what = as === 'proves' ? 'The probe' : `${BEARINGS[as]} the probe`;
  const said = `${what} \`${probe}\` answers ${codes.map((code) => `\`${code}\``).join(' or ')}`;
  return `${said}${conditions.length === 0 ? '' : ` (${conditions.join('; ')})`}.`;
}

const BEARINGS = { confirms: 'Surer if', refutes: 'Less sure if', ends: 'Over if' };

function factWords({ fact, test, value }: FactTest): string {
  const shown = [value].flat().map((one) => inlineCode(String(one)));
  const verbs = { equals: 'is', in: 'is', matches: 'is like', atLeast: 'is at least', atMost: 'is at most' };
  return `${fact.replaceAll('_', ' ')} ${verbs[test]} ${shown.join(' or ')}`;
}

function requirementWords({ kind, target, codes, order, withinMs, absent }: Requirement, pack: Pack): string {
  const answer = codes === null ? 'trouble seen by the probe' : `the answer ${codes.join(' or ')} of the probe`;
  const what =
    kind === 'milestone'
      ? `“${titleOf(target, pack.milestones)}”`
      : kind === 'probe'
        ? `${answer} ${target}`
        : `a line of ${target}`;
  const within = withinMs === null ? '' : ` within ${duration(withinMs)}`;
  return `only ${absent ? 'without' : 'with'} ${what}${order === null ? '' : ` ${order} it`}${within}`;
}

function logs(streams: readonly string[] | null, pack: Pack): string {
  if (streams === null) return 'any log';
  const titles = streams.map((name) => pack.streamTable.streams.find((stream) => stream.name === name)!.title);
  const more = titles.length > STREAMS_NAMED_MAX ? [`${titles.length - STREAMS_NAMED_MAX + 1} more`] : [];
  const shown = more.length === 0 ? titles : titles.slice(0, STREAMS_NAMED_MAX - 1);
  return [...shown, ...more].join(', ');
}

function stallLine({ after, without, forMs, process }: Stall, pack: Pack): string {
  const meanwhile = process === null ? '' : `, while a process like ${inlineCode(process.regex)} runs`;
  return `- Silence: after “${titleOf(after, pack.milestones)}”, for ${duration(forMs)} none of ${without.map((id) => `“${titleOf(id, pack.milestones)}”`).join(', ')}${meanwhile}.`;
}

function titleOf(id: string, milestones: readonly Milestone[]): string {
  return milestones.find((milestone) => milestone.id === id)!.title;
}

function commandLines(command: string | null): string[] {
  if (command === null) return [];
  const shown = command.trimEnd().replace(/(?<!\$)\{(?<name>[a-z_]+)\}/g, '<$<name>>');
  return ['', '   ```sh', ...shown.split('\n').map((line) => `   ${line}`), '   ```', ''];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, lines.map((line) => `- ${line}`).join('\n')];
}

function table(symptoms: readonly Cause[]): string {
  const rows = symptoms.map(({ id, title, summary }) => `| \`${id}\` | ${cell(title)} | ${cell(plain(summary))} |`);
  return ['| Symptom | Title | What it says |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Placeholders as words in italics. */
function plain(text: string): string {
  return escaped(text)
    .replace(/\{(?<name>[a-z_]+)\}/g, (_all, name: string) => `*${name.replaceAll('_', ' ')}*`)
    .trim();
}

/** What Markdown would take for markup stays as it is written. */
function escaped(text: string): string {
  return text.replace(/[*<>]|(?<![{\w])_|_(?![\w}])/g, (char) => `\\${char}`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function duration(ms: number): string {
  const [amount, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

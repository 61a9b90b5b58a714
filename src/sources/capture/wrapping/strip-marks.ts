// Takes off what people and tools put before each line, and behind it: quote marks, bullets, numbers, boxes, indentation,
// prompts, the pod's name. A mark counts only where nearly every line has it.
import { hasOwnHead } from './line-heads.ts';

type Undo = (lines: readonly string[]) => readonly string[] | null;

const NEARLY_ALL = 0.8;
const MOST = 0.6;

export const STRIPS: readonly Undo[] = [
  fences,
  box,
  quoteMarks,
  indentation,
  lineNumbers,
  fileNames,
  podPrefixes,
  bullets,
  prompts,
  strangePrefix,
];

function filled(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '');
}

/** Takes off `mark`, where enough lines have it and it is what it looks like. */
function strip(
  lines: readonly string[],
  mark: RegExp,
  share: number,
  isRight: (matches: readonly RegExpExecArray[]) => boolean = () => true,
): readonly string[] | null {
  const given = filled(lines);
  const matches = given.map((line) => mark.exec(line)).filter((match) => match !== null);
  if (matches.length === 0 || matches.length < given.length * share || !isRight(matches)) return null;
  return lines.map((line) => line.replace(mark, ''));
}

function fences(lines: readonly string[]): readonly string[] | null {
  const kept = lines.filter((line) => !/^\s{0,8}(?:```|~~~)[\w-]{0,20}\s*$/.test(line));
  return kept.length === lines.length ? null : kept;
}

function quoteMarks(lines: readonly string[]): readonly string[] | null {
  return strip(lines, /^\s{0,3}>(?: |(?=>)|$)/, NEARLY_ALL);
}

const BOX_RULE = /^\s*[─━═┌┐└┘├┤┬┴┼╔╗╚╝╭╮╰╯+|-][─━═┌┐└┘├┤┬┴┼╔╗╚╝╭╮╰╯+ -]*[^\s\w]*$/;

/** The sides of a box. Where a cell was cut, its text touches them. Terraform draws one beside its own errors, which are not the node's. */
function box(lines: readonly string[]): readonly string[] | null {
  if (lines.some((line) => /^\s*[╷╵]\s*$/.test(line))) return null;
  const inside = lines.filter((line) => line.trim() === '' || !BOX_RULE.test(line));
  const isDrawn = inside.some((line) => /^\s*[│┃║]/.test(line));
  const isTight = filled(inside).filter((line) => /^\s*[│┃║]{1,2}\S/.test(line)).length >= filled(inside).length / 2;
  const opened = strip(
    inside,
    isDrawn ? (isTight ? /^\s*[│┃║]{1,2}/ : /^\s*[│┃║]{1,2} ?/) : /^\s*\| (?=.*\|\s*$)/,
    MOST,
  );
  const close = isDrawn ? (isTight ? /[│┃║]{1,2}\s*$/ : / ?[│┃║]{1,2}\s*$/) : / ?\|\s*$/;
  return opened === null ? null : opened.map((line) => line.replace(close, '').replace(/ {2,}$/, ''));
}

/** Blanks that all lines share; the first line may have lost its own in the copying, and tabs of an entry's later lines stay. */
function indentation(lines: readonly string[]): readonly string[] | null {
  const given = filled(lines);
  const depths = given.map((line) => /^[ \t]*/.exec(line)![0]);
  const deep = depths.filter((blanks) => blanks.length >= 2 || blanks === '\t');
  const first = depths[0] ?? '';
  if (deep.length === 0 || deep.length < given.length * NEARLY_ALL) return null;
  if (first === '' && deep.some((blanks) => blanks.startsWith('\t'))) return null;
  if (first !== '' && deep.length < given.length) return null;
  if (/^ {9}(?:Starting|Stopping|Mounting|Unmounting|Activating|Reloading) /.test(given[0]!)) return null;
  const shared = deep.reduce((least, blanks) => (blanks.length < least.length ? blanks : least));
  return lines.map((line) =>
    line.startsWith(shared) ? line.slice(shared.length) : line.trimStart() === '' ? '' : line,
  );
}

const NUMBER_AND_BLANK = /^\s{0,8}(?<number>\d{1,6}): /;
const NUMBER = /^\s{0,8}(?<number>\d{1,6})(?:\t|:(?!\d\d[:.]\d)|[.)|] |-(?=\D)| {2}(?=\S))/;

function lineNumbers(lines: readonly string[]): readonly string[] | null {
  return strip(lines, NUMBER_AND_BLANK, 1, grow) ?? strip(lines, NUMBER, NEARLY_ALL, grow);
}

function grow(matches: readonly RegExpExecArray[]): boolean {
  const numbers = matches.map(({ groups }) => Number(groups!['number']));
  return numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);
}

/** `grep -r`, `grep -n` over files: `var/log/messages:12:`. */
function fileNames(lines: readonly string[]): readonly string[] | null {
  return strip(
    lines,
    /^(?:\.{0,2}\/)?(?:[\w.@~-]{1,80}\/)*(?:[\w.@-]{1,80}\.(?:log|txt|out|json)(?:\.\d+)?|messages|syslog)[:-](?:\d{1,7}[:-])?/,
    NEARLY_ALL,
  );
}

const NAME = '[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?';
const POD = `(?<pod>${NAME})`;
const HASH = '[bcdfghjklmnpqrstvwxz2456789]{5}';
/** kubectl logs --prefix; kail; stern; docker compose. */
const POD_PREFIXES = [
  new RegExp(String.raw`^\[(?:pod\/)?${POD}\/${NAME}\] `),
  new RegExp(String.raw`^${NAME}\/${POD}\[${NAME}\]: `),
  new RegExp(String.raw`^(?:[+-] )?${POD}-${HASH}(?: › | |:)${NAME} `),
  new RegExp(String.raw`^${POD}[-_]\d{1,3} {1,20}\| `),
];
/** Pods whose words can tell of the node or its launch. */
const OF_NODES =
  /^(?:.*-)?(?:aws-node|vpc-cni|kube-proxy|calico|canal|cilium|flannel|weave|antrea|karpenter|nvidia|neuron|device-plugin)(?:-|$)/;

function podPrefixes(lines: readonly string[]): readonly string[] | null {
  const prefix = POD_PREFIXES.find((one) => strip(lines, one, NEARLY_ALL) !== null);
  if (prefix === undefined) return null;
  return lines.map((line) => line.replace(prefix, (...match) => speakerOf((match.at(-1) as { pod: string }).pod)));
}

/** Another pod stays named, in the way in which logs name a process: else its words would pass for the node's. */
function speakerOf(pod: string): string {
  return OF_NODES.test(pod) ? '' : `pod-${pod.slice(0, 60)}[1]: `;
}

function bullets(lines: readonly string[]): readonly string[] | null {
  return strip(
    lines,
    /^\s{0,8}(?:[-*•‣◦–] |\d{1,3}[.)] )/,
    NEARLY_ALL,
    (matches) => !matches.some(({ input }) => input.startsWith('-- ')),
  );
}

const PROMPT =
  /^(?:\[?[\w.-]{1,40}@[\w.-]{1,80}[ :][^\]\n$#]{0,80}\]?[$#]|(?:sh|bash)-\d\.\d[$#]|[$#%➜❯]|(?:\d{1,3}\.){3}\d{1,3}:) +/;

/** A prompt, or the node's address (talosctl), before a log line; what stands behind another is a command. */
function prompts(lines: readonly string[]): readonly string[] | null {
  let changed = false;
  const stripped = lines.map((line) => {
    const prompt = PROMPT.exec(line);
    if (prompt === null || !hasOwnHead(line.slice(prompt[0].length))) return line;
    changed = true;
    return line.slice(prompt[0].length);
  });
  return changed ? stripped : null;
}

const KLOG_WITHIN =
  /^(?![IWEF]\d{4} |.*\[\d{1,10}\]: |(?:[A-Z][a-z]{2} {1,2}\d|20\d\d-|\{|time=))\S{1,80}(?: \S{1,80}){0,2} (?=[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{3,9} +\d+ [\w.-]+:\d+\] )/;

/** A tool that nobody here knows, before klog's own head. */
function strangePrefix(lines: readonly string[]): readonly string[] | null {
  return strip(lines, KLOG_WITHIN, NEARLY_ALL);
}

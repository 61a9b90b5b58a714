// Finds the call of the AMI's bootstrap.sh in a script. Runs nothing: of the shell it knows words, quotes, comments and variables
// that were given a plain value.
import type { Told } from './labels.ts';
import { toldByLabelsIn } from './labels.ts';

const SCRIPT = /(?:^|\/)etc\/eks\/bootstrap\.sh$/;
/** What may stand before the script's name without making it an argument of something else. */
const BEFORE =
  /^(?:sudo|exec|(?:\/\S*\/)?(?:ba)?sh|if|then|else|do|!|time|nohup|env|[{(]|-[a-z]{1,8}|[A-Za-z_]\w*=.*)$/s;
const ASSIGNED = /^(?<name>[A-Za-z_]\w*)=(?<value>.*)$/s;
/** A word, part by part: blanks, comment, end of a command, quotes, plain text. */
const PARTS =
  /(?<gap>[ \t\r]+|\\\r?\n)|(?<end>\n|[;&|()]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)"|\\(?<escaped>[^])|(?<plain>[^\s;&|()'"\\]+)|(?<odd>[^])/g;

/** All arguments are flags with a value, but for the cluster's name. */
export function toldByBootstrapCall(script: string): Told {
  if (!script.includes('bootstrap.sh')) return {};
  for (const words of commandsOf(script)) {
    const at = words.findIndex((word) => SCRIPT.test(word));
    if (at < 0 || !words.slice(0, at).every((word) => BEFORE.test(word))) continue;
    const args = words.slice(at + 1);
    const cluster = args.find((arg, index) => !arg.startsWith('-') && !/^--[a-z]/.test(args[index - 1] ?? ''));
    return { ...toldByLabelsIn(args.join(' ')), ...(cluster === undefined ? {} : { cluster }) };
  }
  return {};
}

function* commandsOf(script: string): Generator<readonly string[]> {
  const values = new Map<string, string>();
  const expanded = (text: string): string =>
    text.replace(
      /\$(?:\{(?<braced>\w{1,64})\}|(?<bare>\w{1,64}))/g,
      (all, braced: string, bare: string) => values.get(braced ?? bare) ?? all,
    );
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  let isComment = false;
  for (const { groups } of script.matchAll(PARTS)) {
    const { gap, end, single, double, escaped, plain, odd } = groups!;
    if (end?.includes('\n') === true) isComment = false;
    if (isComment) continue;
    isComment = word === null && plain?.startsWith('#') === true;
    if (isComment) continue;
    if (gap === undefined && end === undefined) {
      const text = single ?? (double === undefined ? undefined : expanded(double)) ?? escaped ?? odd;
      word = (word ?? '') + (text ?? expanded(plain!));
      continue;
    }
    endWord();
    if (end === undefined) continue;
    yield words;
    for (const assigned of words) {
      const { name, value } = ASSIGNED.exec(assigned)?.groups ?? {};
      if (name !== undefined && value!.length <= 8_192) values.set(name, value!);
    }
    words = [];
  }
  endWord();
  yield words;
}

// Reads one YAML file of the pack into plain data, and remembers the line of every value for complaints. It refuses what
// a data file does not need: aliases, tags, several documents, more than 256 KiB.
import * as v from 'valibot';
import { isAlias, isNode, isPair, Lexer, LineCounter, parseDocument, visit } from 'yaml';

export const PACK_FILE_MAX_BYTES = 256 * 1024;

/** A complaint addressed to the author of a pack file: what is wrong and where (`file:line`). */
export class PackError extends Error {
  readonly file: string;
  readonly line: number;
  /** The complaint without its place. */
  readonly what: string;
  /** What else was found to complain about. */
  readonly also: readonly PackError[];

  constructor(file: string, line: number, what: string, also: readonly PackError[] = []) {
    super(`${file}:${line}: ${what}`);
    this.file = file;
    this.line = line;
    this.what = what;
    this.also = also;
  }
}

export interface YamlSource<T> {
  readonly file: string;
  readonly data: T;
  /** Line (from 1) on which the value at this path begins; the nearest known one if the path does not exist. */
  lineOf(path: readonly (string | number)[]): number;
}

/** @throws PackError with file and line of the first fault; those of the schema carry all others. */
export function readYaml<TSchema extends v.GenericSchema>(
  file: string,
  text: string,
  schema: TSchema,
): YamlSource<v.InferOutput<TSchema>> {
  if (Buffer.byteLength(text) > PACK_FILE_MAX_BYTES) throw new PackError(file, 1, 'is larger than 256 KiB');
  refuseTangle(file, text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true, version: '1.2' });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault)
    throw new PackError(file, lineAt(fault.pos[0]), fault.message.split('\n')[0]!.replace(/ at line \d+.*$/, ''));

  visit(document, (_key, node) => {
    if (isPair(node) || !isNode(node)) return;
    const line = node.range ? lineAt(node.range[0]) : 1;
    if (isAlias(node)) throw new PackError(file, line, 'aliases are not allowed');
    if (node.anchor) throw new PackError(file, line, 'anchors are not allowed');
    if (node.tag && !node.tag.startsWith('tag:yaml.org,2002:'))
      throw new PackError(file, line, `the tag ${node.tag} is not allowed`);
  });

  function lineOf(path: readonly (string | number)[]): number {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  }

  const result = v.safeParse(schema, document.toJS({ maxAliasCount: 0 }), { abortPipeEarly: true });
  if (!result.success) {
    const [first, ...also] = result.issues
      .map((issue) => {
        const path = (issue.path ?? []).map((item) => item.key as string | number);
        return new PackError(file, lineOf(path), wordIssue(path, issue));
      })
      .toSorted((a, b) => a.line - b.line);
    throw new PackError(file, first!.line, first!.what, also);
  }
  return { file, data: result.output, lineOf };
}

/** The largest file of the pack has 11,000 of them, four levels of brackets, and 20 columns of indentation. */
const TOKENS_MAX = 30_000;
const BRACKETS_MAX = 32;
const TOO_DEEP = /^(?: {200}| *(?:[-?] +){16})/m;

/** A tree costs a thousand times its text, and the parser calls itself for every level: so it is counted before. @throws PackError */
function refuseTangle(file: string, text: string): void {
  const lineOf = (end: number): number => text.slice(0, end).split('\n').length;
  const deep = TOO_DEEP.exec(text);
  if (deep !== null) throw new PackError(file, lineOf(deep.index), 'is nested too deeply');
  let tokens = 0;
  let brackets = 0;
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    at += token.length;
    if (token === '[' || token === '{') brackets++;
    else if (token === ']' || token === '}') brackets--;
    if (brackets > BRACKETS_MAX) throw new PackError(file, lineOf(at), 'is nested too deeply');
    if (++tokens > TOKENS_MAX) throw new PackError(file, lineOf(at), `has more than ${TOKENS_MAX} parts`);
  }
}

function wordIssue(path: readonly (string | number)[], issue: v.BaseIssue<unknown>): string {
  const where = path.join('.') || 'the file';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `unknown key ${where}`;
  if (issue.kind === 'schema' && issue.received === 'undefined') return `${where} is missing`;
  if (issue.kind === 'schema') return `${where}: expected ${issue.expected ?? issue.type}, found ${issue.received}`;
  return `${where}: ${issue.message}`;
}

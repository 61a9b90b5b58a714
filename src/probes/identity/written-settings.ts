// Reads the cluster's name out of a NodeConfig (YAML or JSON, also inside a script) and out of Bottlerocket's settings (TOML), line
// by line: what stands around them is anybody's text and need not be whole.
import { type Told, toldByLabels } from './labels.ts';

const LINES_MAX = 20_000;
const INLINE =
  /["']?\bcluster["']?[ \t]*:[ \t\r\n]*\{[^{}]{0,500}?["']?\bname["']?[ \t]*:[ \t]*["']?(?<cluster>[\w-]{1,100})/;
const BLOCK = /^(?<indent>[ \t]*)cluster:[ \t]*(?:#.*)?$/;
const NAME = /^[ \t]*name:[ \t]*["']?(?<cluster>[\w-]{1,100})["']?[ \t]*(?:#.*)?$/;

export function toldByNodeConfig(text: string): Told {
  if (!text.includes('node.eks.aws')) return {};
  const cluster = INLINE.exec(text)?.groups!['cluster'] ?? nameInBlock(linesOf(text));
  return cluster === undefined ? {} : { cluster };
}

function nameInBlock(lines: readonly string[]): string | undefined {
  let depth = -1;
  for (const line of lines) {
    const block = BLOCK.exec(line);
    if (block !== null) depth = block.groups!['indent']!.length;
    else if (line.trim() !== '' && line.length - line.trimStart().length <= depth) depth = -1;
    const cluster = depth < 0 ? undefined : NAME.exec(line)?.groups!['cluster'];
    if (cluster !== undefined) return cluster;
  }
  return undefined;
}

const TABLE = /^\[(?<name>[\w."'/-]{1,300})\]/;
const ENTRY = /^(?<key>[\w."'/ -]{1,300}?)[ \t]*=[ \t]*(?<value>.{1,2000})$/;
const STRING = /^(?<quote>["'])(?<text>[^"'\\]{0,300})\k<quote>/;
const INLINE_PAIRS = /["']?(?<key>[\w./-]{1,300})["']?[ \t]*=[ \t]*["'](?<text>[^"'\\]{0,300})["']/g;
const KUBERNETES = 'settings.kubernetes.';
const LABELS = `${KUBERNETES}node-labels`;

export function toldBySettings(toml: string): Told {
  if (!toml.includes('settings.kubernetes')) return {};
  const labels = new Map<string, string>();
  let cluster: string | undefined;
  let table = '';
  for (const line of linesOf(toml)) {
    const text = line.trim();
    const name = TABLE.exec(text)?.groups!['name'];
    if (name !== undefined) table = `${bare(name)}.`;
    const { key, value = '' } = ENTRY.exec(text)?.groups ?? {};
    if (key === undefined) continue;
    const path = table + bare(key);
    const string = STRING.exec(value)?.groups!['text'];
    if (path === LABELS)
      for (const { groups } of value.matchAll(INLINE_PAIRS)) labels.set(groups!['key']!, groups!['text']!);
    if (string === undefined) continue;
    if (path === `${KUBERNETES}cluster-name`) cluster = string;
    if (path.startsWith(`${LABELS}.`)) labels.set(path.slice(LABELS.length + 1), string);
  }
  return { ...toldByLabels(labels), ...(cluster === undefined ? {} : { cluster }) };
}

function bare(key: string): string {
  return key.replaceAll(/["' ]/g, '');
}

/** Without comments that fill a line. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/, LINES_MAX).filter((line) => !/^\s*#/.test(line));
}

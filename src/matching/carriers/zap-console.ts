// zap's console form, nodeadm since v20251217: `info init/init.go:171 message {"key": "value"}`, separated by blanks or tabs.
import { levelOfWord } from '../levels.ts';
import type { Carrier } from '../line-state.ts';
import { pairsOfObject } from './pairs-of-object.ts';

const HEAD = /^(?<level>debug|info|warn|error|dpanic|panic|fatal)[ \t]+(?<caller>[\w./-]+\.go:\d+)[ \t]+/;

export const zapConsole: Carrier = {
  name: 'zap-console',
  unwrap(line) {
    const match = HEAD.exec(line.text);
    if (match === null) return false;
    line.level = levelOfWord(match.groups!['level']!);
    line.component = match.groups!['caller']!.replace(/:\d+$/, '');
    const rest = line.text.slice(match[0].length);
    const brace = /[ \t]\{"/.exec(rest);
    line.text = brace === null ? rest : rest.slice(0, brace.index) + fieldsOf(rest.slice(brace.index + 1));
    return true;
  },
};

function fieldsOf(json: string): string {
  const firstLine = json.split('\n', 1)[0]!;
  try {
    return pairsOfObject(JSON.parse(firstLine) as Record<string, unknown>);
  } catch {
    return ` ${json.replace(/\{?"(?<key>\w+)": "?/g, '$<key>=').replace(/"\}?$/, '')}`;
  }
}

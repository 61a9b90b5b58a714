// zap's console form, separated by blanks or tabs: nodeadm since v20251217 `info init/init.go:171 message {"key": "value"}`,
// and older Karpenter with a stamp first, the logger's name in place of the caller.
import { levelOfWord } from '../levels.ts';
import type { LogFormat } from '../line-state.ts';
import { isoMs } from '../stamps.ts';
import { pairsOfObject } from './pairs-of-object.ts';

const KARPENTER =
  /^(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z)[ \t]+(?<level>DEBUG|INFO|WARN|ERROR|FATAL)[ \t]+(?<caller>(?:controller|webhook)[\w.-]{0,100})[ \t]+/;
const HEAD = /^(?<level>debug|info|warn|error|dpanic|panic|fatal)[ \t]+(?<caller>[\w./-]+\.go:\d+)[ \t]+/;

export const zapConsole: LogFormat = {
  name: 'zap-console',
  unwrap(line) {
    const match = HEAD.exec(line.text) ?? KARPENTER.exec(line.text);
    if (match === null) return false;
    line.level = levelOfWord(match.groups!['level']!);
    line.component = match.groups!['caller']!.replace(/:\d+$/, '');
    if (line.wallMs === null && match.groups!['stamp'] !== undefined) {
      line.wallMs = isoMs(match.groups!['stamp']);
      line.dated = true;
    }
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

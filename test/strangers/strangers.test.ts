// What other software prints is no verdict about the node, however alike the words are. All strangers are read at once; each line that any
// signature or milestone took is then judged alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatchResult, Pack } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { judge, matchesOf, readPack } from '../patterns/verdict-of.ts';
import { type Stranger, STRANGERS } from './corpus.ts';

interface Way {
  readonly title: string;
  /** True where the file or the identifier names the stranger: then nothing may come of it. */
  readonly isNamed: boolean;
  /** Path and text of the file in which the line stands. */
  readonly put: (stranger: Stranger) => readonly [path: string, text: string];
}

const WAYS: readonly Way[] = [
  { title: 'a paste', isNamed: false, put: ({ line }) => ['paste.txt', line] },
  { title: "cloud-init's output", isNamed: false, put: ({ line }) => ['var/log/cloud-init-output.log', line] },
  {
    title: 'the log of a pod',
    isNamed: true,
    put: ({ name, line }) => [
      `var/log/pods/default_${name}-7d9f_0c1d2e3f/app/0.log`,
      `2025-05-06T08:15:44.120456789Z stderr F ${line}`,
    ],
  },
  {
    title: 'messages, under its own identifier',
    isNamed: true,
    put: ({ name, line }) => ['var/log/messages', `May  6 08:15:44 ip-10-0-1-17 ${name}[812]: ${line}`],
  },
];

const pack: Pack = readPack();

for (const way of WAYS) {
  test(`${STRANGERS.length} lines of strangers in ${way.title}`, async (t) => {
    assert.ok(STRANGERS.length >= 600);
    const wrong: string[] = [];
    for (const stranger of await taken(way)) {
      const [path, text] = way.put(stranger);
      const verdict = judge(pack, await matchesOf(pack, tempFolder(t, { [path]: `${text}\n` })));
      const said = verdict.cause === null ? [] : [`${verdict.cause.id} ${verdict.cause.confidence}`];
      const more = way.isNamed ? verdict.otherCauses.map(({ id }) => id) : [];
      const isWrong =
        verdict.status === 'ready' ||
        more.length > 0 ||
        (verdict.cause !== null && (way.isNamed || verdict.cause.confidence !== 'low'));
      if (isWrong) wrong.push(`${[...said, ...more].join(', ')} (${verdict.status}): ${text}`);
    }
    assert.deepEqual(wrong, []);

    /** Those of which a record was taken, in one run over all of them: a signature keeps its first three and its last three. */
    async function taken({ put }: Way): Promise<readonly Stranger[]> {
      const files = new Map<string, string[]>();
      STRANGERS.forEach((stranger, at) => {
        const [path, text] = put(stranger);
        const own = path === 'paste.txt' ? `${at}.txt` : path;
        files.set(own, [...(files.get(own) ?? []), text]);
      });
      const folder = tempFolder(
        t,
        Object.fromEntries([...files].map(([path, lines]) => [path, `${lines.join('\n')}\n`])),
      );
      const lines = linesOf(await matchesOf(pack, folder));
      return STRANGERS.filter(({ line }) => lines.some((raw) => raw.includes(line.slice(0, 200))));
    }
  });
}

function linesOf({ matches }: MatchResult): string[] {
  return [
    ...new Set(
      [...matches.values()].flatMap(({ firstRecords, lastRecords }) =>
        [...firstRecords, ...lastRecords].map(({ raw }) => raw),
      ),
    ),
  ];
}

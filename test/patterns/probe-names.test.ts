// What the pack says of probes against the registry: every probe, code and fact that a file names is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBES } from '../../src/probes/index.ts';
import type { AnswerRule } from '../../src/probes/probe.ts';
import { readPack } from './verdict-of.ts';

/** Given by the runner, whatever was asked. */
const COMMON_CODES = ['time-limit', 'broken', 'mount-stuck'];

const tables = new Map<string, Readonly<Record<string, AnswerRule>>>(
  PROBES.map(({ name, answers }) => [name, answers]),
);
const causes = readPack().causes;

function complaintsAbout(where: string, probe: string, codes: readonly string[]): string[] {
  const table = tables.get(probe);
  if (table === undefined) return [`${where}: there is no probe ${probe}`];
  return codes
    .filter((code) => !Object.hasOwn(table, code) && !COMMON_CODES.includes(code))
    .map((code) => `${where}: ${probe} has no answer ${code}`);
}

test('every probe and every answer that a file names is there', () => {
  const complaints = causes.flatMap(({ id, probes, signatures }) => [
    ...probes.flatMap(({ probe, codes }) => complaintsAbout(id, probe, codes)),
    ...[...probes, ...signatures]
      .flatMap(({ requires }) => requires)
      .filter(({ kind }) => kind === 'probe')
      .flatMap(({ target, codes }) => complaintsAbout(id, target, codes ?? [])),
  ]);
  assert.deepEqual([...new Set(complaints)], []);
});

test('every fact that a file compares stands in the sentence of the answer', () => {
  const complaints = causes.flatMap(({ id, probes }) =>
    probes.flatMap(({ probe, codes, where }) =>
      codes.flatMap((code) =>
        where
          .filter(({ fact }) => tables.get(probe)?.[code]?.sentence.includes(`{${fact}}`) !== true)
          .map(({ fact }) => `${id}: the answer ${code} of ${probe} does not tell ${fact}`),
      ),
    ),
  );
  assert.deepEqual(complaints, []);
});

test('a good answer speaks for no cause, and a bad one against none', () => {
  const odd = causes.flatMap(({ id, probes }) =>
    probes
      .filter(({ as }) => as === 'proves' || as === 'confirms')
      .flatMap(({ probe, codes }) =>
        codes.filter((code) => tables.get(probe)?.[code]?.outcome === 'ok').map((code) => `${id}: ${probe} ${code}`),
      ),
  );
  assert.deepEqual(odd, []);
});

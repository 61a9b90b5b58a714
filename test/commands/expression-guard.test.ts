import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readInputs } from '../../src/commands/read-inputs.ts';
import { loadPack } from '../../src/commands/pack.ts';
import { createHost } from '../../src/host/create-host.ts';
import { collectInputs } from '../../src/sources/capture/collect-inputs.ts';
import type { MatchResult } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { chmodSync } from 'node:fs';

function file(id: string, regex: string, sample: string): string {
  return `id: ${id}
title: A fault
kind: cause
phase: registration
severity: fatal
repair: fix-first
summary: A fault that an operator knows.
signatures:
  - id: line
    regex: '${regex}'
    decisive: true
    samples: {match: [{line: '${sample}', source: derived}]}
remedy: [{text: Mend it.}]
`;
}

const FILES = {
  'evil.yaml': file('evil', 'evil text (?:a|a)*b', 'evil text aab'),
  'good.yaml': file('good', 'good text (?<detail>\\w+)', 'good text one'),
};
const HOSTILE = `May  6 08:18:00 ip-10-20-30-40 kubelet: evil text ${'a'.repeat(60)}c\n`;
const GOOD = 'May  6 08:18:01 ip-10-20-30-40 kubelet: good text one\n';

async function matchesOf(folder: string, log: string): Promise<MatchResult> {
  const signal = new AbortController().signal;
  const { pack, notChecked } = await loadPack(folder, process.getuid!());
  const collected = await collectInputs([log], { host: createHost(), table: pack.streamTable, signal });
  const quiet = () => ({ at: () => {}, end: () => {} });
  const { result } = await readInputs({
    pack,
    collected,
    notChecked,
    nowMs: Date.UTC(2025, 4, 7),
    signal,
    engine: { reached: () => {} },
    progress: quiet,
  });
  await collected.cleanup();
  return result;
}

test("an operator's expression that hangs is off and named, and the others go on", async (t) => {
  const folder = tempFolder(t, { ...FILES, 'messages.log': HOSTILE.repeat(50) + GOOD });
  for (const name of Object.keys(FILES)) chmodSync(join(folder, name), 0o644);
  chmodSync(folder, 0o755);
  const startMs = performance.now();
  const { matches, notChecked } = await matchesOf(folder, join(folder, 'messages.log'));
  assert.ok(performance.now() - startMs < 10_000);
  assert.deepEqual(
    notChecked.filter(({ code }) => code === 'signature-off').map(({ what }) => what),
    ['evil/line'],
  );
  assert.equal(matches.get('good/line')?.captures['detail'], 'one');
  assert.equal(matches.has('evil/line'), false);
});

test('without operators nothing is guarded', async () => {
  const { pack } = await loadPack('/no/such/folder', 0);
  assert.ok(pack.causes.every(({ signatures }) => signatures.every(({ pattern }) => !pattern.guarded)));
});

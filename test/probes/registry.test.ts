import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { PROBES } from '../../src/probes/index.ts';
import { COMMON_OUTCOMES } from '../../src/probes/run-probes.ts';
import { COMMON_ANSWERS } from '../../src/render/probes.ts';

const FOLDER = join(ROOT, 'src/probes');
/** Each file that declares a probe, and the names in it: one of its own, or those of a table. */
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }));

test('a probe is named as its file, unless its file holds a table of them; and every file with a probe is in the registry', () => {
  const registry = sources.find(({ file }) => file === 'index.ts')!.text;
  for (const { file, text } of sources) {
    if (!/: (?:readonly )?Probe<\w+>(?:\[\])? =/.test(text)) continue;
    assert.ok(registry.includes(`from './${file}'`), `${file} is not in the registry`);
  }
  for (const { name } of PROBES) {
    const own = sources.find(({ file }) => basename(file) === `${name}.ts`);
    const table = sources.find(({ file, text }) => file !== 'index.ts' && text.includes(`'${name}'`));
    assert.ok(own?.text.includes(`name: '${name}'`) ?? table !== undefined, name);
  }
});

test('names are unique and read as yes/no questions; facts are asked first', () => {
  const names = PROBES.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const name of names) assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)+$/);
  const stages = PROBES.map(({ stage }) => stage);
  assert.deepEqual(stages, stages.toSorted());
});

test('every code is in kebab case, every answer is one sentence, and the first code is a good one', () => {
  for (const { name, answers } of PROBES) {
    for (const [code, { sentence }] of Object.entries(answers)) {
      assert.match(code, /^[a-z0-9]+(?:-[a-z0-9]+)*$/, name);
      assert.match(sentence, /^(?:[A-Z{]|containerd|ipamd)[^\n]*\.$/, `${name}: ${code}`);
    }
    assert.equal(Object.values(answers)[0]?.outcome, 'ok', name);
  }
});

test('each code that any probe may end with has its sentence', () => {
  assert.deepEqual(Object.keys(COMMON_ANSWERS).toSorted(), Object.keys(COMMON_OUTCOMES).toSorted());
  for (const sentence of Object.values(COMMON_ANSWERS)) assert.match(sentence, /^[A-Z{][^\n]*\.$/);
});

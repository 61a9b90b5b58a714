import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { PACK_FILE_MAX_BYTES, PackError, readYaml } from '../../src/signatures/read-yaml.ts';
import { causeFile, complaintAbout, signature } from './small-pack.ts';

const schema = v.strictObject({ name: v.string(), list: v.optional(v.array(v.strictObject({ size: v.number() }))) });

function refusal(text: string): string {
  let message = '';
  assert.throws(
    () => readYaml('a.yaml', text, schema),
    (error) => error instanceof PackError && (message = error.message) !== '',
  );
  return message;
}

test('reads plain data and knows the line of every value', () => {
  const source = readYaml('a.yaml', '# head\nname: x\nlist:\n  - size: 1\n  - size: 2\n', schema);
  assert.deepEqual(source.data, { name: 'x', list: [{ size: 1 }, { size: 2 }] });
  assert.equal(source.lineOf(['name']), 2);
  assert.equal(source.lineOf(['list', 1, 'size']), 5);
  assert.equal(source.lineOf(['list', 1, 'no-such-key']), 5);
  assert.equal(source.lineOf(['nothing']), 1);
});

const REFUSED: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ['an alias', 'name: &a x\nlist: *a\n', /^a\.yaml:[12]: (?:aliases|anchors) are not allowed/],
  ['an anchor', 'name: &a x\n', /^a\.yaml:1: anchors are not allowed/],
  ['a tag', 'name: !!js/function x\n', /^a\.yaml:1: /],
  ['a tag of its own', 'name: !secret x\n', /^a\.yaml:1: .*tag/i],
  ['a merge key', 'name: x\nlist:\n  - <<: {size: 1}\n', /^a\.yaml:3: list\.0\.size is missing$/],
  ['a key given twice', 'name: x\nname: y\n', /^a\.yaml:2: .*unique/i],
  ['two documents', 'name: x\n---\nname: y\n', /^a\.yaml:[23]: .*multiple documents/],
  ['broken YAML', 'name: x\nlist: [\n', /^a\.yaml:\d: /],
  ['an unknown key', 'name: x\ncolour: red\n', /^a\.yaml:2: unknown key colour$/],
  [
    'an unknown key further in',
    'name: x\nlist:\n  - size: 1\n    colour: red\n',
    /^a\.yaml:4: unknown key list\.0\.colour$/,
  ],
  ['a missing key', 'list: []\n', /^a\.yaml:1: name is missing$/],
  ['another type', 'name: x\nlist:\n  - size: big\n', /^a\.yaml:3: list\.0\.size: expected number, found "big"$/],
  ['no mapping at all', '- x\n', /^a\.yaml:1: /],
  ['an empty file', '', /^a\.yaml:1: /],
  [
    '33 brackets in one another',
    `name: x\nlist: ${'['.repeat(33)}${']'.repeat(33)}\n`,
    /^a\.yaml:2: is nested too deeply$/,
  ],
  ['half a million open brackets', `name: ${'['.repeat(250_000)}`, /^a\.yaml:1: is nested too deeply$/],
  ['200 columns of indentation', `name: x\nlist:\n${' '.repeat(200)}- 1\n`, /^a\.yaml:3: is nested too deeply$/],
  ['16 lists in one line', `name: x\nlist:\n  ${'- '.repeat(16)}1\n`, /^a\.yaml:3: is nested too deeply$/],
  ['more than 30,000 parts', `name: x\nlist:\n${'  - 1\n'.repeat(8_000)}`, /^a\.yaml:\d+: has more than 30000 parts$/],
];

for (const [what, text, message] of REFUSED)
  test(`refuses ${what} with file and line`, () => assert.match(refusal(text), message));

test('brackets 32 deep and lists 15 deep are read', () => {
  const deep = v.strictObject({ name: v.string(), deep: v.any() });
  assert.equal(readYaml('a.yaml', `name: x\ndeep: ${'['.repeat(32)}${']'.repeat(32)}\n`, deep).data.name, 'x');
  assert.equal(readYaml('a.yaml', `name: x\ndeep:\n  ${'- '.repeat(15)}1\n`, deep).data.name, 'x');
});

test('refuses a file over 256 KiB', () => {
  const filler = `# ${'x'.repeat(1000)}\n`;
  assert.match(
    refusal(`name: x\n${filler.repeat(Math.ceil(PACK_FILE_MAX_BYTES / filler.length))}`),
    /^a\.yaml:1: is larger than 256 KiB$/,
  );
});

test('a pack file is refused for a word that the schema does not know', () => {
  assert.equal(complaintAbout({ a: causeFile('a', 'severitty: fatal') }), 'host/a.yaml:9: unknown key severitty');
  assert.match(complaintAbout({ a: causeFile('A', '') })!, /^host\/a\.yaml:1: id: must be a kebab-case id$/);
  assert.match(complaintAbout({ a: causeFile('a', 'persists: 5 minutes') })!, /must be a duration/);
  assert.match(
    complaintAbout({ a: causeFile('a', 'signatures:\n  - {id: one, regex: abcdefgh, decisive: true}') })!,
    /^host\/a\.yaml:10: .*samples is missing$/,
  );
  assert.match(complaintAbout({ a: causeFile('a', signature('regex: abcdefgh\nlevel: [loud]')) })!, /level/);
});

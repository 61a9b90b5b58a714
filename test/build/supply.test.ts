// What the build says of the parts of others: each with a name, a version and a licence, and the same bytes each time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billOfMaterials, partsOf } from '../../build/supply.ts';

const FILES = [
  'src/cli.ts',
  'node_modules/yaml/dist/index.js',
  'node_modules/yaml/dist/visit.js',
  'node_modules/@smithy/core/dist-es/index.js',
];

test('each package of the bundle is named once, with its licence', () => {
  const parts = partsOf(FILES);
  assert.deepEqual(
    parts.map(({ name, licence }) => [name, licence]),
    [
      ['@smithy/core', 'Apache-2.0'],
      ['yaml', 'ISC'],
    ],
  );
  assert.match(parts[1]!.text, /Permission to use, copy, modify/);
});

test('the bill of materials names each by its address in the registry', () => {
  const { bomFormat, components } = billOfMaterials(partsOf(FILES)) as {
    bomFormat: string;
    components: { purl: string }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  assert.match(components[0]!.purl, /^pkg:npm\/%40smithy\/core@\d+\.\d+\.\d+$/);
});

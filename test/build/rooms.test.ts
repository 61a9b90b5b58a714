// The table of rooms in docs/architecture.md names every folder of src/, also those inside a room, and none that is not there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';

const TABLE = /## The rooms\n(?<rows>[^]*?)\nLint keeps/.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
const foldersOf = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

test('every folder of src/ has its place in the table of rooms', () => {
  const rows = TABLE!.groups!['rows']!.split('\n');
  const named: string[] = [];
  for (const room of foldersOf('src')) {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${room}/\``));
    assert.ok(row !== undefined, room);
    for (const inner of foldersOf(join('src', room))) assert.ok(row.includes(`\`${inner}/\``), `${room}/${inner}`);
    named.push(room, ...foldersOf(join('src', room)));
  }
  const rooms = [...rows.join('\n').matchAll(/`(?<name>[\w-]+)\/`/g)].map(({ groups }) => groups!['name']!);
  assert.deepEqual(
    rooms.filter((name) => !named.includes(name) && name !== 'patterns'),
    [],
  );
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';

const SRC = join(ROOT, 'src');
const IMPORT =
  /^(?:import|export)(?! type )[^'";]*from '(?<path>\.[^']+)'|\bimport\('(?<lazy>\.[^']+)'\)|^import '(?<bare>\.[^']+)'/gm;

/** Every file of src that an entry reaches, by static and dynamic imports; those of types alone are gone when the code runs. */
function reach(entry: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const ahead = [join(SRC, entry)];
  for (let file = ahead.pop(); file !== undefined; file = ahead.pop()) {
    const name = relative(SRC, file);
    if (seen.has(name)) continue;
    seen.add(name);
    for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT))
      ahead.push(join(dirname(file), (groups!['path'] ?? groups!['lazy'] ?? groups!['bare'])!));
  }
  return seen;
}

test('of the commands only diagnose and watch reach the making of the token', () => {
  const commands = readdirSync(join(SRC, 'commands'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const reaching = commands.filter((file) => reach(`commands/${file}`).has('probes/cluster/node-token.ts'));
  // Those of live/ are parts of both and no commands of their own; the lists only name the questions, and ask none.
  const allowed = ['completions.ts', 'diagnose.ts', 'lists.ts', 'live/live-session.ts', 'live/probing.ts', 'watch.ts'];
  for (const file of ['completions.ts', 'lists.ts'])
    assert.doesNotMatch(readFileSync(join(SRC, 'commands', file), 'utf8'), /runProbes|\.ask\(/);
  assert.ok(commands.includes('analyze.ts') && commands.includes('patterns/patterns.ts'));
  assert.deepEqual(
    reaching.filter((file) => !allowed.includes(file)),
    [],
  );
  assert.ok(reaching.includes('diagnose.ts'));
});

test('of the files only node-registered imports it, and it does what it says', () => {
  const importing = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(join(SRC, file), 'utf8').includes("/node-token.ts'"),
  );
  assert.deepEqual(importing, ['probes/cluster/node-registered.ts']);
  assert.ok(reach('probes/index.ts').has('probes/cluster/node-token.ts'));
});

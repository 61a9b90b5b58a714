import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, tool } from '../../build/project.ts';
import { tempFolder } from './temp-folder.ts';

const FORBIDDEN: Readonly<Record<string, string>> = {
  'src/types.ts': "export * from './host/files.ts';",
  'src/host/a.ts': "export * from '../sources/journal.ts';",
  'src/host/b.ts': "export { services } from 'systeminformation';",
  'src/host/c.ts': "export * from 'systeminformation/lib/filesystem.js';",
  'src/sources/a.ts': "export * from '../matching/match.ts';",
  'src/sources/deep/a.ts': "export * from '../../matching/match.ts';",
  'src/probes/a.ts': "export * from '../options.ts';",
  'src/probes/b.ts': "export * from 'systeminformation/lib/memory.js';",
  'src/sinks/a.ts': "export { lookup } from 'node:dns';",
  'src/sinks/b.ts': "import dns from 'node:dns';\nexport const b = dns.lookup;",
  'src/signatures/a.ts': "export * from '../diagnosis/diagnose.ts';",
  'src/matching/a.ts': "export * from '../host/files.ts';",
  'src/diagnosis/a.ts': "export * from 'node:fs';",
  'src/diagnosis/deep/a.ts': "export * from 'node:fs/promises';",
  'src/reporting/a.ts': 'export const now = () => Date.now();',
  'src/lib/a.ts': "export * from '../types.ts';",
  'src/aws/a.ts': "export * from '../probes/probe.ts';",
  'src/host/deep/a.ts': "export * from '../../sources/journal.ts';",
  'src/redaction/a.ts': 'export const home = process.env;',
  'src/render/a.ts': "export * from '../redaction/redact.ts';",
  'src/commands/a.ts': "export { statfs } from 'node:fs/promises';",
  'src/commands/b.ts': "export { mem } from 'systeminformation';",
};

const ALLOWED: Readonly<Record<string, string>> = {
  'src/cli.ts': "export * from './commands/a.ts';",
  'src/commands/ok.ts': "export * from '../sources/journal.ts';\nexport * from '../render/text.ts';",
  'src/host/memory.ts': "export { mem } from 'systeminformation/lib/memory.js';",
  'src/host/ok.ts': "export { lookup } from 'node:dns';\nexport * from '../types.ts';\nexport * from './files.ts';",
  'src/sources/ok.ts':
    "export * from '../types.ts';\nexport * from '../host/files.ts';\nexport * from './journal.ts';\nexport { extract } from 'tar-stream';",
  'src/sources/deep/ok.ts':
    "export * from '../journal.ts';\nexport * from '../../host/files.ts';\nexport * from '../../aws/partitions.ts';\nexport * from '../../lib/within.ts';",
  'src/matching/ok.ts':
    "export * from '../types.ts';\nexport * from './gate.ts';\nexport { createHash } from 'node:crypto';\nexport const day = new Date(0);",
};

test('imports point only to types, host or the own folder, and the pure stages stay pure', (t) => {
  const folder = tempFolder(t, {
    '.oxlintrc.json': readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8').replace(
      '"typeAware": true',
      '"typeAware": false',
    ),
    ...FORBIDDEN,
    ...ALLOWED,
  });
  const { stdout } = spawnSync(tool('oxlint'), ['--format=json', 'src'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  const refused = diagnostics.filter(({ code }) => code.includes('no-restricted')).map(({ filename }) => filename);
  assert.deepEqual([...new Set(refused)].toSorted(), Object.keys(FORBIDDEN).toSorted());
});

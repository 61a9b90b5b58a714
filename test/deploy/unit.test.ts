// What the units allow themselves: the exposure that systemd counts, for the installed one and for the one that user data starts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { tempFolder } from '../build/temp-folder.ts';

const EXPOSURE_MAX = 3;
const UNIT = readFileSync(join(ROOT, 'systemd', 'eks-bootstrap-analyzer.service'), 'utf8');
const USER_DATA = readFileSync(join(ROOT, 'deploy', 'user-data.sh'), 'utf8');

/** As systemd-run makes it of the script's properties. */
function transientUnit(): string {
  const properties = [...USER_DATA.matchAll(/--property=(?<name>\w+)=(?:'(?<quoted>[^']*)'|(?<plain>\S*))/g)];
  const lines = properties.map(({ groups }) => `${groups!['name']}=${groups!['quoted'] ?? groups!['plain']}`);
  return ['[Service]', 'ExecStart=/bin/true', ...lines, ''].join('\n');
}

function exposureOf(t: TestContext, unit: string): number | null {
  const file = join(tempFolder(t, { 'eks-bootstrap-analyzer.service': unit }), 'eks-bootstrap-analyzer.service');
  const { stdout, error } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
    encoding: 'utf8',
  });
  const level = /Overall exposure level for \S+: (?<level>[\d.]+)/.exec(stdout ?? '')?.groups?.['level'];
  if (error !== undefined || level === undefined) {
    t.skip('systemd-analyze with --offline (systemd 250) is not here');
    return null;
  }
  return Number(level);
}

for (const [title, unit] of [
  ['the installed unit', UNIT],
  ['the unit of user data', transientUnit()],
] as const) {
  test(`${title} is exposed by ${EXPOSURE_MAX} at most`, (t) => {
    const level = exposureOf(t, unit);
    if (level !== null) assert.ok(level <= EXPOSURE_MAX, String(level));
  });

  test(`${title} does not fail for a folder below /var`, () => {
    assert.doesNotMatch(unit, /^(?:State|Logs)Directory=/m);
    const paths = /^ReadWritePaths=(?<paths>.*)$/m.exec(unit)!.groups!['paths']!.split(' ');
    for (const path of paths) assert.ok(path.startsWith('-/') || path === '/run', path);
  });
}

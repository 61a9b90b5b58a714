// Names the folders of captured nodes: test/scenarios/*/capture and test/healthy/*/capture.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';

export function captures(kind: 'scenarios' | 'healthy'): string[] {
  return globSync(`test/${kind}/*/capture`, { cwd: ROOT })
    .map((folder) => join(ROOT, folder))
    .sort();
}

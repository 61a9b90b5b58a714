// The modules that read the repository in source mode, and the generated code that stands for them in the bundle.

import { join } from 'node:path';
import { readChecksScript } from '../src/aws/checks-script.ts';
import { readBuiltInPack } from '../src/signatures/built-in-pack.ts';
import { jsonExpression } from './json-expression.ts';
import { ROOT, projectVersion } from './project.ts';

export function embeddedModules(): ReadonlyMap<string, string> {
  return new Map([
    [
      join(ROOT, 'src/signatures/built-in-pack.ts'),
      `export function readBuiltInPack() { return ${jsonExpression(readBuiltInPack())}; }`,
    ],
    [
      join(ROOT, 'src/aws/checks-script.ts'),
      `export function readChecksScript() { return ${JSON.stringify(readChecksScript())}; }`,
    ],
    [join(ROOT, 'src/version.ts'), `export const VERSION = ${JSON.stringify(projectVersion())};`],
  ]);
}

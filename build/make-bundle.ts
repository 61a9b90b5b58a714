// Writes dist/eks-bootstrap-analyzer.cjs: the program with its compiled pack and version inside; and, beside it, what of others is in it.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { embeddedModules } from './embedded-modules.ts';
import { writeSupply } from './supply.ts';
import { BUNDLE, DIST, ROOT } from './project.ts';

export async function makeBundle(): Promise<void> {
  await mkdir(DIST, { recursive: true });
  const metafile = await bundle({
    root: ROOT,
    entry: join(ROOT, 'src/cli.ts'),
    outfile: BUNDLE,
    replacements: embeddedModules(),
  });
  writeSupply(Object.keys(metafile.inputs));
}

// `npm run build`: the bundle, an executable per processor, their checksums, and their sizes on standard output.

import { basename } from 'node:path';
import { writeChecksums } from './checksums.ts';
import { makeExecutable } from './executable.ts';
import { makeBundle } from './make-bundle.ts';
import { LICENCES_FILE, SBOM_FILE } from './supply.ts';
import { ARCHES, BUNDLE, DIST, executablePath } from './project.ts';

await makeBundle();
for (const arch of ARCHES) await makeExecutable(arch);

const files = [BUNDLE, ...ARCHES.map(executablePath), LICENCES_FILE, SBOM_FILE];
const sizes = await writeChecksums(DIST, files);
files.forEach((file, index) => {
  console.log(`${((sizes[index] ?? 0) / 1e6).toFixed(1).padStart(7)} MB  ${basename(file)}`);
});

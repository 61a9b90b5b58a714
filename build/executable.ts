// Makes one single-file executable from the bundle and the Node binary of a processor.

import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { installedBinary, placeBaseBinary } from './base-binary.ts';
import { BUNDLE, DIST, ROOT, executablePath, hostArch, type Arch } from './project.ts';
import { run } from './run.ts';
import { withSmallIcu } from './small-icu.ts';
import { withoutSymbols } from './strip.ts';

/** Node looks for this marker in its own binary to learn that a program was injected. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export async function makeExecutable(arch: Arch): Promise<void> {
  const work = await mkdtemp(join(DIST, '.work-'));
  try {
    const binary = join(work, basename(executablePath(arch)));
    await placeBaseBinary(arch, binary);
    // Before anything is injected: afterwards it would break the executable.
    await writeFile(binary, withoutSymbols(await readFile(binary)));
    const blob = await makeBlob(arch, work);
    await run(
      process.execPath,
      [join(ROOT, 'node_modules/postject/dist/cli.js'), binary, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE],
      work,
    );
    await writeFile(binary, withSmallIcu(await readFile(binary)));
    await rename(binary, executablePath(arch));
  } finally {
    await rm(work, { recursive: true });
  }
}

/**
 * `--predictable` makes V8 write the same code cache every time; a fixed hash or random seed would too, but Node then rejects the cache at start.
 * The path of `main` ends up in the blob, so it is relative.
 */
async function makeBlob(arch: Arch, work: string): Promise<string> {
  const config = join(work, 'sea-config.json');
  const blob = join(work, 'sea.blob');
  await writeFile(config, JSON.stringify(seaConfig(arch, hostArch(), blob)));
  await run(installedBinary(), ['--predictable', '--experimental-sea-config', config], dirname(BUNDLE));
  return blob;
}

/** V8's code cache holds for one processor. `execArgvExtension: none`: a NODE_OPTIONS left on the node is not for us. */
export function seaConfig(arch: Arch, builtOn: Arch, output: string): Record<string, unknown> {
  return {
    main: basename(BUNDLE),
    output,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: arch === builtOn,
    execArgvExtension: 'none',
  };
}

// Makes one single-file executable from the bundle and the Node binary of a processor.

import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installedBinary, placeBaseBinary } from './base-binary.ts';
import { BUNDLE, DIST, ROOT, executablePath, hostArch, type Arch } from './project.ts';
import { run } from './run.ts';
import { withSmallIcu } from './small-icu.ts';
import { withoutSymbols } from './strip.ts';

const BUILD = import.meta.dirname;
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
 * `--predictable` makes V8 write the same code every time; a fixed hash or random seed would too, but Node then rejects the code at start.
 * The path of `main` ends up in the blob, so it is relative.
 */
async function makeBlob(arch: Arch, work: string): Promise<string> {
  const config = join(work, 'sea-config.json');
  const blob = join(work, 'sea.blob');
  const warm = arch === hostArch() ? await warmUp(work) : null;
  await writeFile(config, JSON.stringify(seaConfig(warm, blob)));
  await run(installedBinary(), ['--predictable', '--experimental-sea-config', config], warm === null ? DIST : BUILD);
  return blob;
}

export interface WarmProgram {
  /** The bundle as one function of `require` and `process`. */
  readonly program: string;
  /** V8's code of it. */
  readonly code: string;
}

/** No garbage is collected: memory that is used again leaves what it held in the gaps of V8's records. */
const SAME_BYTES = ['--predictable', '--min-semi-space-size=256'];
/** Not those that the bench measures. */
const RECORDED = ['al2-sandbox-image-not-found', 'al2023-swap-enabled', 'al2023-nodeconfig-invalid'];

async function warmUp(work: string): Promise<WarmProgram> {
  const warm = { program: join(work, 'program.js'), code: join(work, 'program.code') };
  const bundle = await readFile(BUNDLE, 'latin1');
  const withoutShebang = bundle.slice(bundle.indexOf('\n') + 1);
  await writeFile(warm.program, `(function (require, process) {${withoutShebang}\n})`, 'latin1');
  const captures = RECORDED.map((name) => join(ROOT, 'test/scenarios', name, 'capture'));
  await run(installedBinary(), [...SAME_BYTES, join(BUILD, 'warm-up.ts'), warm.program, warm.code, ...captures], work);
  return warm;
}

/** V8's code holds for one processor: without it the bundle itself is what runs. `execArgvExtension: none`: a NODE_OPTIONS left on the node is not for us. */
export function seaConfig(warm: WarmProgram | null, output: string): Record<string, unknown> {
  return {
    main: warm === null ? basename(BUNDLE) : 'sea-main.cjs',
    ...(warm === null ? {} : { assets: { ...warm } }),
    output,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
    execArgvExtension: 'none',
  };
}

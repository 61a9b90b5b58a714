// The pack that ships with the tool. From source it is compiled from patterns/; the build replaces this module by one
// that carries the compiled pack.
import { fileURLToPath } from 'node:url';
import type { Pack } from '../types.ts';
import { compilePack } from './compile.ts';
import { loadFolder } from './load-folder.ts';

let pack: Pack | undefined;

/** Compiled once a process: from source that takes a while. */
export function readBuiltInPack(): Pack {
  pack ??= compilePack(loadFolder(fileURLToPath(new URL('../../patterns', import.meta.url))));
  return pack;
}

// The pack that a run works with: the built-in one, changed by the operator's files where there are any.
import { EXIT_BAD_USAGE } from '../exit-codes.ts';
import { OperatorError } from '../operator-error.ts';
import { readBuiltInPack } from '../signatures/built-in-pack.ts';
import { readOperatorFolder } from '../signatures/operator-folder.ts';
import type { NotChecked, Pack } from '../types.ts';

export interface LoadedPack {
  readonly pack: Pack;
  /** Operator files that were refused; the built-in ones stay in their place. */
  readonly notChecked: readonly NotChecked[];
}

/** Never fails over an operator's file. The YAML reader is loaded only if there is one. */
export async function loadPack(folder: string, ownerUid: number): Promise<LoadedPack> {
  const builtIn = await builtInPack();
  const { files, refused } = readOperatorFolder(folder, ownerUid);
  const untrusted = refused.map(({ path, why }) => refusal(path, why));
  if (files.length === 0) return { pack: builtIn, notChecked: untrusted };
  const { applyOperatorFiles } = await import('../signatures/operator-pack.ts');
  const applied = applyOperatorFiles(builtIn, files);
  const firstOfFile = applied.refused.filter(
    (fault, index, all) => all.findIndex(({ file }) => file === fault.file) === index,
  );
  return {
    pack: applied.pack,
    notChecked: [
      ...untrusted,
      ...firstOfFile.map((fault) => refusal(`${folder}/${fault.file}:${fault.line}`, fault.what)),
    ],
  };
}

/** Only a pack that is read from source can have a fault: its author wants the place, not a stack. */
export async function builtInPack(): Promise<Pack> {
  try {
    return readBuiltInPack();
  } catch (error) {
    const { PackError } = await import('../signatures/read-yaml.ts');
    throw error instanceof PackError ? new OperatorError(`patterns/${error.message}`, EXIT_BAD_USAGE) : error;
  }
}

function refusal(what: string, detail: string): NotChecked {
  return { what, code: 'pattern-refused', detail };
}

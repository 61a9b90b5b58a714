// `completions SHELL`: a script that makes the shell complete commands, options and their values.
import { renderBash } from '../completions/bash.ts';
import type { Names } from '../completions/choices.ts';
import { renderFish } from '../completions/fish.ts';
import { renderZsh } from '../completions/zsh.ts';
import type { Shell } from '../options.ts';
import { PROBES } from '../probes/index.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { writeStream } from '../sinks/local/stream.ts';
import type { CommandContext } from './command-context.ts';
import { loadPack } from './pack.ts';

const SCRIPTS: Readonly<Record<Shell, (names: Names) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

export async function completions({ operands, process }: CommandContext): Promise<number> {
  const { causes } = (await loadPack(OPERATOR_FOLDER, OPERATOR_UID)).pack;
  const names = { probes: PROBES.map(({ name }) => name), causes: causes.map(({ id }) => id) };
  await writeStream(process.stdout, SCRIPTS[operands[0] as Shell](names));
  return 0;
}

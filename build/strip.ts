// Takes the debug symbols off a Node binary before anything is injected (afterwards it would break the executable).

import { run } from './run.ts';
import { hostArch, ROOT, type Arch } from './project.ts';

const CROSS_TOOLS: Record<Arch, string> = { x64: 'x86_64-linux-gnu-strip', arm64: 'aarch64-linux-gnu-strip' };

/** Without a strip tool the binary stays as it is, about 20 MB larger, and a sentence says so. */
export async function strip(binary: string, arch: Arch): Promise<void> {
  const tool = arch === hostArch() ? 'strip' : CROSS_TOOLS[arch];
  try {
    await run(tool, [binary], ROOT);
  } catch (error) {
    if (!isMissingTool(error)) throw error;
    console.log(
      `${tool} (binutils) is not installed, so the linux-${arch} executable keeps its debug symbols and works all the same.`,
    );
  }
}

function isMissingTool(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

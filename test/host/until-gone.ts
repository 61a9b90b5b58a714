// Runs a script in a process of its own and measures until that process is gone, not until it has answered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Gone {
  /** What it printed. */
  readonly output: string;
  readonly exitCode: number;
  /** Between its last line and its end. */
  readonly lingerMs: number;
}

/** `script` is an ES module; it may import by absolute URLs, and ends by itself. */
export async function untilGone(script: string): Promise<Gone> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let answeredMs = performance.now();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    answeredMs = performance.now();
  });
  const [exitCode] = (await once(child, 'exit')) as [number];
  return { output: output.trim(), exitCode, lingerMs: performance.now() - answeredMs };
}

/** Code that imports `createNetwork`. */
export const IMPORT_NETWORK = `import { createNetwork } from ${JSON.stringify(new URL('../../src/host/network/create-network.ts', import.meta.url).href)};`;

// Runs the program over recorded nodes and writes what V8 compiled meanwhile: `warm-up.ts PROGRAM OUTPUT CAPTURE…`. A process of
// its own, under the Node binary that the executables are made of: the code fits no other, nor other flags of V8.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { Script } from 'node:vm';

/** No more than what the program uses of it. */
type Process = Record<string, unknown>;
type Program = (require: (name: string) => unknown, process: Process) => void;

const [programFile = '', output = '', ...captures] = process.argv.slice(2);
const script = new Script(readFileSync(programFile, 'latin1'), { filename: 'eks-bootstrap-analyzer.cjs' });
const program = script.runInThisContext() as Program;
for (const capture of captures) await analyze(capture);
writeFileSync(output, script.createCachedData());

/** The program leaves by becoming `sh -c "exit CODE"`. @throws Error unless the run names a cause: else the code would be of a run that went wrong. */
async function analyze(capture: string): Promise<void> {
  const last = await new Promise((resolve) => program(requireWithoutFlags, processFor(['analyze', capture], resolve)));
  if (last !== 'exit 10' && last !== 'exit 11') throw new Error(`no cause found in ${capture}: ${String(last)}`);
}

/** V8 keeps no code that was made under other flags than those at start. */
function requireWithoutFlags(name: string): unknown {
  const real = createRequire(import.meta.url)(name) as object;
  return name === 'node:v8' ? { ...real, setFlagsFromString: () => undefined } : real;
}

function processFor(args: readonly string[], leave: (last: unknown) => void): Process {
  const own = {
    argv: [process.execPath, programFile, ...args],
    env: {},
    stdout: nowhere(),
    stderr: nowhere(),
    execve: (_shell: string, words: readonly string[]) => leave(words.at(-1)),
  };
  return Object.create(process, Object.getOwnPropertyDescriptors(own)) as Process;
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

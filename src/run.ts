// Runs one invocation in the process it is given: signals, the single error boundary, the exit code.
import type { CommandContext, Doors, RunProcess, StopSignal } from './commands/command-context.ts';
import { EXIT_BUG, SIGNAL_EXIT_CODES } from './exit-codes.ts';
import { renderHelp } from './help.ts';
import { OperatorError } from './operator-error.ts';
import { keptOptions } from './kept-options.ts';
import { ownName } from './own-name.ts';
import { type Invocation, parseArguments } from './parse-arguments.ts';
import { writeStream } from './sinks/local/stream.ts';
import { VERSION } from './version.ts';

/** A read that cannot be interrupted (an idle pipe on standard input) must not keep a run that was stopped. */
const CLEANUP_MAX_MS = 1_000;
const STDERR = 2;
const REPORT_BUG = `this is a bug in the tool; please report the lines above with the command and the version (${VERSION}).`;

type OpenDoors = () => Promise<Doors>;

/** Never rejects. Resolves with the exit code when everything is written and cleaned up. */
export async function run(process: RunProcess, openDoors: OpenDoors = doorsOf(process)): Promise<number> {
  const stop = new AbortController();
  const patience = Promise.withResolvers<never>();
  let stoppedBy: StopSignal | null = null;
  let timer: NodeJS.Timeout | undefined;
  let finishMs: number | null = null;
  const finishWithin = (limitMs: number): void => void (finishMs = limitMs);
  const onStop = (signal: StopSignal) => (): void => {
    stoppedBy ??= signal;
    stop.abort();
    timer ??= setTimeout(() => patience.reject(stop.signal.reason as Error), finishMs ?? CLEANUP_MAX_MS);
  };
  const listeners = { SIGINT: onStop('SIGINT'), SIGTERM: onStop('SIGTERM') };
  process.on('SIGINT', listeners.SIGINT);
  process.on('SIGTERM', listeners.SIGTERM);
  try {
    const code = await Promise.race([
      invoke({ process, signal: stop.signal, finishWithin }, await invocationOf(process, openDoors), openDoors),
      patience.promise,
    ]);
    return stoppedBy === null || finishMs !== null ? code : SIGNAL_EXIT_CODES[stoppedBy];
  } catch (error) {
    if (stoppedBy !== null) return SIGNAL_EXIT_CODES[stoppedBy];
    return await explain(process, error);
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', listeners.SIGINT);
    process.off('SIGTERM', listeners.SIGTERM);
  }
}

/** Loaded only for a command: help and version need none of it. */
function doorsOf({ env }: RunProcess): OpenDoors {
  return async () => (await import('./commands/machine-doors.ts')).machineDoors(env);
}

async function invocationOf({ argv, env }: RunProcess, openDoors: OpenDoors): Promise<Invocation> {
  const args = argv.slice(2);
  if (!args.includes('watch') && !args.includes('diagnose')) return parseArguments(args);
  return parseArguments(args, keptOptions(env, await (await openDoors()).environmentFile()));
}

async function invoke(
  given: Pick<CommandContext, 'process' | 'signal' | 'finishWithin'>,
  invocation: Invocation,
  openDoors: OpenDoors,
): Promise<number> {
  if (invocation.kind === 'version') return print(given.process, `${VERSION}\n`);
  if (invocation.kind === 'help') return print(given.process, renderHelp(invocation.about));
  const { settings, operands } = invocation;
  const context: CommandContext = { ...given, settings, operands, doors: await openDoors() };
  switch (invocation.command) {
    case 'analyze':
      return (await import('./commands/analyze.ts')).analyze(context);
    case 'diagnose':
      return (await import('./commands/diagnose.ts')).diagnoseNode(context);
    case 'watch':
      return (await import('./commands/watch.ts')).watch(context);
    case 'check-image':
      return (await import('./commands/check-image.ts')).checkImage(context);
    case 'patterns list':
      return (await import('./commands/patterns/patterns.ts')).listPatterns(context);
    case 'patterns show':
      return (await import('./commands/patterns/patterns.ts')).showPattern(context);
    case 'patterns check':
      return (await import('./commands/patterns/patterns.ts')).checkPatterns(context);
    case 'patterns new':
      return (await import('./commands/patterns/new-pattern.ts')).newPattern(context);
    case 'probes list':
      return (await import('./commands/lists.ts')).listProbes(context);
    case 'streams list':
      return (await import('./commands/lists.ts')).listStreams(context);
    case 'completions':
      return (await import('./commands/completions.ts')).completions(context);
    case 'version':
      return (await import('./commands/show-version.ts')).showVersion(context);
  }
}

async function print(process: RunProcess, text: string): Promise<number> {
  await writeStream(process.stdout, text);
  return 0;
}

async function explain(process: RunProcess, error: unknown): Promise<number> {
  const name = ownName(process.env, STDERR);
  const isExpected = error instanceof OperatorError;
  const text = isExpected ? `${name}${error.message}\n` : `${stackOf(error)}\n${name}${REPORT_BUG}\n`;
  // Where even standard error is closed, the exit code has to say it all.
  await writeStream(process.stderr, text).catch(() => undefined);
  return isExpected ? error.exitCode : EXIT_BUG;
}

/** The stack with those of its causes. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? String(error);
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`;
}

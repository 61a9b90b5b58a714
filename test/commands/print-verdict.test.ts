// A run that goes on says its verdict whatever becomes of standard output, and tells what became of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineDoors } from '../../src/commands/machine-doors.ts';
import { redactFor, tryToPrint } from '../../src/commands/print-verdict.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { parseArguments } from '../../src/parse-arguments.ts';
import type { CommandContext, RunProcess } from '../../src/commands/command-context.ts';
import type { NotChecked } from '../../src/types.ts';
import { errorWithCode, fakeProcess } from '../cli/fake-process.ts';
import { CAPTURE, cause, matched, pack, seen } from '../diagnosis/builders.ts';

const PACK = pack([cause('a')]);
const VERDICT = diagnose(PACK, matched(60, [seen('a/s', [10])]), [], CAPTURE);
const WHAT = 'standard output';

const DOORS = machineDoors({});

function contextOf(process: RunProcess, signal: AbortSignal): CommandContext {
  const invocation = parseArguments(['watch', '--format', 'json']);
  assert.ok(invocation.kind === 'command');
  return { process, settings: invocation.settings, operands: [], doors: DOORS, signal, finishWithin: () => undefined };
}

function saying(process: RunProcess, signal = new AbortController().signal): Promise<NotChecked | null> {
  const context = contextOf(process, signal);
  return tryToPrint(redactFor(VERDICT, context), { pack: PACK, context, isOneOfMany: true });
}

test('what is written is no matter of the verdict', async () => {
  const process = fakeProcess([]);
  assert.equal(await saying(process), null);
  assert.equal(JSON.parse(process.out()).cause.id, 'a');
});

test('a full disk behind it is told', async () => {
  assert.deepEqual(await saying(fakeProcess([], { failure: errorWithCode('ENOSPC') })), {
    what: WHAT,
    code: 'output-failed',
    detail: 'ENOSPC',
  });
});

test('a reader that went away has seen enough', async () => {
  assert.equal(await saying(fakeProcess([], { failure: errorWithCode('EPIPE') })), null);
});

test('a run that is stopped waits for no reader', async () => {
  const process = fakeProcess([]);
  const stuck: RunProcess = { ...process, stdout: { ...process.stdout, write: () => true } };
  const startMs = performance.now();
  assert.deepEqual(await saying(stuck, AbortSignal.abort()), { what: WHAT, code: 'output-blocked', detail: '' });
  assert.ok(performance.now() - startMs < 1_000);
});

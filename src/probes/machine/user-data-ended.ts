// Has cloud-init's user data ended? If not: which part runs, in which command, and what it printed last.
import { type Host, HostError } from '../../host/host.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe } from '../probe.ts';
import { waitedFor } from './unit-process.ts';

type Code = 'ok' | 'running' | 'no-processes';

const UNIT = 'cloud-final.service';
/** A part of user data, or what a module made of it, by the name below /var/lib/cloud/instance. */
const SCRIPT = /\/var\/lib\/cloud\/instances?\/(?:i-[0-9a-f]+\/)?(?<script>scripts\/[\w./-]{1,100})/;
/** A script that has run for less is no news. */
const WORTH_SECONDS = 60;
const OUTPUT = '/var/log/cloud-init-output.log';
const OUTPUT_FOLDERS = ['/var/log'];
const TAIL_BYTES = 4_096;
const LINES = 3;
const LINE_MAX_CHARS = 60;
const COMMAND_MAX_CHARS = 120;

export const userDataEnded: Probe<Code> = {
  name: 'user-data-ended',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'No user-data script has been running for long.' },
    running: {
      outcome: 'fail',
      sentence:
        'User data still runs: {script}, for {script_seconds} s (now in `{process}`, {process_seconds} s) (it printed last: {printed}).',
    },
    'no-processes': { outcome: 'skipped', sentence: 'Not asked: there is no ps here.' },
  },
  async ask({ host, system, signal }) {
    const processes = await system.processes(signal);
    if (processes === null) return { code: 'no-processes', facts: {} };
    const own = processes.filter(({ unit }) => unit === UNIT);
    // A script may call others: the first one is the part.
    const part = own.filter(({ command }) => SCRIPT.test(command)).toSorted((a, b) => b.ageSeconds - a.ageSeconds)[0];
    if (part === undefined || part.ageSeconds < WORTH_SECONDS) return { code: 'ok', facts: {} };
    const child = waitedFor(own, part.pid).at(-1);
    return {
      code: 'running',
      facts: compactFacts({
        script: SCRIPT.exec(part.command)!.groups!['script'],
        script_seconds: part.ageSeconds,
        process: child?.command.slice(0, COMMAND_MAX_CHARS),
        process_seconds: child?.ageSeconds,
        printed: await lastPrinted(host),
      }),
    };
  },
};

/** The last lines of all scripts' output in one line; null if it cannot be read. */
async function lastPrinted(host: Host): Promise<string | null> {
  try {
    const file = await host.openBelowRoot(OUTPUT, OUTPUT_FOLDERS);
    try {
      const tail = Buffer.alloc(Math.min(TAIL_BYTES, file.sizeBytes));
      const bytes = await file.readAt(tail, file.sizeBytes - tail.length);
      const lines = tail.toString('utf8', 0, bytes).split(/[\r\n]+/);
      const told = lines.map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim()).filter((line) => line !== '');
      return told
        .slice(-LINES)
        .map((line) => line.slice(0, LINE_MAX_CHARS))
        .join(' / ');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}

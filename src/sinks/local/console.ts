// Writes one line to the console of the machine, where `aws ec2 get-console-output` shows it even without a network. Opening
// a console can block, so a short-lived child does it.
import type { ChildEnd, Host } from '../../host/host.ts';
import { DeliveryError } from '../codes.ts';

export type ConsoleHost = Pick<Host, 'kindOf' | 'run'>;

const TIME_LIMIT_MS = 1_000;
/** The line begins on a line of its own, whatever stood there before; it is an argument and never part of the script. */
const SCRIPT = String.raw`printf '\n%s\n' "$1" >"$2"`;

/** `line` without a newline. @throws DeliveryError `console-missing` or `console-failed` */
export async function writeConsole(host: ConsoleHost, device: string, line: string): Promise<void> {
  const entry = await host.kindOf(device).catch(() => null);
  // The shell would make a file where there is none.
  if (entry?.kind !== 'device') throw new DeliveryError('console-missing', device);
  const { exitCode, endedBy, stderr } = await endOf(host, [line, device]);
  if (endedBy !== null) throw new DeliveryError('console-failed', `${device}: no answer within ${TIME_LIMIT_MS} ms`);
  if (exitCode !== 0) throw new DeliveryError('console-failed', `${device}: ${stderr.trim().split('\n').at(-1) ?? ''}`);
}

async function endOf(host: ConsoleHost, args: readonly string[]): Promise<ChildEnd> {
  try {
    const child = host.run({ command: 'sh', args: ['-c', SCRIPT, 'sh', ...args], timeLimitMs: TIME_LIMIT_MS });
    // It says nothing; its output ends when it is gone.
    await child.read(Buffer.alloc(64));
    return await child.ended;
  } catch (error) {
    throw new DeliveryError('console-failed', 'sh', { cause: error });
  }
}

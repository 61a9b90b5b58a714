// Takes the text of an EC2 console output out of what people save of it: the JSON of `aws ec2 get-console-output`, or base64.
import { isoInstant } from '../../lib/instant.ts';

/** EC2 keeps 64 KiB of it; anything larger is something else. */
export const CONSOLE_MAX_BYTES = 2 * 1024 * 1024;
const BASE64_MIN_CHARS = 256;
/** The first line, or all of a short text: no blank and nothing that base64 does not have. */
const BASE64 = /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/;

/** From the first bytes alone: is it worth holding the whole thing in memory? */
export function mayBeConsoleOutput(head: Buffer): boolean {
  const text = head.toString('latin1');
  return /^\s*\{[^{}]{0,2000}?"Output"\s*:\s*"/.test(text) || (text.length >= BASE64_MIN_CHARS && BASE64.test(text));
}

/** The console's text, null if it is neither of the forms after all. */
export function consoleText(bytes: Buffer): Buffer | null {
  const text = bytes.toString('utf8').trim();
  if (!text.startsWith('{')) return decoded(text);
  const saved = savedOutput(text);
  if (saved === null) return null;
  const { output, taken } = saved;
  return Buffer.concat([Buffer.from(takenAt(taken)), decoded(output) ?? Buffer.from(output, 'utf8')]);
}

/** journalctl's own way of saying until when a text goes: EC2 says when it took the output, which the last line may long precede. */
function takenAt(taken: unknown): string {
  const ms = typeof taken === 'number' ? taken * 1000 : typeof taken === 'string' ? Date.parse(taken) : Number.NaN;
  const iso = isoInstant(ms);
  // Years of other than four digits are no form of journalctl's.
  if (iso === null || !/^\d{4}-/.test(iso)) return '';
  return `-- Logs begin at the start of this boot, end at ${new Date(ms).toUTCString().slice(0, 3)} ${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC. --\n`;
}

function savedOutput(text: string): { readonly output: string; readonly taken: unknown } | null {
  try {
    const { Output: output, Timestamp: taken } = JSON.parse(text) as { Output?: unknown; Timestamp?: unknown };
    return typeof output === 'string' ? { output, taken } : null;
  } catch {
    return null;
  }
}

function decoded(text: string): Buffer | null {
  if (text.length < BASE64_MIN_CHARS || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  const isText = bytes.includes(0x0a) && !bytes.subarray(0, 4096).includes(0);
  return isText ? bytes : null;
}

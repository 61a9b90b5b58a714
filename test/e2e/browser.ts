// A headless Chromium, spoken to by its own protocol (https://chromedevtools.github.io/devtools-protocol/) over a pipe, in a network of
// its own that leads nowhere.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

type Parameters = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

export interface Tab {
  send(method: string, parameters?: Parameters): Promise<Answer>;
  /** Value of an expression; of a promise what it resolves to. */
  evaluate(expression: string): Promise<unknown>;
  /** Resolves when the page and all that it asks for is there. */
  open(url: string): Promise<void>;
  /** Addresses that pages asked for so far. */
  readonly requests: readonly string[];
}

export interface Browser {
  readonly tab: Tab;
  close(): Promise<void>;
}

/** Debian names the small one chromium-headless-shell. */
const PROGRAM = 'chromium-headless-shell';
const ARGS = [
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--hide-scrollbars',
  '--disable-gpu',
  '--disable-dev-shm-usage',
];

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Answer;
  readonly result?: Answer;
  readonly error?: { readonly message: string };
}

export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'eba-browser-'));
  const child = spawn('unshare', ['--net', PROGRAM, ...ARGS, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const [, , , into, from] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const requests: string[] = [];
  const heard = new Map<string, () => void>();
  let rest = '';
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\0');
    rest = parts.pop()!;
    for (const part of parts) hear(JSON.parse(part) as Message);
  });
  function hear(message: Message): void {
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === 'Network.requestWillBeSent')
      requests.push((message.params!['request'] as { url: string }).url);
    if (message.method !== undefined) heard.get(message.method)?.();
  }
  let last = 0;
  const send =
    (sessionId: string | undefined) =>
    async (method: string, params: Parameters = {}) => {
      const id = ++last;
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
      into.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      const gone = ended.then((): Message => ({ error: { message: 'the browser is gone' } }));
      const { result = {}, error } = await Promise.race([answer, gone]);
      waiting.delete(id);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    };
  const browser = send(undefined);
  const { targetId } = await browser('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true });
  const tell = send(sessionId as string);
  await tell('Page.enable');
  await tell('Network.enable');
  return {
    tab: {
      send: tell,
      requests,
      async evaluate(expression) {
        const { result, exceptionDetails } = await tell('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        });
        if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
        return (result as { value: unknown }).value;
      },
      async open(url) {
        const loaded = new Promise<void>((resolve) => heard.set('Page.loadEventFired', resolve));
        await tell('Page.navigate', { url });
        await loaded;
      },
    },
    async close() {
      await browser('Browser.close').catch(() => undefined);
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Delivery with real processes: two at once against one spool, and one that is killed at any moment.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../build/temp-folder.ts';
import type { Request } from './delivering-child.ts';
import { eventOf, idOf } from './fakes.ts';
import { recordingServer } from './recording-server.ts';

const CHILD = join(import.meta.dirname, 'delivering-child.ts');
const ROUNDS = 50;

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** What it said so far. */
  readonly said: string[];
  readonly lines: Interface;
}

async function start(t: TestContext, folder: string, url: string): Promise<Running> {
  const child = spawn(process.execPath, [CHILD, folder, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const running = { child, said: [] as string[], lines: createInterface({ input: child.stdout }) };
  running.lines.on('line', (line) => running.said.push(line));
  await until(running, 'ready');
  return running;
}

async function until({ said, lines }: Running, line: string): Promise<void> {
  while (!said.includes(line)) await once(lines, 'line');
}

async function ask(running: Running, request: Request): Promise<void> {
  running.said.length = 0;
  running.child.stdin.write(`${JSON.stringify(request)}\n`);
  await until(running, 'done');
}

function spooledIds(folder: string): string[] {
  const spool = join(folder, 'state/spool');
  return existsSync(spool)
    ? readdirSync(spool).flatMap((name) => /^\d+-(?<id>[0-9a-f]{32})-/.exec(name)?.groups?.['id'] ?? [])
    : [];
}

test(`two processes deliver at once ${ROUNDS} times: nothing is lost, nothing is taken twice`, async (t) => {
  const folder = tempFolder(t, {});
  const server = await recordingServer(t);
  const both = await Promise.all([start(t, folder, server.url), start(t, folder, server.url)]);
  let calls = 0;
  server.takes = () => ++calls % 3 !== 0;
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(both.map((running, at) => ask(running, round % 5 === 4 ? [] : [2 * round + at + 1])));
  server.takes = () => true;
  await ask(both[0], []);
  const sent = Array.from({ length: ROUNDS }, (_, round) =>
    round % 5 === 4 ? [] : [2 * round + 1, 2 * round + 2],
  ).flat();
  assert.deepEqual(server.taken.map(({ id }) => id).sort(), sent.map(idOf));
  assert.deepEqual(spooledIds(folder), []);
});

/** Longer than the deliveries of one run take. */
const KILL_WITHIN_MS = 60;
const PER_RUN = 3;

test(`a run that is killed at ${ROUNDS} random moments loses nothing, and what comes twice is the same`, async (t) => {
  const folder = tempFolder(t, {});
  const server = await recordingServer(t);
  const wasInFlight = new Set<string>();
  let number = 0;
  let open: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const running = await start(t, folder, server.url);
    const waiting = spooledIds(folder);
    await ask(running, []);
    const taken = new Set(server.taken.map(({ id }) => id));
    assert.deepEqual(
      waiting.filter((id) => !taken.has(id)),
      [],
      `lost after kill ${round}`,
    );
    // As a run does that was started again: it says once more what it does not know to be said.
    const request = [...open, ...Array.from({ length: PER_RUN }, () => ++number)];
    running.said.length = 0;
    running.child.stdin.write(`${JSON.stringify(request)}\n`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    open = request.filter((each) => !running.said.includes(`end ${each}`));
    for (const each of [...open, ...request.filter((each) => !server.taken.some(({ id }) => id === idOf(each)))])
      wasInFlight.add(idOf(each));
  }
  const last = await start(t, folder, server.url);
  await ask(last, []);
  await ask(last, open);
  const times = Map.groupBy(server.taken, ({ id }) => id);
  assert.deepEqual(
    [...times.keys()].sort(),
    Array.from({ length: number }, (_, at) => idOf(at + 1)),
  );
  for (const [id, events] of times) {
    assert.ok(events.length === 1 || wasInFlight.has(id), `${id} came twice`);
    for (const event of events) assert.deepEqual(event, eventOf(Number(`0x${id}`)));
  }
  assert.deepEqual(spooledIds(folder), []);
  t.diagnostic(`${number} verdicts, ${server.taken.length - times.size} of them twice`);
});

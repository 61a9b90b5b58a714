import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createHost } from '../../src/host/create-host.ts';
import { followFiles } from '../../src/sources/follow/follow-files.ts';
import type { LiveEvents } from '../../src/sources/live.ts';
import { folderWith } from '../host/folder-with.ts';
import { TABLE } from './support.ts';
import { type Filling, lineOf, type Plan, type ToReader } from './torture.ts';

const SEEDS = process.env['TORTURE_SEEDS']?.split(',').map(Number) ?? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const LINES = 200_000;
const LIMIT_MS = 60_000;

/** What the follower pushed, source by source. */
class Received implements LiveEvents {
  readonly sources: number[][] = [];
  readonly faults: string[] = [];
  readonly #count = new Uint8Array(LINES);
  #awaited: { readonly line: number; readonly resolve: () => void } | null = null;

  open(): ReturnType<LiveEvents['open']> {
    const lines: number[] = [];
    let isClosed = false;
    this.sources.push(lines);
    return {
      push: (chunk) => {
        const text = Buffer.from(chunk).toString('latin1');
        if (isClosed || !text.endsWith('\n'))
          this.faults.push(`a push ${isClosed ? 'after the close' : 'of half a line'}`);
        for (const line of text.slice(0, -1).split('\n')) this.#add(lines, line);
        if (this.#awaited !== null && this.#count[this.#awaited.line]! > 0) this.#awaited.resolve();
      },
      close: () => {
        isClosed = true;
      },
    };
  }

  note(note: Parameters<LiveEvents['note']>[0]): void {
    this.faults.push(`a note: ${JSON.stringify(note)}`);
  }

  has(line: number): boolean {
    return this.#count[line]! > 0;
  }

  async waitFor(line: number): Promise<void> {
    if (line < 0 || this.has(line)) return;
    console.log('waiting', line);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { line, resolve };
    await promise;
    this.#awaited = null;
  }

  #add(lines: number[], line: string): void {
    const number = Number.parseInt(line, 10);
    if (!(number >= 0 && number < LINES) || line !== lineOf(number))
      this.faults.push(`a line that was never written: ${JSON.stringify(line.slice(0, 80))}`);
    else if (++this.#count[number]! > 1) this.faults.push(`line ${number} twice`);
    lines.push(number);
  }
}

/** The writer's fillings, once it is done and the reader has the last line. */
async function write(plan: Plan, received: Received, signal: AbortSignal): Promise<readonly Filling[]> {
  const writer = fork(join(import.meta.dirname, 'torture-writer.ts'), [JSON.stringify(plan)], { signal });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Filling[]>();
  writer.on('error', reject);
  writer.on('exit', (code) => code !== 0 && reject(new Error(`the writer ended with ${code}`)));
  writer.on('message', (message: ToReader) => {
    if (message.kind === 'done') resolve(message.fillings);
    else void received.waitFor(message.line).then(() => writer.send('go on'));
  });
  const fillings = await promise;
  for (const { end, by } of fillings) if (by !== 'emptied' && by !== 'copied') await received.waitFor(end - 1);
  return fillings;
}

function judge(t: TestContext, received: Received, fillings: readonly Filling[]): void {
  assert.deepEqual(received.faults.slice(0, 5), []);
  const isGrowing = (numbers: readonly number[]): boolean =>
    numbers.every((number, at) => at === 0 || number > numbers[at - 1]!);
  for (const lines of received.sources) assert.ok(isGrowing(lines), 'the lines of a source are in order');
  let lost = 0;
  for (const { first, end, by } of fillings) {
    let next = first;
    while (next < end && received.has(next)) next++;
    const missing = end - next;
    lost += missing;
    // Only what was not read yet when the file was emptied may be missing: the end of the filling, and nothing but its end.
    if (by !== 'emptied' && by !== 'copied')
      assert.equal(missing, 0, `lines ${next} to ${end} are missing from a filling that was ${by}`);
    for (; next < end; next++)
      assert.ok(!received.has(next), `line ${next} came, one before it in the same filling did not`);
  }
  t.diagnostic(
    `${fillings.length} fillings, ${received.sources.length} sources, ${lost} lines were emptied away unread`,
  );
}

for (const seed of SEEDS)
  test(`every line once, over 20 renames and 20 truncations: seed ${seed}`, { timeout: LIMIT_MS }, async (t) => {
    const root = folderWith(t);
    const stop = new AbortController();
    t.after(() => stop.abort());
    const received = new Received();
    const { folder, glob } =
      seed % 2 === 0
        ? { folder: 'var/log', glob: '/var/log/torture.log' }
        : { folder: 'var/log/late/later', glob: '/var/log/late/*/*.log' };
    const following = followFiles(createHost({ root }), TABLE, [glob], received, { signal: stop.signal });
    await following.caughtUp;
    const plan: Plan = {
      seed,
      folder: join(root, folder),
      file: 'torture.log',
      lines: LINES,
      renames: 20,
      truncations: 20,
    };
    const fillings = await write(plan, received, stop.signal);
    stop.abort();
    await following.ended;
    judge(t, received, fillings);
  });

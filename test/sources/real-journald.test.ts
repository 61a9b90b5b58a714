import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ChildRequest, Host } from '../../src/host/host.ts';
import { createMatcher } from '../../src/matching/matcher.ts';
import type { SourceNote } from '../../src/sources/codes.ts';
import { cursorAt } from '../../src/sources/journal/journal-cursor.ts';
import { followJournal } from '../../src/sources/journal/follow-journal.ts';
import type { Following, LiveSource } from '../../src/sources/live.ts';
import { makeJournal, NO_JOURNAL_MAKER } from './make-journal.ts';
import { NO_JOURNALD, type PrivateJournald, privateJournald, until } from './private-journald.ts';
import { PACK } from './support.ts';

const real = { skip: NO_JOURNALD };

interface Followed {
  readonly following: Following;
  readonly sources: string[];
  readonly chunks: Buffer[];
  readonly notes: SourceNote[];
  /** Numbers of the lines `line N`, as they came. */
  lines(): number[];
  end(): Promise<void>;
}

async function follow(t: TestContext, host: Host): Promise<Followed> {
  const stop = new AbortController();
  const sources: string[] = [];
  const chunks: Buffer[] = [];
  const notes: SourceNote[] = [];
  const events = {
    open({ name }: LiveSource) {
      sources.push(name);
      return { push: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)), close: () => {} };
    },
    note: (note: SourceNote) => void notes.push(note),
  };
  const following = (await followJournal(host, events, { signal: stop.signal }))!;
  const end = (): Promise<void> => {
    stop.abort();
    return following.ended;
  };
  t.after(end);
  await following.caughtUp;
  return {
    following,
    sources,
    chunks,
    notes,
    lines: () =>
      [
        ...Buffer.concat(chunks)
          .toString('latin1')
          .matchAll(/^MESSAGE=line (?<n>\d+)$/gm),
      ].map((match) => Number(match.groups!['n'])),
    end,
  };
}

function numbered(from: number, to: number): string[] {
  return range(from, to).map((n) => `line ${n}`);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Lines of one moment may change places while journald copies them. */
function sorted(lines: readonly number[]): number[] {
  return lines.toSorted((a, b) => a - b);
}

/** The journal of a test begins when it begins, hours after the boot. */
function besidesStart(notes: readonly SourceNote[]): SourceNote[] {
  return notes.filter(({ code }) => code !== 'journal-start-missing');
}

test(
  'every line comes once, whatever journald does meanwhile, and no gap is seen where there is none',
  real,
  async (t) => {
    const journald = await privateJournald(t);
    journald.lines('kubelet', numbered(0, 500));
    await journald.holds('kubelet', 'line 499');
    const followed = await follow(t, journald.host);
    assert.deepEqual(followed.lines(), range(0, 500), 'what existed has come once it has caught up');
    let written = 500;
    const write = async (): Promise<void> => {
      journald.lines('kubelet', numbered(written, written + 100));
      written += 100;
      await until(() => followed.lines().length >= written);
      assert.deepEqual(sorted(followed.lines()), range(0, written));
    };
    await write();
    // Where there was no /var/log/journal until now.
    await journald.flush();
    await write();
    await journald.stop();
    await journald.start();
    await write();
    await journald.stop('SIGKILL');
    await journald.start();
    await write();
    journald.rotate();
    await write();
    assert.deepEqual(besidesStart(followed.notes), []);
  },
);

test(
  'the boot before comes first, and moving this one behind it in /var makes no gap',
  { skip: NO_JOURNALD || NO_JOURNAL_MAKER },
  async (t) => {
    const journald = await privateJournald(t);
    const older = { bootId: 'a'.repeat(32), startMs: Date.now() - 86_400_000, entries: 7_000, everyUs: 1_000 };
    await makeJournal(join(journald.log, 'journal', readFileSync('/etc/machine-id', 'utf8').trim(), 'system.journal'), [
      older,
    ]);
    journald.lines('kubelet', numbered(0, 100));
    const followed = await follow(t, journald.host);
    assert.deepEqual(followed.sources, ['journal of the boot before', 'journal']);
    assert.equal(
      Buffer.concat(followed.chunks)
        .toString('latin1')
        .match(/^_BOOT_ID=a{32}$/gm)?.length,
      5_000,
    );
    await journald.flush();
    journald.lines('kubelet', numbered(100, 200));
    await until(() => followed.lines().length >= 200);
    assert.deepEqual(sorted(followed.lines()), range(0, 200));
    const { number } = cursorAt(Buffer.from(journald.journalctl('-n', '1', '-o', 'export')), 0)!;
    assert.ok(number > older.entries, 'journald counts on from the older boot');
    assert.deepEqual(besidesStart(followed.notes), []);
  },
);

test(
  'brought up to date, it has every line, though its journalctl was stopped or its folder taken away',
  real,
  async (t) => {
    const journald = await privateJournald(t);
    journald.lines('kubelet', numbered(0, 50));
    await journald.holds('kubelet', 'line 49');
    const { host } = journald;
    const isGone = { now: false };
    const run = (request: ChildRequest): ReturnType<Host['run']> => {
      const child = host.run(request);
      // As if it were stopped by a signal: nothing of it is heard any more.
      const silent: Promise<number> = new Promise((resolve) => void child.ended.then(() => resolve(0)));
      const isFirst = request.args.includes('--follow') && follows++ === 0;
      return isFirst
        ? {
            ...child,
            read: (into) => (isGone.now ? silent : child.read(into).then((bytes) => (isGone.now ? silent : bytes))),
          }
        : child;
    };
    let follows = 0;
    const followed = await follow(t, { ...host, run });
    isGone.now = true;
    journald.lines('kubelet', numbered(50, 100));
    await journald.holds('kubelet', 'line 99');
    const never = new AbortController().signal;
    await followed.following.upToDate(never);
    assert.deepEqual(followed.lines(), range(0, 100));
    assert.equal(follows, 2);

    rmSync(join(journald.run, 'log/journal'), { recursive: true });
    mkdirSync(join(journald.run, 'log/journal'));
    await journald.stop();
    await journald.start();
    journald.lines('kubelet', numbered(100, 120));
    await journald.holds('kubelet', 'line 119');
    await followed.following.upToDate(never);
    assert.deepEqual(followed.lines(), range(0, 120));

    await journald.stop();
    rmSync(join(journald.run, 'log/journal'), { recursive: true });
    await followed.following.upToDate(never);
    assert.match(
      followed.notes.find(({ code }) => code === 'journal-blind')?.detail ?? '',
      /shows no entry of this boot/,
    );
  },
);

test('entries that journald removed while journalctl was away are counted', real, async (t) => {
  const journald = await privateJournald(t);
  journald.lines('kubelet', numbered(0, 50));
  const { host } = journald;
  let follows = 0;
  const run = (request: ChildRequest): ReturnType<Host['run']> => {
    if (!request.args.includes('--follow') || ++follows > 1) return host.run(request);
    const child = host.run({ ...request, timeLimitMs: 1_000 });
    void child.ended.then(() => loseLines(journald));
    return child;
  };
  const followed = await follow(t, { ...host, run });
  await until(() => followed.lines().includes(999));
  assert.deepEqual(followed.lines(), [...range(0, 50), 999]);
  const gap = besidesStart(followed.notes).find(({ code }) => code === 'journal-gap');
  // journald speaks of the rotation itself.
  assert.match(gap?.detail ?? '', /^30\d entries$/);
});

function loseLines(journald: PrivateJournald): void {
  journald.lines('kubelet', numbered(500, 800));
  journald.journalctl('--sync');
  journald.journalctl('--rotate', '--vacuum-files=1');
  journald.lines('kubelet', ['line 999']);
}

const SWAP =
  'E1120 11:22:33.444444 3214 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false"';

test('a process that logs an imitated entry of the kubelet is not taken for it', real, async (t) => {
  const journald = await privateJournald(t);
  journald.lines('other', ['first']);
  await journald.holds('other', 'first');
  const cursor = /__CURSOR=(?<cursor>[^\n]+)/.exec(journald.journalctl('-n', '1', '-o', 'export'))!.groups!['cursor']!;
  const forged = `__CURSOR=${cursor}\n__REALTIME_TIMESTAMP=1\n_BOOT_ID=${'a'.repeat(32)}\n_SYSTEMD_UNIT=kubelet.service\n_EXE=/usr/bin/kubelet\nSYSLOG_IDENTIFIER=kubelet\nMESSAGE=${SWAP}`;
  journald.send({ SYSLOG_IDENTIFIER: 'evil', MESSAGE: `x\n\n${forged}\n\nline` });
  journald.lines('other', numbered(0, 1));
  const followed = await follow(t, journald.host);
  await until(() => followed.lines().length === 1);
  const bytes = Buffer.concat(followed.chunks);
  assert.ok(bytes.includes('running with swap on'));

  const matcher = createMatcher(PACK, { referenceMs: Date.now() });
  const reader = matcher.open({ name: 'journal', stream: null, exported: true });
  reader.push(bytes);
  matcher.close(reader);
  const { matches } = matcher.result();
  assert.deepEqual(
    [...matches.values()].flatMap(({ streams }) => streams).filter((stream) => stream === 'kubelet'),
    [],
  );
});

test('it stops at once, and leaves no journalctl behind', real, async (t) => {
  const journald = await privateJournald(t);
  const { host } = journald;
  const ends: Promise<unknown>[] = [];
  const run = (request: ChildRequest): ReturnType<Host['run']> => {
    const child = host.run(request);
    ends.push(child.ended);
    return child;
  };
  const followed = await follow(t, { ...host, run });
  await followed.end();
  assert.ok(ends.length >= 3);
  await Promise.all(ends);
});

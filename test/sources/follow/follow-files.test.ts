import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { HostError } from '../../../src/host/host.ts';
import { folderWith } from '../../host/folder-with.ts';
import { follow, type Recorder } from '../follow-recorder.ts';
import { codesOf, namesOf } from '../support.ts';

const LOG = '/var/log/a.log';
const MIB = 1024 * 1024;
/** A wait that never ends fails here, with the name of its test. */
const LIMIT = { timeout: 20_000 };

function linesOf(recorder: Recorder): (readonly string[])[] {
  return recorder.sources.map(({ lines }) => lines);
}

suite('what is read', LIMIT, () => {
  test('what was there before has been pushed when it has caught up, whole lines only', async (t) => {
    const root = folderWith(t, {
      'var/log/cloud-init-output.log': 'one\ntwo\nhalf',
      'var/log/messages': 'x\n',
      'var/log/empty.log': '',
    });
    const recorder = follow(t, root, ['/var/log/cloud-init-output.log', '/var/log/messages', '/var/log/empty.log']);
    await recorder.following.caughtUp;
    assert.deepEqual(
      recorder.sources
        .map(({ name, path, stream, exported, lines }) => ({ name, path, stream, exported, lines }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        {
          name: '/var/log/cloud-init-output.log',
          path: '/var/log/cloud-init-output.log',
          stream: 'cloud-init-output',
          exported: false,
          lines: ['one', 'two'],
        },
        { name: '/var/log/messages', path: '/var/log/messages', stream: null, exported: false, lines: ['x'] },
      ],
    );
    assert.deepEqual(recorder.notes, []);
  });

  test('a last line is pushed once it is complete, or nothing more will come', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'half' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    assert.deepEqual(recorder.lines, []);
    appendFileSync(join(root, LOG), ' a line\nhalf of the last');
    await recorder.untilLines('half a line');
    await recorder.stop();
    assert.deepEqual(recorder.lines, ['half a line', 'half of the last']);
    assert.equal(recorder.sources[0]!.isClosed, true);
  });

  test('a last line without an end is pushed after two seconds of quiet, and at once before the last word', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\nhalf' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    assert.deepEqual(recorder.lines, ['one']);
    await recorder.until(() => recorder.lines.length === 2);
    assert.deepEqual(recorder.lines, ['one', 'half']);
    appendFileSync(join(root, LOG), ' a line\nthe last');
    await recorder.untilLines('one', 'half', 'half a line');
    await recorder.following.upToDate(new AbortController().signal);
    assert.deepEqual(recorder.lines.slice(3), ['the last']);
    await recorder.stop();
    assert.equal(recorder.lines.length, 4);
  });

  test('bytes arrive as they are, with empty lines and carriage returns', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': '' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    const bytes = Buffer.from('caf\u00e9 \u2713\r\n\n\u0000x\xff\n', 'utf8');
    appendFileSync(join(root, LOG), bytes);
    await recorder.until(() => recorder.lines.length === 3);
    appendFileSync(join(root, LOG), bytes);
    await recorder.until(() => recorder.lines.length === 6);
    const lines = bytes.toString('latin1').slice(0, -1).split('\n');
    assert.deepEqual(recorder.lines, [...lines, ...lines]);
  });

  test('a large file comes in few pushes', async (t) => {
    const line = 'a line of an ordinary length, as logs have them\n';
    const root = folderWith(t, { 'var/log/a.log': line.repeat(100_000) });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    assert.equal(recorder.lines.length, 100_000);
    assert.ok(recorder.sources[0]!.pushes < 50, `${recorder.sources[0]!.pushes} pushes`);
  });

  test('of a line that is too long the first 1 MiB is pushed, and the rest is counted', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': `before\n${'x'.repeat(3 * MIB)}` });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    appendFileSync(join(root, LOG), 'its end\nafter\n');
    await recorder.until(() => recorder.lines.length === 3);
    assert.deepEqual(
      recorder.lines.map((line) => [line.length, line.slice(0, 6)]),
      [
        [6, 'before'],
        [MIB, 'xxxxxx'],
        [5, 'after'],
      ],
    );
    assert.deepEqual(recorder.notes, [{ what: LOG, code: 'line-cut', detail: '1 line' }]);
  });

  test('a hole that a writer left behind is no part of a line', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    truncateSync(join(root, LOG), 0);
    truncateSync(join(root, LOG), 300_000);
    appendFileSync(join(root, LOG), 'two\n');
    await recorder.untilLines('one', 'two');
  });

  test('of a file of holes the two ends are read', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    truncateSync(join(root, LOG), 8 * 1024 ** 4);
    appendFileSync(join(root, LOG), '\ntwo\n');
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    assert.deepEqual(
      recorder.lines.filter((line) => line.length < 10),
      ['one', '', 'two'],
    );
    assert.deepEqual(codesOf(recorder.notes), ['sparse']);
  });
});

suite('what appears later', LIMIT, () => {
  test('a file, a folder, and folders in folders', async (t) => {
    const root = folderWith(t);
    const recorder = follow(t, root, [LOG, '/var/log/aws-routed-eni/*.log', '/var/log/pods/kube-system_aws-node-*/**']);
    await recorder.following.caughtUp;
    mkdirSync(join(root, 'var/log'), { recursive: true });
    writeFileSync(join(root, LOG), 'a\n');
    await recorder.untilLines('a');
    mkdirSync(join(root, 'var/log/aws-routed-eni'));
    writeFileSync(join(root, 'var/log/aws-routed-eni/ipamd.log'), 'b\n');
    await recorder.untilLines('a', 'b');
    mkdirSync(join(root, 'var/log/pods/kube-system_aws-node-x_1/aws-node'), { recursive: true });
    writeFileSync(join(root, 'var/log/pods/kube-system_aws-node-x_1/aws-node/0.log'), 'c\n');
    mkdirSync(join(root, 'var/log/pods/default_web_2'), { recursive: true });
    writeFileSync(join(root, 'var/log/pods/default_web_2/0.log'), 'of another pod\n');
    await recorder.untilLines('a', 'b', 'c');
    mkdirSync(join(root, 'var/log/pods/kube-system_aws-node-x_1/aws-eks-nodeagent'));
    writeFileSync(join(root, 'var/log/pods/kube-system_aws-node-x_1/aws-eks-nodeagent/0.log'), 'd\n');
    await recorder.untilLines('a', 'b', 'c', 'd');
    assert.deepEqual(namesOf(recorder.sources), [
      LOG,
      '/var/log/aws-routed-eni/ipamd.log',
      '/var/log/pods/kube-system_aws-node-x_1/aws-node/0.log',
      '/var/log/pods/kube-system_aws-node-x_1/aws-eks-nodeagent/0.log',
    ]);
  });

  test('rotated and compressed files are no new logs', async (t) => {
    const old = [
      'ipamd.log.1',
      'ipamd.log-20261120',
      'ipamd-2026-11-20T10-00-00.000.log',
      'ipamd.log.2.gz',
      'ipamd.log.gz',
      'ipamd.log.old',
    ];
    const root = folderWith(t, Object.fromEntries(old.map((name) => [`var/log/aws-routed-eni/${name}`, `${name}\n`])));
    const recorder = follow(t, root, ['/var/log/aws-routed-eni/ipamd*', '/var/log/aws-routed-eni/plugin.log']);
    await recorder.following.caughtUp;
    writeFileSync(join(root, 'var/log/aws-routed-eni/ipamd.log.3.gz'), 'x\n');
    writeFileSync(join(root, 'var/log/aws-routed-eni/ipamd.log'), 'now\n');
    await recorder.untilLines('now');
    writeFileSync(join(root, 'var/log/aws-routed-eni/plugin.log'), 'end\n');
    await recorder.untilLines('now', 'end');
    assert.deepEqual(recorder.lines, ['now', 'end']);
  });

  test('a folder that is exchanged for another one', async (t) => {
    const root = folderWith(t, { 'var/log/eni/ipamd.log': 'one\n' });
    const recorder = follow(t, root, ['/var/log/eni/*.log']);
    await recorder.following.caughtUp;
    renameSync(join(root, 'var/log/eni'), join(root, 'var/log/eni.before'));
    mkdirSync(join(root, 'var/log/eni'));
    writeFileSync(join(root, 'var/log/eni/ipamd.log'), 'two\n');
    await recorder.untilLines('one', 'two');
    writeFileSync(join(root, 'var/log/eni/plugin.log'), 'three\n');
    await recorder.untilLines('one', 'two', 'three');
  });

  test('at most 64 files are followed, and that is said', async (t) => {
    const root = folderWith(
      t,
      Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`var/log/many/${at}.log`, `${at}\n`])),
    );
    const recorder = follow(t, root, ['/var/log/many/*.log']);
    await recorder.following.caughtUp;
    assert.equal(recorder.lines.length, 64);
    assert.deepEqual(codesOf(recorder.notes), ['follow-limit']);
  });

  test('one file under two names is read once', async (t) => {
    const root = folderWith(t, { 'var/log/pods/x/0.log': 'one\n' });
    mkdirSync(join(root, 'var/log/containers'));
    symlinkSync('/var/log/pods/x/0.log', join(root, 'var/log/containers/x.log'));
    const recorder = follow(t, root, ['/var/log/containers/*.log', '/var/log/pods/**']);
    await recorder.following.caughtUp;
    appendFileSync(join(root, 'var/log/pods/x/0.log'), 'two\n');
    await recorder.untilLines('one', 'two');
    assert.deepEqual(linesOf(recorder), [['one', 'two']]);
  });
});

suite('rotation', LIMIT, () => {
  test('by rename: the old file is read to its end first, and what is written to it later is read too', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    renameSync(join(root, LOG), join(root, 'var/log/a.log.1'));
    appendFileSync(join(root, 'var/log/a.log.1'), 'two\n');
    writeFileSync(join(root, LOG), 'three\n');
    await recorder.untilLines('one', 'two', 'three');
    appendFileSync(join(root, 'var/log/a.log.1'), 'late\nhalf');
    await recorder.until(() => recorder.lines.includes('late'));
    await recorder.stop();
    assert.deepEqual(linesOf(recorder), [['one', 'two', 'late', 'half'], ['three']]);
  });

  test('by rename, several times before anybody could look: no file is missed', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n', 'var/log/a.log.1': 'of another time\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    for (const lines of ['two\n', 'three\n', 'four\n']) {
      renameSync(join(root, 'var/log/a.log.1'), join(root, `var/log/a.log.${lines.length + 2}`));
      renameSync(join(root, LOG), join(root, 'var/log/a.log.1'));
      writeFileSync(join(root, LOG), lines);
    }
    await recorder.untilLines('one', 'two', 'three', 'four');
    assert.deepEqual(linesOf(recorder), [['one'], ['two'], ['three'], ['four']]);
  });

  test('by a copy: the copy is not read, and the file is read again from its start', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\ntwo\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    copyFileSync(join(root, LOG), join(root, 'var/log/a.log.1'));
    truncateSync(join(root, LOG), 0);
    appendFileSync(join(root, LOG), '3\n');
    await recorder.untilLines('one', 'two', '3');
    renameSync(join(root, LOG), join(root, 'var/log/a.log.2'));
    writeFileSync(join(root, LOG), 'four\n');
    await recorder.untilLines('one', 'two', '3', 'four');
    assert.deepEqual(linesOf(recorder), [['one', 'two'], ['3'], ['four']]);
    assert.deepEqual(
      recorder.sources.map(({ isClosed }) => isClosed),
      [true, false, false],
    );
  });

  for (const [title, again] of [
    ['longer', 'a good deal longer than before\n'],
    ['just as long', 'abc\nxyz\n'],
  ] as const)
    test(`emptied and written anew at once, ${title}`, async (t) => {
      const root = folderWith(t, { 'var/log/a.log': 'one\ntwo\n' });
      const recorder = follow(t, root, [LOG]);
      await recorder.following.caughtUp;
      truncateSync(join(root, LOG), 0);
      appendFileSync(join(root, LOG), again);
      await recorder.untilLines('one', 'two', ...again.trim().split('\n'));
    });

  test('a removed file is read as long as it is written to', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    const writer = openSync(join(root, LOG), 'a');
    t.after(() => closeSync(writer));
    rmSync(join(root, LOG));
    writeSync(writer, 'two\n');
    await recorder.untilLines('one', 'two');
    writeFileSync(join(root, LOG), 'three\n');
    await recorder.untilLines('one', 'two', 'three');
    writeSync(writer, 'four\n');
    await recorder.untilLines('one', 'two', 'three', 'four');
  });

  test('a file that lost its name is let go after half a minute of quiet', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    let aheadMs = 0;
    const recorder = follow(t, root, ['/var/log/*.log'], (host) => ({
      ...host,
      clock: { ...host.clock, monotonicMs: () => host.clock.monotonicMs() + aheadMs },
    }));
    await recorder.following.caughtUp;
    renameSync(join(root, LOG), join(root, 'var/log/a.log.1'));
    writeFileSync(join(root, LOG), 'two\n');
    await recorder.untilLines('one', 'two');
    assert.equal(recorder.sources[0]!.isClosed, false);
    aheadMs = 31_000;
    writeFileSync(join(root, 'var/log/b.log'), 'three\n');
    await recorder.until(() => recorder.sources[0]!.isClosed);
    assert.equal(recorder.sources[1]!.isClosed, false);
  });

  test('emptied between a read and the look at what stands there now: what was read is pushed, and then what is new', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\ntwo\n' });
    let reads = 0;
    const recorder = follow(t, root, [LOG], (host) => ({
      ...host,
      async followFile(path, folders) {
        const file = await host.followFile(path, folders);
        const readAt = file.readAt.bind(file);
        file.readAt = async (into, position) => {
          const bytes = await readAt(into, position);
          if (++reads === 1) {
            truncateSync(join(root, LOG), 0);
            appendFileSync(join(root, LOG), 'three\nfour\nfive\n');
          }
          return bytes;
        };
        return file;
      },
    }));
    await recorder.untilLines('one', 'two', 'three', 'four', 'five');
    assert.deepEqual(linesOf(recorder), [
      ['one', 'two'],
      ['three', 'four', 'five'],
    ]);
  });
});

suite('what may go wrong', LIMIT, () => {
  test('without watches it looks every second, and says so', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    const refuse = (): never => {
      throw new HostError('watch-limit', LOG);
    };
    const recorder = follow(t, root, [LOG, '/var/log/late/*.log'], (host) => ({
      ...host,
      watchFolder: () => Promise.reject(new HostError('watch-limit', '/var/log')),
      followFile: async (path, folders) =>
        Object.assign(await host.followFile(path, folders), { watch: refuse, tail: refuse }),
    }));
    await recorder.following.caughtUp;
    appendFileSync(join(root, LOG), 'two\n');
    mkdirSync(join(root, 'var/log/late'));
    writeFileSync(join(root, 'var/log/late/b.log'), 'three\n');
    await recorder.until(() => recorder.lines.length === 3);
    renameSync(join(root, LOG), join(root, 'var/log/a.log.1'));
    writeFileSync(join(root, LOG), 'four\n');
    await recorder.until(() => recorder.lines.length === 4);
    assert.deepEqual(recorder.notes, [{ what: 'log files', code: 'watch-limit', detail: '' }]);
  });

  test('a file that cannot be read is noted, and the others are read on', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n', 'var/log/b.log': 'two\n' });
    const recorder = follow(t, root, ['/var/log/*.log'], (host) => ({
      ...host,
      async followFile(path, folders) {
        const file = await host.followFile(path, folders);
        if (path === LOG) file.readAt = () => Promise.reject(new HostError('read-failed', `${path} (EIO)`));
        return file;
      },
    }));
    await recorder.following.caughtUp;
    appendFileSync(join(root, 'var/log/b.log'), 'three\n');
    await recorder.untilLines('two', 'three');
    assert.deepEqual(recorder.notes, [{ what: LOG, code: 'read-failed', detail: `${LOG} (EIO)` }]);
  });

  test('after its end nothing is open and nothing is pushed', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n', 'var/log/b.log': 'two\n' });
    const recorder = follow(t, root, ['/var/log/*.log']);
    await recorder.following.caughtUp;
    await recorder.stop();
    const open = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
      } catch {
        return false;
      }
    });
    assert.deepEqual(open, []);
    assert.ok(recorder.sources.every(({ isClosed }) => isClosed));
    appendFileSync(join(root, LOG), 'three\n');
    assert.deepEqual(recorder.lines.toSorted(), ['one', 'two']);
  });

  test('ended before it began', async (t) => {
    const recorder = follow(t, folderWith(t, { 'var/log/a.log': 'one\n' }), [LOG]);
    await recorder.stop();
    await recorder.following.caughtUp;
  });
});

suite('attacks', LIMIT, () => {
  test('a log is exchanged for a named pipe, a socket, or a link to a secret: noted once, never opened, and followed again afterwards', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n', 'etc/shadow': 'secret\n' });
    const recorder = follow(t, root, [LOG]);
    await recorder.following.caughtUp;
    const server = createServer();
    t.after(() => server.close());
    const exchanges: Readonly<Record<string, () => unknown>> = {
      fifo: () => execFileSync('mkfifo', [join(root, LOG)]),
      socket: () => new Promise<void>((resolve) => server.listen(join(root, LOG), resolve)),
      'symlink-outside': () => symlinkSync('/etc/shadow', join(root, LOG)),
    };
    for (const [code, exchange] of Object.entries(exchanges)) {
      rmSync(join(root, LOG));
      await exchange();
      await recorder.until(() => codesOf(recorder.notes).includes(code));
    }
    rmSync(join(root, LOG));
    writeFileSync(join(root, LOG), 'two\n');
    await recorder.untilLines('one', 'two');
    assert.deepEqual(codesOf(recorder.notes), Object.keys(exchanges));
    assert.deepEqual(recorder.lines, ['one', 'two']);
  });

  test('a folder is exchanged for a link to one with secrets while it is followed', async (t) => {
    const root = folderWith(t, {
      'var/log/eni/ipamd.log': 'one\n',
      'secrets/ipamd.log': 'secret\n',
      'secrets/more.log': 'secret\n',
    });
    const recorder = follow(t, root, ['/var/log/eni/*.log', LOG]);
    await recorder.following.caughtUp;
    renameSync(join(root, 'var/log/eni'), join(root, 'var/log/away'));
    symlinkSync('/secrets', join(root, 'var/log/eni'));
    await recorder.until(() => recorder.notes.length === 2);
    appendFileSync(join(root, 'secrets/ipamd.log'), 'secret\n');
    writeFileSync(join(root, LOG), 'two\n');
    await recorder.untilLines('one', 'two');
    assert.deepEqual(new Set(codesOf(recorder.notes)), new Set(['symlink-outside']));
    assert.deepEqual(recorder.lines, ['one', 'two']);
  });

  test('a log grows by a huge hole: it costs neither memory nor the other logs', async (t) => {
    const root = folderWith(t, { 'var/log/a.log': 'one\n' });
    const recorder = follow(t, root, [LOG, '/var/log/b.log']);
    await recorder.following.caughtUp;
    const before = process.memoryUsage().rss;
    truncateSync(join(root, LOG), 8 * 1024 ** 4);
    await recorder.until(() => codesOf(recorder.notes).includes('sparse'));
    writeFileSync(join(root, 'var/log/b.log'), 'two\n');
    await recorder.until(() => recorder.lines.includes('two'));
    assert.ok(process.memoryUsage().rss - before < 100 * MIB);
  });
});

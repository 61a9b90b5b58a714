// Mounts a FUSE file system at a folder and then never answers a request, as a daemon that hangs does. Run in a process of its
// own, by root: `node silent-mount.ts FOLDER swallow|ignore`. `swallow` takes the requests, so that whoever asked can no longer
// be killed, and says `asked` at the first; `ignore` leaves them in the queue. Says `ready` once it is mounted. Ends with its
// standard input, and the mount with it.
import { spawnSync } from 'node:child_process';
import { openSync, readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Layouts and numbers: include/uapi/linux/fuse.h. */
const IN_HEADER_BYTES = 40;
const OUT_HEADER_BYTES = 16;
const INIT_OUT_BYTES = 64;
const REQUEST_MAX_BYTES = 132 * 1024;
const FUSE_INIT = 26;
const MAJOR = 7;
const MINOR = 31;
const MAX_WRITE_BYTES = 4_096;

const [folder, mode] = process.argv.slice(2) as [string, string];
const device = openSync('/dev/fuse', 'r+');
const { status, stderr } = spawnSync(
  'mount',
  ['--internal-only', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0', 'silent', folder],
  {
    stdio: ['ignore', 'ignore', 'pipe', device],
    encoding: 'utf8',
  },
);
if (status !== 0) throw new Error(`mount: ${stderr}`);

const first = Buffer.alloc(REQUEST_MAX_BYTES);
readSync(device, first);
if (first.readUInt32LE(4) !== FUSE_INIT) throw new Error('the first request is not FUSE_INIT');
writeSync(device, initAnswer(first));
if (mode === 'swallow') swallow();
process.stdout.write('ready\n');
// A plain exit would wait for the thread that reads.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();

/** In a thread of its own: the reading waits for ever, and the main thread must see the end of standard input. */
function swallow(): void {
  const reader = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const request = Buffer.alloc(${REQUEST_MAX_BYTES});
     for (;;) { require('node:fs').readSync(${device}, request); parentPort.postMessage('asked'); }`,
    { eval: true },
  );
  reader.once('message', () => process.stdout.write('asked\n'));
}

/** Length, error, id of the request; then the version, and the sizes that the kernel insists on. */
function initAnswer(request: Buffer): Buffer {
  if (request.length < IN_HEADER_BYTES) throw new Error('a request without a header');
  const answer = Buffer.alloc(OUT_HEADER_BYTES + INIT_OUT_BYTES);
  answer.writeUInt32LE(answer.length, 0);
  request.copy(answer, 8, 8, 16);
  answer.writeUInt32LE(MAJOR, OUT_HEADER_BYTES);
  answer.writeUInt32LE(MINOR, OUT_HEADER_BYTES + 4);
  answer.writeUInt32LE(MAX_WRITE_BYTES, OUT_HEADER_BYTES + 20);
  return answer;
}

// Hostile inputs from fixed seeds, each through a whole run in this process: captures, exports, journals, archives, pattern files.
// None may crash or take more processor time than its limit; says how many were tried and how many were fine.
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fact, recordBar } from '../../build/bars.ts';
import { ROOT } from '../../build/project.ts';
import { run } from '../../src/run.ts';
import { fakeProcess } from '../cli/fake-process.ts';
import { ended, HEADER_FIELDS, type HeaderField, paxHeader, tarMember } from '../sources/hostile-tar.ts';

const SEED = 20_251;
const TRIES = 1_200;
const LIMIT_MS = 3_000;
/** Of this process, which runs them all and holds their texts. */
const MEMORY_MAX_MB = 512;
/** Verdicts, bad usage and nothing to read. */
const CODES = [0, 2, 3, 10, 11, 12];

type Random = (below: number) => number;

/** mulberry32: the same numbers from the same seed everywhere. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const NASTY = [
  '\0',
  '\u001b[2J',
  '1e400',
  '-1',
  '9'.repeat(30),
  '{"',
  '"}',
  '\\',
  '\n',
  '\r\n',
  '\ufeff',
  '\u202e',
  '__proto__',
  '<<',
  '%s',
  '[[[',
  '{{{',
  '\t',
  "'",
  ' '.repeat(300),
];
const MESSAGES = [
  'Feb 30 25:61:61 ip-10-0-0-1 kubelet[7]: E0230 10:00:00.000000 7 run.go:74] "command failed" err="failed to run Kubelet: swap"',
  '2025-13-41T99:99:99Z node containerd[1]: time="9999-99-99" level=error msg="failed"',
  '{"log":"x","time":1e308,"_SOURCE_REALTIME_TIMESTAMP":"99999999999999999999","MESSAGE":[1,256,-1,"x"]}',
  '__CURSOR=s=1\n__REALTIME_TIMESTAMP=18446744073709551615\n__MONOTONIC_TIMESTAMP=-5\n_BOOT_ID=zz\nMESSAGE\n\xff\xff\xff\xff\xff\xff\xff\x7fhello\n',
  '[    0.000000] Linux version 6.1',
  '{"events":[{"timestamp":9e99,"message":"kubelet: x","ingestionTime":-9e99}]}',
  '"@timestamp","@message"\n"9999999-01-01","x"',
  'id: x\ntitle: [\nsignatures:\n  - {id: a, regex: "(a+)+$"}',
];
const JOURNAL = gunzipSync(readFileSync(join(ROOT, 'test', 'sources', 'fixtures', 'system.journal.gz')));

function text(random: Random): Buffer {
  const pieces = Array.from({ length: 1 + random(30) }, () =>
    random(3) === 0 ? NASTY[random(NASTY.length)]! : MESSAGES[random(MESSAGES.length)]!,
  );
  return Buffer.from(
    pieces.join(random(4) === 0 ? '' : '\n').repeat(1 + (random(10) === 0 ? random(200) : 0)),
    random(5) === 0 ? 'utf16le' : 'latin1',
  );
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let n = random(20); n > 0 && copy.length > 0; n--) copy[random(copy.length)] = random(256);
  return random(3) === 0 ? copy.subarray(0, random(copy.length + 1)) : copy;
}

function tar(random: Random): Buffer {
  const fields = Object.keys(HEADER_FIELDS) as HeaderField[];
  const members = Array.from({ length: 1 + random(5) }, () => {
    const strange = {
      [fields[random(fields.length)]!]:
        random(2) === 0 ? Buffer.from(NASTY[random(NASTY.length)]!) : Buffer.alloc(12, random(256)),
    };
    const pax =
      random(3) === 0 ? [paxHeader({ [['mtime', 'size', 'path'][random(3)]!]: NASTY[random(NASTY.length)]! })] : [];
    return Buffer.concat([
      ...pax,
      tarMember(
        `var/log/${['messages', 'a.gz', '../x', 'x.journal'][random(4)]}`,
        text(random),
        random(2) === 0 ? strange : {},
      ),
    ]);
  });
  return ended(...members);
}

/** A name for the input and its bytes. */
function input(random: Random): readonly [name: string, bytes: Buffer] {
  const kind = random(20);
  if (kind === 0) return ['system.journal', damaged(JOURNAL, random)];
  if (kind < 4)
    return ['pattern.yaml', damaged(Buffer.from(`${MESSAGES[7]}\n${text(random).toString('latin1')}`), random)];
  if (kind < 8) return ['bundle.tar', damaged(tar(random), random)];
  if (kind < 11) return ['bundle.tar.gz', damaged(gzipSync(tar(random)), random)];
  if (kind < 13)
    return ['messages.gz', Buffer.concat([gzipSync(text(random)), damaged(gzipSync(text(random)), random)])];
  if (kind < 15) return ['messages.zst', damaged(zstdCompressSync(text(random)), random)];
  return [['messages', 'journal.txt', 'export.json', 'export.csv', 'dmesg'][random(5)]!, damaged(text(random), random)];
}

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
let fine = 0;
let slowestMs = 0;
try {
  for (let n = 0; n < TRIES; n++) {
    const [name, bytes] = input(randomFrom(SEED + n));
    const place = join(folder, String(n));
    mkdirSync(place);
    writeFileSync(join(place, name), bytes);
    const args = name.endsWith('.yaml')
      ? ['patterns', 'check', place]
      : ['analyze', join(place, name), '--format', 'json', '--prefix', 'never', '--quiet'];
    const process = fakeProcess(args);
    const before = globalThis.process.cpuUsage();
    const code = await run(process);
    const spent = globalThis.process.cpuUsage(before);
    const ms = (spent.user + spent.system) / 1000;
    slowestMs = Math.max(slowestMs, ms);
    if (CODES.includes(code) && ms <= LIMIT_MS) fine++;
    else
      console.log(`seed ${SEED + n}, ${name}: exit ${code} after ${ms.toFixed(0)} ms: ${process.err().slice(0, 600)}`);
    rmSync(place, { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const memoryMb = process.resourceUsage().maxRSS / 1024;
console.log(
  `hostile inputs: tried ${TRIES}, fine ${fine}; slowest ${slowestMs.toFixed(0)} ms, ${memoryMb.toFixed(0)} MB at most for all in one process`,
);
const bar = fact(
  'hostile inputs: no crash, none above its limits',
  `${TRIES} of ${TRIES}`,
  `${fine} of ${TRIES}`,
  fine === TRIES && memoryMb <= MEMORY_MAX_MB,
);
recordBar(bar);
if (bar.failed) process.exitCode = 1;

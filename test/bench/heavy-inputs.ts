// Inputs that are small and cost much: bombs, crowds of files, floods of decisive lines. Each is one command of the analyzer.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { ended, tarMember } from '../sources/hostile-tar.ts';

export interface HeavyInput {
  readonly title: string;
  readonly args: readonly string[];
}

const MB = 1024 * 1024;
const LINE = 'Oct 12 10:00:00 ip-10-0-0-1 kubelet[7]: ';

/** Written below `folder`, some 120 MB. */
export async function makeHeavyInputs(folder: string): Promise<HeavyInput[]> {
  const at = (name: string): string => join(folder, name);
  const analyze = (title: string, path: string): HeavyInput => ({
    title,
    args: ['analyze', path, '--format', 'json', '--quiet'],
  });

  writeFileSync(at('zeros.log.zst'), zstdBomb('\0'.repeat(MB), 512));
  writeFileSync(at('lines.log.zst'), zstdBomb(`${LINE}hello\n`.repeat(20_000), 600));
  crowd(at('logs'), 8_000, (n) => [`var/log/pods/a${n}.log`, 'hi\nx\n']);
  crowd(at('files'), 60_000, (n) => [`d${n % 60}/f${n}`, n % 2 === 0 ? '' : 'x']);
  writeFileSync(
    at('members.tar'),
    ended(
      ...Array.from({ length: 100_000 }, (_value, n) => tarMember(`var/log/pods/m${n}.log`, Buffer.from('hello\n'))),
    ),
  );
  await gzipped(at('decisive.log.gz'), decisive(), 7 * MB);
  await bigTar(at('big.tar.gz'), 4 * 1024 * MB);
  for (const [name, text] of Object.entries(nestedYaml())) {
    mkdirSync(at(name));
    writeFileSync(join(at(name), 'nested.yaml'), text);
  }
  mkdirSync(at('pipe/group'), { recursive: true });
  writeFileSync(at('pipe/streams.yaml'), 'streams: []\n');
  writeFileSync(at('pipe/phases.yaml'), 'phases: []\n');
  execFileSync('mkfifo', [at('pipe/group/a.yaml')]);
  mkdirSync(at('pipes'));
  execFileSync('mkfifo', [at('pipes/streams.yaml')]);

  return [
    analyze('zeros in a small .zst', at('zeros.log.zst')),
    analyze('lines in a small .zst', at('lines.log.zst')),
    analyze('8,000 logs of five bytes', at('logs')),
    analyze('60,000 files', at('files')),
    analyze('tar of 100,000 members', at('members.tar')),
    analyze('/proc', '/proc'),
    analyze('/sys', '/sys'),
    analyze('7 MB of gzip, all decisive lines', at('decisive.log.gz')),
    analyze('tar.gz of 4 GiB', at('big.tar.gz')),
    ...Object.keys(nestedYaml()).map((name) => ({
      title: `patterns check, ${name}`,
      args: ['patterns', 'check', at(name)],
    })),
    { title: 'patterns check, a pipe for a cause', args: ['patterns', 'check', at('pipe')] },
    { title: 'patterns check, a pipe for streams.yaml', args: ['patterns', 'check', at('pipes')] },
  ];
}

function zstdBomb(block: string, times: number): Buffer {
  return zstdCompressSync(Buffer.alloc(block.length * times, block, 'latin1'));
}

function crowd(folder: string, files: number, of: (n: number) => readonly [path: string, text: string]): void {
  const known = new Set<string>();
  for (let n = 0; n < files; n++) {
    const [path, text] = of(n);
    const inner = join(folder, path, '..');
    if (!known.has(inner)) mkdirSync(inner, { recursive: true });
    known.add(inner);
    writeFileSync(join(folder, path), text);
  }
}

/** Lines of which each proves something, in their thousands. */
function* decisive(): Generator<Buffer> {
  for (let n = 0; ; n++) {
    const lines = Array.from({ length: 10_000 }, (_value, i) => {
      const second = String((n * 10 + (i % 10)) % 60).padStart(2, '0');
      return `Oct 12 10:${String(n % 60).padStart(2, '0')}:${second} ip-10-0-0-1 kubelet[7]: E1012 10:00:00.000000 7 run.go:74] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false ${n}"\n`;
    });
    yield Buffer.from(lines.join(''));
  }
}

async function gzipped(path: string, pieces: Iterable<Buffer>, bytes: number): Promise<void> {
  const gzip = createGzip({ level: 9 });
  const file = gzip.pipe(createWriteStream(path));
  for (const piece of pieces) {
    if (file.bytesWritten >= bytes) break;
    if (!gzip.write(piece)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(file, 'close');
}

/** A member of this size out of one compressed piece that is written again and again: gzip members follow each other. */
async function bigTar(path: string, bytes: number): Promise<void> {
  const piece = Buffer.from(
    Array.from({ length: MB / 64 }, (_value, n) => `${LINE}line ${n % 64}`.padEnd(63).concat('\n')).join(''),
  );
  const packed = gzipSync(piece, { level: 9 });
  const file = openSync(path, 'w');
  const size = Buffer.from(`${bytes.toString(8)}\0`);
  writeSync(file, gzipSync(tarMember('var/log/messages', Buffer.alloc(0), { size })));
  for (let written = 0; written < bytes; written += piece.length) writeSync(file, packed);
  writeSync(file, gzipSync(Buffer.alloc(1024)));
  closeSync(file);
}

function nestedYaml(): Record<string, string> {
  const room = 255 * 1024;
  return {
    'nested lists': '['.repeat(room),
    'nested maps': '{a: '.repeat(room / 4),
    'nested blocks': '- '.repeat(room / 2),
    'many items': '- a\n'.repeat(room / 4),
    steps: Array.from({ length: 700 }, (_value, n) => `${' '.repeat(n)}a:\n`).join(''),
  };
}

// Lays out a node's folder before its boot: the files that go over the base's root, and what boot-node.sh reads.
import { chmodSync, existsSync, mkdirSync, writeFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../build/run.ts';
import { linksOfUnits } from './enabled-units.ts';
import type { NodeFile } from './node-file.ts';
import type { NodeOptions } from './node-options.ts';

export async function layOutFolder(folder: string, base: string, options: NodeOptions): Promise<void> {
  for (const part of ['upper', 'work', 'root', 'files']) mkdirSync(join(folder, part));
  await run('mkfifo', ['-m', '600', join(folder, 'kmsg')], folder);
  writeFileSync(join(folder, 'boot.env'), settings(base, options));
  stageFiles(join(folder, 'files'), options);
}

function settings(
  base: string,
  { hostname = 'ip-10-0-1-23.us-west-2.compute.internal', binds = {} }: NodeOptions,
): string {
  const fuse = existsSync('/dev/fuse') ? ['--bind=/dev/fuse'] : [];
  const nspawn = [...fuse, ...Object.entries(binds).map(([inside, outside]) => `--bind-ro=${outside}:${inside}`)];
  const variables = { BASE: base, HOSTNAME_: hostname, NODE: process.execPath, SERVERS: import.meta.dirname };
  return `${Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('')}NSPAWN=(${nspawn.map(quoted).join(' ')})\n`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** In a folder of their own, from where they are unpacked over the root: so the folders that the root has keep their modes. */
function stageFiles(folder: string, { files = {}, units = {}, links = {} }: NodeOptions): void {
  const unitFiles = Object.fromEntries(
    Object.entries(units).map(([name, text]) => [`/etc/systemd/system/${name}`, text]),
  );
  for (const [path, file] of Object.entries<NodeFile>({ ...unitFiles, ...files })) {
    const staged = join(folder, path);
    mkdirSync(dirname(staged), { recursive: true });
    const { text, mode } = typeof file === 'string' ? { text: file, mode: 0o644 } : file;
    writeFileSync(staged, text);
    chmodSync(staged, mode);
  }
  for (const [path, target] of [...linksOfUnits(units), ...Object.entries(links)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
}

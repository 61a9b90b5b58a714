// Makes 200 bundles of the captured nodes of test/scenarios, as a team fetches them from a cluster.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captures } from '../patterns/capture-folders.ts';

const BUNDLES = 200;

export interface Bundles {
  readonly folder: string;
  readonly one: string;
  readonly many: string;
  remove(): void;
}

export function makeBundles(): Bundles {
  const folder = mkdtempSync(join(tmpdir(), 'eba-bundles-'));
  const many = join(folder, 'many');
  mkdirSync(many);
  const packed = captures('scenarios').map((capture, index) => {
    const file = join(folder, `${index}.tar.gz`);
    const { status } = spawnSync('tar', ['czf', file, '-C', capture, '.']);
    if (status !== 0) throw new Error(`tar ended with ${String(status)}`);
    return file;
  });
  for (let index = 0; index < BUNDLES; index++)
    copyFileSync(packed[index % packed.length]!, join(many, `node-${index}.tar.gz`));
  return { folder, one: packed[0]!, many, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

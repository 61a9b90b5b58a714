// What the tests of the sources share: the shipped stream table, and short ways to collect and to read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { createHost } from '../../src/host/create-host.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { readYaml } from '../../src/signatures/read-yaml.ts';
import { packFileSchema, phasesFileSchema, streamsFileSchema } from '../../src/signatures/schema.ts';
import { collectInputs } from '../../src/sources/capture/collect-inputs.ts';
import { feed } from '../../src/sources/capture/feed.ts';
import type { Collected, CollectOptions, InputSource } from '../../src/sources/input.ts';
import type { NotChecked, StreamTable } from '../../src/types.ts';

/** The shipped streams and phases with one cause: the sources need no more. */
export const PACK = compilePack({
  streams: readYaml('streams.yaml', pattern('streams.yaml'), streamsFileSchema),
  phases: readYaml('phases.yaml', pattern('phases.yaml'), phasesFileSchema),
  causes: [
    { group: 'host', source: readYaml('host/swap-enabled.yaml', pattern('host/swap-enabled.yaml'), packFileSchema) },
  ],
});
export const TABLE: StreamTable = PACK.streamTable;

function pattern(file: string): string {
  return readFileSync(join(ROOT, 'patterns', file), 'utf8');
}

export async function collect(
  t: TestContext,
  paths: readonly string[],
  options: Partial<CollectOptions> = {},
): Promise<Collected> {
  const collected = await collectInputs(paths, { host: createHost(), table: TABLE, ...options });
  t.after(() => collected.cleanup());
  return collected;
}

/** All bytes of an input and what it noted while it was read. */
export async function readAll(
  source: InputSource,
): Promise<{ readonly bytes: Buffer; readonly notes: readonly NotChecked[] }> {
  const chunks: Buffer[] = [];
  const window = Buffer.alloc(64 * 1024);
  const report = await feed(source, {
    space: () => window,
    advance: (bytes) => chunks.push(Buffer.from(window.subarray(0, bytes))),
  });
  return { bytes: Buffer.concat(chunks), notes: report.notChecked };
}

export async function textOf(source: InputSource | undefined): Promise<string> {
  return (await readAll(source!)).bytes.toString('utf8');
}

export function namesOf(inputs: readonly Pick<InputSource, 'name'>[]): string[] {
  return inputs.map(({ name }) => name);
}

export function codesOf(notes: readonly NotChecked[]): string[] {
  return notes.map(({ code }) => code);
}

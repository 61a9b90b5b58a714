// Compiles a pack folder on which others are working: files that are not as they should be, and references to files that
// are not there yet, are left out and named, so that one author's file can be judged all the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compilePack, type PackSources } from '../../src/signatures/compile.ts';
import { PackError, readYaml } from '../../src/signatures/read-yaml.ts';
import { type PackFile, packFileSchema, phasesFileSchema, streamsFileSchema } from '../../src/signatures/schema.ts';
import type { Pack } from '../../src/types.ts';

type CauseSource = PackSources['causes'][number];

export interface Draft {
  readonly sources: PackSources;
  readonly pack: Pack;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** @throws PackError for a fault of `wanted` itself, of streams.yaml or of phases.yaml. */
export function readDraft(folder: string, wanted: string): Draft {
  const notes: string[] = [];
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const phases = readYaml('phases.yaml', read('phases.yaml'), phasesFileSchema);
  const streams = readYaml('streams.yaml', read('streams.yaml'), streamsFileSchema);
  const left = causeFiles(folder).flatMap((file): CauseSource[] => {
    try {
      const source = readYaml(file, read(file), packFileSchema);
      if (source.data.id !== basename(file, '.yaml')) throw new PackError(file, 1, "the id is not the file's name");
      return [{ group: file.split('/')[0]!, source }];
    } catch (error) {
      notes.push(leaveOut(error, wanted));
      return [];
    }
  });
  const milestones = new Set(
    [...phases.data.phases.flatMap((phase) => phase.milestones), ...phases.data.facts].map(({ id }) => id),
  );
  return compileWhatCan({ streams, phases, causes: left }, milestones, wanted, notes);
}

function causeFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name)))
    .flatMap((entry) => readdirSync(join(folder, entry.name)).map((name) => `${entry.name}/${name}`))
    .filter((file) => file.endsWith('.yaml'))
    .sort();
}

function leaveOut(error: unknown, wanted: string): string {
  if (error instanceof PackError && error.file !== wanted) return `left out: ${error.message}`;
  throw error;
}

function compileWhatCan(given: PackSources, milestones: ReadonlySet<string>, wanted: string, notes: string[]): Draft {
  let causes = given.causes;
  for (;;) {
    const sources = { ...given, causes: withoutUnknown(causes, milestones, wanted, notes) };
    try {
      return { sources, pack: compilePack(sources), notes: [...new Set(notes)] };
    } catch (error) {
      notes.push(leaveOut(error, wanted));
      const { file } = error as PackError;
      const rest = causes.filter(({ source }) => source.file !== file);
      if (rest.length === causes.length) throw error;
      causes = rest;
    }
  }
}

/** Drops references to what is not there (yet); those of the wanted file are named. */
function withoutUnknown(
  causes: readonly CauseSource[],
  milestones: ReadonlySet<string>,
  wanted: string,
  notes: string[],
): CauseSource[] {
  const ids = new Set(causes.map(({ source }) => source.data.id));
  const signatures = new Set(
    causes.flatMap(({ source }) => source.data.signatures.map(({ id }) => `${source.data.id}/${id}`)),
  );
  return causes.map(({ group, source }) => {
    const known = (is: boolean, what: string): boolean => {
      if (!is && source.file === wanted) notes.push(`${wanted}: unknown here, left out: ${what}`);
      return is;
    };
    const data: PackFile = {
      ...source.data,
      explains: source.data.explains.filter((e) => {
        const id = typeof e === 'string' ? e : e.id;
        return known(ids.has(id), `explains ${id}`);
      }),
      recoveredBy: source.data.recoveredBy.filter((r) =>
        known(milestones.has(r) || signatures.has(r), `recoveredBy ${r}`),
      ),
      signatures: source.data.signatures.map((signature) => ({
        ...signature,
        requires: signature.requires.filter(
          (r) =>
            r.signature === undefined ||
            known(
              signatures.has(r.signature.includes('/') ? r.signature : `${source.data.id}/${r.signature}`),
              `requires ${r.signature}`,
            ),
        ),
      })),
    };
    return { group, source: { ...source, data } };
  });
}

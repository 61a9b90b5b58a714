// Reads a whole pack folder from disk: streams.yaml, phases.yaml and <group>/<cause-id>.yaml. Used by the build, the tests
// and `patterns check DIR`; the executable carries the compiled pack instead.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { PackSources } from './compile.ts';
import { PackError, readYaml } from './read-yaml.ts';
import { packFileSchema, phasesFileSchema, streamsFileSchema } from './schema.ts';

/** @throws PackError for the first file that is not as it should be. */
export function loadFolder(folder: string): PackSources {
  const read = (path: string): string => {
    if (!existsSync(path)) throw new PackError(relative(folder, path), 1, 'is missing');
    return readFileSync(path, 'utf8');
  };
  const groups = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    streams: readYaml('streams.yaml', read(join(folder, 'streams.yaml')), streamsFileSchema),
    phases: readYaml('phases.yaml', read(join(folder, 'phases.yaml')), phasesFileSchema),
    causes: groups.flatMap((group) =>
      readdirSync(join(folder, group))
        .filter((name) => name.endsWith('.yaml'))
        .sort()
        .map((name) => {
          const source = readYaml(`${group}/${name}`, read(join(folder, group, name)), packFileSchema);
          const stem = basename(name, '.yaml');
          if (source.data.id !== stem) throw new PackError(source.file, source.lineOf(['id']), `the id must be the file's name, "${stem}"`);
          return { group, source };
        }),
    ),
  };
}

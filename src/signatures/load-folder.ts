// Reads a whole pack folder from disk: streams.yaml, phases.yaml and <group>/<cause-id>.yaml. Used by the build, the tests
// and `patterns check DIR`; the executable carries the compiled pack instead.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { PackSources } from './compile.ts';
import { Faults } from './faults.ts';
import { PackError, readYaml } from './read-yaml.ts';
import { packFileSchema, phasesFileSchema, streamsFileSchema } from './schema.ts';

/** @throws PackError with all that is wrong with the files. */
export function loadFolder(folder: string): PackSources {
  const read = (path: string): string => {
    if (!existsSync(path)) throw new PackError(relative(folder, path), 1, 'is missing');
    if (!statSync(path).isFile()) throw new PackError(relative(folder, path), 1, 'is not a regular file');
    return readFileSync(path, 'utf8');
  };
  const groups = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const faults = new Faults();
  const files = groups.flatMap((group) =>
    readdirSync(join(folder, group))
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => ({ group, name })),
  );
  const sources = {
    streams: readYaml('streams.yaml', read(join(folder, 'streams.yaml')), streamsFileSchema),
    phases: readYaml('phases.yaml', read(join(folder, 'phases.yaml')), phasesFileSchema),
    causes: faults.each(files, ({ group, name }) => {
      const source = readYaml(`${group}/${name}`, read(join(folder, group, name)), packFileSchema);
      const stem = basename(name, '.yaml');
      if (source.data.id !== stem)
        throw new PackError(source.file, source.lineOf(['id']), `the id must be the file's name, "${stem}"`);
      return { group, source };
    }),
  };
  faults.throwAny();
  return sources;
}

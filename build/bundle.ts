// Turns one entry file and all it imports into one CommonJS file. Knows nothing of this project's modules.

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { onlyAscii } from './only-ascii.ts';

/** An older Node would stop at the first thing it does not know, with a stack trace. */
const VERSION_GUARD =
  'if(parseInt(process.versions.node,10)<22){console.error("eks-bootstrap-analyzer: needs Node 22 or later, and this is "+process.versions.node+"; use a newer Node, or the executable for Linux.");process.exit(2)}';

export interface BundleOptions {
  /** Folder that paths inside the bundle are relative to, so that the output does not depend on where the repository lies. */
  readonly root: string;
  readonly entry: string;
  readonly outfile: string;
  /** Absolute path of a module → the source that takes its place. A module that the entry never reaches is an error. */
  readonly replacements: ReadonlyMap<string, string>;
}

/**
 * `import()` becomes `require`, since an executable with a code cache cannot do the former.
 * A warning of esbuild fails the build: each one so far (`import.meta` in CommonJS) broke at run time.
 */
export async function bundle({ root, entry, outfile, replacements }: BundleOptions): Promise<Metafile> {
  const { warnings, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // ES modules where a package has both: only of these is left out what nobody uses (0.2 MB and 5 MB of memory of the AWS SDK).
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: `#!/usr/bin/env node\n${VERSION_GUARD}` },
    metafile: true,
    logLevel: 'warning',
    plugins: [replaceModules(replacements)],
  });
  if (warnings.length > 0) throw new Error(`esbuild gave ${warnings.length} warnings, see above`);
  assertReplaced(metafile, root, replacements);
  // esbuild leaves characters in expressions as they are.
  await writeFile(outfile, onlyAscii(await readFile(outfile, 'utf8')));
  await chmod(outfile, 0o755);
  return metafile;
}

function replaceModules(replacements: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'replace-modules',
    setup(esbuild) {
      esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = replacements.get(path);
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
}

function assertReplaced(metafile: Metafile, root: string, replacements: ReadonlyMap<string, string>): void {
  for (const path of replacements.keys()) {
    const file = relative(root, path);
    if (metafile.inputs[file] === undefined)
      throw new Error(`${file} is replaced in the bundle but nothing imports it`);
  }
}

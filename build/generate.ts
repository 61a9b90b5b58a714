// `npm run generate`: writes the files that are derived from source. With `--check` it writes nothing and fails naming each stale file.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { renderExitCodesTable, renderOptionsTable } from './readme-tables.ts';
import { compilePack } from '../src/signatures/compile.ts';
import { loadFolder } from '../src/signatures/load-folder.ts';
import { packFileSchema } from '../src/signatures/schema.ts';
import { renderAlarmPath, savedQueries } from './alarm-path.ts';
import { renderCausesPage } from './causes-page.ts';
import { exampleFiles } from './examples.ts';
import { formatText } from './format-text.ts';
import { LINT_CONFIG } from './lint-config.ts';
import { MAN_PAGE, renderManPage } from './man-page.ts';
import { ROOT } from './project.ts';
import { replaceSection } from './replace-section.ts';
import { renderVisibilityTable } from './visibility.ts';

interface DerivedFile {
  readonly file: string;
  /** The whole new content; `current` is what stands there now, empty if there is none. */
  readonly make: (current: string) => string;
}

const DERIVED_FILES: readonly DerivedFile[] = [
  { file: 'patterns/schema.json', make: () => JSON.stringify(toJsonSchema(packFileSchema, { errorMode: 'ignore' })) },
  { file: 'docs/causes.md', make: causesPage },
  { file: MAN_PAGE, make: renderManPage },
  ...Object.entries(exampleFiles()).map(([name, text]) => ({ file: `deploy/examples/${name}`, make: () => text })),
  { file: 'deploy/alarm-path.yaml', make: renderAlarmPath },
  { file: 'deploy/terraform/queries.json', make: () => JSON.stringify(savedQueries()) },
  { file: 'docs/deploy.md', make: (current) => replaceSection(current, 'visibility', renderVisibilityTable()) },
  { file: '.oxlintrc.json', make: () => JSON.stringify(LINT_CONFIG) },
  {
    file: 'README.md',
    make: (current) =>
      replaceSection(replaceSection(current, 'options', renderOptionsTable()), 'exit-codes', renderExitCodesTable()),
  },
];

function causesPage(): string {
  const sources = loadFolder(join(ROOT, 'patterns'));
  return renderCausesPage(sources, compilePack(sources));
}

const checking = process.argv.includes('--check');

for (const { file, make } of DERIVED_FILES) {
  const path = join(ROOT, file);
  const current = await readFile(path, 'utf8').catch(() => '');
  const wanted = file === MAN_PAGE ? make(current) : formatText(file, make(current));
  if (current === wanted) continue;
  if (checking) {
    console.error(`${file} is stale: run npm run generate`);
    process.exitCode = 1;
  } else {
    await writeFile(path, wanted);
    console.log(`${file} written`);
  }
}

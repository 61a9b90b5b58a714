// Gives a text the form that the repository's formatter would give the file of that name.

import { spawnSync } from 'node:child_process';
import { ROOT, tool } from './project.ts';

export function formatText(file: string, text: string): string {
  const { status, stdout, stderr } = spawnSync(tool('oxfmt'), [`--stdin-filepath=${file}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`oxfmt refused the text of ${file}: ${stderr}`);
  return stdout;
}

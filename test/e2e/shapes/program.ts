// Stand-ins for the programs of a node: shell scripts that print what the real ones print (lines.sh).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeFile } from '../node-file.ts';

const LINES = '/usr/local/lib/lines.sh';

export const LINES_FILE: Readonly<Record<string, NodeFile>> = {
  [LINES]: readFileSync(join(import.meta.dirname, 'lines.sh'), 'utf8'),
};

/** An executable file; journald names its lines after the file. */
export function program(script: string): NodeFile {
  return { text: `#!/bin/bash\nexport TZ=UTC\n. ${LINES}\n${script}\n`, mode: 0o755 };
}

/** A kubelet, which the probes ask for its version too. */
export function kubeletProgram(version: string, script: string): NodeFile {
  return program(`if [ "\${1:-}" = --version ]; then echo 'Kubernetes ${version}'; exit; fi\n${script}`);
}

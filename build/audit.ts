// Asks the package registry whether a version of the lock file has a known weakness. Fails for one that is high or critical in what is
// shipped; says so and ends well where the registry cannot be asked, since that is no fault of the project.
import { spawnSync } from 'node:child_process';
import { ROOT } from './project.ts';

const LIMIT_MS = 60_000;
const ARGS = ['audit', '--json', '--omit=dev', '--audit-level=high', '--fetch-timeout=20000', '--fetch-retries=1'];

export interface Audit {
  readonly failed: boolean;
  readonly sentence: string;
}

interface Report {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly message?: string;
}

/** `output`: what `npm audit --json` printed, null if it did not end in time. */
export function judgeAudit(output: string | null): Audit {
  const unasked = (why: string): Audit => ({ failed: false, sentence: `not audited: ${why}` });
  if (output === null) return unasked(`the registry did not answer within ${LIMIT_MS / 1000} s`);
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return unasked('npm audit gave no report');
  }
  if (report.metadata === undefined) return unasked(report.message ?? 'the registry has no advisories');
  const { high = 0, critical = 0, total = 0 } = report.metadata.vulnerabilities;
  const names = Object.entries(report.vulnerabilities ?? {}).map(([name, { severity }]) => `${name} (${severity})`);
  const found = total === 0 ? 'no known weakness' : `known weaknesses: ${names.join(', ')}`;
  return { failed: high + critical > 0, sentence: `${found} in what is shipped` };
}

if (import.meta.main) {
  const { stdout, error } = spawnSync('npm', ARGS, { cwd: ROOT, encoding: 'utf8', timeout: LIMIT_MS });
  const { failed, sentence } = judgeAudit(error === undefined ? stdout : null);
  console.log(sentence);
  process.exitCode = failed ? 1 : 0;
}

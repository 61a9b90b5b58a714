// Turns what a file says about the answers of a probe into the pack's shape, or says which of its expressions is not allowed.
import type { ProbeUse } from '../types.ts';
import { compileRequirement, listOf, listsOf } from './compile-requirement.ts';
import { parseRegex, RegexFormError } from './regex-syntax.ts';
import type { PackError } from './read-yaml.ts';
import type { ProbeUseFile } from './schema.ts';

/** @throws what `complain` makes of it, for an expression that does not parse. */
export function compileProbeUse(causeId: string, file: ProbeUseFile, complain: (what: string) => PackError): ProbeUse {
  for (const condition of file.where) {
    if (condition.test !== 'matches') continue;
    const fault = faultOf(condition.value);
    if (fault !== null) throw complain(`where ${condition.fact} matches: ${fault}`);
  }
  return {
    probe: file.probe,
    codes: listOf(file.code),
    as: file.as,
    where: file.where,
    when: file.when,
    requires: file.requires.map((requirement) => compileRequirement(causeId, requirement)),
    appliesTo: listsOf(file.appliesTo),
  };
}

function faultOf(regex: string): string | null {
  try {
    parseRegex(regex);
    return null;
  } catch (error) {
    if (error instanceof RegexFormError) return error.message;
    throw error;
  }
}

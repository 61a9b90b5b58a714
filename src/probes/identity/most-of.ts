// Puts together what several sources tell, the surest first: of each fact the first value that has its form.
import { FACT_FORMS, isPlaceholder } from '../../lib/fact-forms.ts';
import type { Told } from './labels.ts';

/** A cluster's name takes along how and where it was told. */
export function mostOf(all: readonly Told[]): Told {
  const told: Record<string, string> = {};
  for (const each of all) {
    for (const [fact, value] of Object.entries(each)) {
      const form = FACT_FORMS[fact];
      if (form === undefined || told[fact] !== undefined || !form.test(value) || isPlaceholder(value)) continue;
      told[fact] = value;
      if (fact !== 'cluster') continue;
      for (const how of ['told_as', 'told_in']) if (each[how] !== undefined) told[how] = each[how];
    }
  }
  return told;
}

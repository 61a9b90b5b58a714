// What must hold of a healthy boot: it is ready with nothing to complain about, and is not ready once nothing says so.
import type { MatchResult, Pack } from '../../src/types.ts';
import { said } from './expectation.ts';
import { judge } from './verdict-of.ts';

export function faultsOfHealthy(pack: Pack, result: MatchResult): string[] {
  const verdict = judge(pack, result);
  return [
    ...(verdict.cause === null && verdict.otherCauses.length === 0 && verdict.status === 'ready'
      ? []
      : [`not silent: ${said(verdict)}`]),
    ...(judge(withoutReady(pack), result).status === 'ready' ? ['ready without a line that says so'] : []),
  ];
}

/** The pack as if no line said that the node is Ready. */
function withoutReady(full: Pack): Pack {
  return { ...full, milestones: full.milestones.filter(({ phase, kind }) => phase !== 'ready' || kind !== 'finished') };
}

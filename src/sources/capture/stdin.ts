// Standard input as a candidate: read once, its first 64 KiB kept so that it can be looked at before.
import { HostError } from '../../host/host.ts';
import type { Candidate } from './candidate.ts';
import { SURVEY_BYTES } from '../input.ts';
import { bytesSource, peek } from './peek.ts';
import type { Run } from './collection.ts';

/** @throws HostError `read-failed` if it is no input at all (closed, a folder). */
export async function stdinCandidate(run: Run): Promise<Candidate> {
  const { head, source } = await peek(run.host.openStdin(), SURVEY_BYTES);
  let isTaken = false;
  return {
    name: 'stdin',
    path: '/stdin',
    owner: null,
    file: null,
    sizeBytes: null,
    mtimeMs: null,
    depth: 0,
    async open() {
      if (isTaken) throw new HostError('read-failed', 'standard input is read once');
      isTaken = true;
      return source;
    },
    glance: async () => bytesSource(head),
  };
}

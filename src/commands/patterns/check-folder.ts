// Judges a folder of pattern files, samples and speed included: a whole pack, or an operator's files on top of the built-in pack.
import { compilePack, type PackSources } from '../../signatures/compile.ts';
import { loadFolder } from '../../signatures/load-folder.ts';
import { readOperatorFolder } from '../../signatures/operator-folder.ts';
import { applyOperatorFiles } from '../../signatures/operator-pack.ts';
import { PackError } from '../../signatures/read-yaml.ts';
import type { Pack } from '../../types.ts';
import { builtInPack } from '../pack.ts';
import { checkReplaced } from './check-replaced.ts';
import { checkSpeedOfBase, checkSpeedOfCauses } from './check-speed.ts';
import { checkSamples, type Sampled, samplesOfCauses } from './check-samples.ts';

export interface CheckReport {
  /** `file:line: complaint`. */
  readonly complaints: readonly string[];
  readonly summary: string;
  readonly digest: string | null;
}

/** A folder with streams.yaml and phases.yaml. Ends at the first file that cannot be compiled. */
export function checkPackFolder(folder: string): CheckReport {
  try {
    const sources = loadFolder(folder);
    const pack = compilePack(sources);
    const complaints = [
      ...checkSamples(pack, [...samplesOfCauses(pack, sources.causes), ...samplesOfMilestones(pack, sources)]),
      ...checkReplaced(sources.causes),
      ...checkSpeedOfCauses(sources.causes),
      ...checkSpeedOfBase(sources),
    ];
    return { complaints, summary: `${complaints.length === 0 ? 'ok' : `${complaints.length} complaints`}: ${counts(pack)}`, digest: pack.digest };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { complaints: [error.message], summary: 'The pack cannot be compiled.', digest: null };
  }
}

/** Files with one cause each. `ownerUid` null: the folder was named by hand and may belong to anyone. */
export async function checkOperatorFolder(folder: string, ownerUid: number | null): Promise<CheckReport> {
  const { files, refused: untrusted } = readOperatorFolder(folder, ownerUid);
  const { pack, accepted, refused } = applyOperatorFiles(await builtInPack(), files);
  const complaints = [
    ...untrusted.map(({ path, why }) => `${path}:1: ${why}`),
    ...[
      ...refused.map((error) => error.message),
      ...checkSamples(pack, samplesOfCauses(pack, accepted)),
      ...checkReplaced(accepted),
      ...checkSpeedOfCauses(accepted),
    ].map((complaint) => `${folder}/${complaint}`),
  ];
  const { added, replaced, disabled } = pack;
  const changes = `${files.length} files in ${folder} (${added.length} added, ${replaced.length} replaced, ${disabled.length} disabled)`;
  return {
    complaints,
    summary: `${complaints.length === 0 ? 'ok' : `${complaints.length} complaints`}: ${changes}; with them ${counts(pack)}`,
    digest: pack.digest,
  };
}

function samplesOfMilestones(pack: Pack, { phases }: PackSources): Sampled[] {
  const patternOf = (id: string) => pack.milestones.find((milestone) => milestone.id === id)!.pattern;
  return [
    ...phases.data.phases.flatMap((phase, p) =>
      phase.milestones.map(({ id, samples }, m) => ({ pattern: patternOf(id), samples, source: phases, path: ['phases', p, 'milestones', m] })),
    ),
    ...phases.data.facts.map(({ id, samples }, f) => ({ pattern: patternOf(id), samples, source: phases, path: ['facts', f] })),
  ];
}

function counts(pack: Pack): string {
  const causes = pack.causes.filter((cause) => cause.kind === 'cause');
  const signatures = pack.causes.reduce((sum, cause) => sum + cause.signatures.length, 0);
  return `${causes.length} causes, ${pack.causes.length - causes.length} symptoms, ${signatures} signatures, ${pack.milestones.length} milestones, ${pack.streamTable.streams.length} streams`;
}

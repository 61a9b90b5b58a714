// Judges a folder of pattern files, samples and speed included: a whole pack, or an operator's files on top of the built-in pack.
import { compilePack } from '../../signatures/compile.ts';
import { faultsOf } from '../../signatures/faults.ts';
import { loadFolder } from '../../signatures/load-folder.ts';
import { readOperatorFolder } from '../../signatures/operator-folder.ts';
import { applyOperatorFiles } from '../../signatures/operator-pack.ts';
import { PackError } from '../../signatures/read-yaml.ts';
import type { Pack } from '../../types.ts';
import { builtInPack } from '../pack.ts';
import { checkReplaced } from './check-replaced.ts';
import { checkSamples, samplesOfCauses, samplesOfMilestones } from './check-samples.ts';
import { checkSpeed, expressionsOfBase, expressionsOfCauses } from './check-speed.ts';

export interface CheckReport {
  /** `file:line: complaint`. */
  readonly complaints: readonly string[];
  readonly summary: string;
  readonly digest: string | null;
}

/** A folder with streams.yaml and phases.yaml. What cannot be compiled is not tried. */
export function checkPackFolder(folder: string): CheckReport {
  try {
    const sources = loadFolder(folder);
    const pack = compilePack(sources);
    const complaints = [
      ...checkSamples(pack, [...samplesOfCauses(pack, sources.causes), ...samplesOfMilestones(pack, sources)]),
      ...checkReplaced(sources.causes),
      ...checkSpeed([...expressionsOfCauses(sources.causes), ...expressionsOfBase(sources)]),
    ];
    return {
      complaints,
      summary: `${complaints.length === 0 ? 'ok' : `${complaints.length} complaints`}: ${counts(pack)}`,
      digest: pack.digest,
    };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return {
      complaints: faultsOf(error).map(({ message }) => message),
      summary: 'The pack cannot be compiled.',
      digest: null,
    };
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
      ...checkSpeed(expressionsOfCauses(accepted)),
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

function counts(pack: Pack): string {
  const causes = pack.causes.filter((cause) => cause.kind === 'cause');
  const signatures = pack.causes.reduce((sum, cause) => sum + cause.signatures.length, 0);
  return `${causes.length} causes, ${pack.causes.length - causes.length} symptoms, ${signatures} signatures, ${pack.milestones.length} milestones, ${pack.streamTable.streams.length} streams`;
}

// Applies the operator's pattern files to the compiled built-in pack: a new id adds, a known id replaces the whole built-in
// cause, `disabled: true` switches it off. A bad file is refused and changes nothing.
import type { Cause, Pack } from '../types.ts';
import { type CauseSource, checkExplains, checkReferences, compileCause, type PackBody, sealPack } from './compile.ts';
import { faultsOf } from './faults.ts';
import type { OperatorFile } from './operator-folder.ts';
import { PackError, readYaml } from './read-yaml.ts';
import { disabledFileSchema, packFileSchema } from './schema.ts';
import { type Expression, FACT_MAX_CHARS, slownessFault } from './slowness.ts';

export interface AppliedPack {
  readonly pack: Pack;
  /** The files that count, for their samples. */
  readonly accepted: readonly CauseSource[];
  readonly refused: readonly PackError[];
}

interface Draft extends CauseSource {
  readonly cause: Cause;
}

const OPERATOR_GROUP = 'operator';
/** Far from what `patterns check` asks for: a busy node must not lose a file over a slow moment. */
const FACT_LIMIT_MS = 100;

export function applyOperatorFiles(builtIn: Pack, files: readonly OperatorFile[]): AppliedPack {
  const refused: PackError[] = [];
  const attempt = <T>(name: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      refused.push(
        ...(error instanceof PackError
          ? faultsOf(error)
          : [new PackError(name, 1, `cannot be read: ${(error as Error).message}`)]),
      );
      return null;
    }
  };
  const disabled: string[] = [];
  let drafts: Draft[] = [];
  for (const file of files) {
    if (/^disabled\s*:/m.test(file.text))
      disabled.push(...(attempt(file.name, () => [disabledId(file, builtIn)]) ?? []));
    else drafts.push(...(attempt(file.name, () => [draftOf(file, builtIn)]) ?? []));
  }
  for (;;) {
    const body = withDrafts(builtIn, drafts, disabled);
    try {
      checkReferences(drafts, body);
      checkDependents(drafts, body);
      checkExplains(drafts, body.causes);
      return { pack: sealPack(body, changesOf(builtIn, drafts, disabled)), accepted: drafts, refused };
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      const faults = faultsOf(error);
      refused.push(...faults);
      drafts = drafts.filter((draft) => !faults.some(({ file }) => file === draft.source.file));
    }
  }
}

function disabledId(file: OperatorFile, builtIn: Pack): string {
  const source = readYaml(file.name, file.text, disabledFileSchema);
  const { id } = source.data;
  checkStem(file.name, id, source.lineOf(['id']));
  if (!builtIn.causes.some((cause) => cause.id === id))
    throw new PackError(file.name, source.lineOf(['id']), `there is no cause "${id}" to disable`);
  return id;
}

function draftOf(file: OperatorFile, builtIn: Pack): Draft {
  const source = readYaml(file.name, file.text, packFileSchema);
  checkStem(file.name, source.data.id, source.lineOf(['id']));
  const group = builtIn.causes.find((cause) => cause.id === source.data.id)?.group ?? OPERATOR_GROUP;
  const cause = guarded(compileCause(group, source, builtIn.streamTable));
  cause.probes.forEach(({ where }, u) => {
    for (const condition of where) {
      const fault = condition.test === 'matches' ? slownessFault(factExpression(condition.value), FACT_LIMIT_MS) : null;
      if (fault !== null)
        throw new PackError(file.name, source.lineOf(['probes', u]), `where ${condition.fact} matches: ${fault}`);
    }
  });
  return { group, source, cause };
}

/** No guard stands by where facts are compared, so an expression that hangs is refused when its file is read. */
function factExpression(regex: string): Expression {
  return { regex, flags: 's', maxChars: FACT_MAX_CHARS, examples: [] };
}

function guarded(cause: Cause): Cause {
  return {
    ...cause,
    signatures: cause.signatures.map((signature) => ({
      ...signature,
      pattern: { ...signature.pattern, guarded: true },
    })),
    stalls: cause.stalls.map((stall) => ({
      ...stall,
      process: stall.process === null ? null : { ...stall.process, guarded: true },
    })),
  };
}

function checkStem(name: string, id: string, line: number): void {
  const stem = name.replace(/\.yaml$/, '');
  if (id !== stem) throw new PackError(name, line, `the id must be the file's name, "${stem}"`);
}

function withDrafts(builtIn: Pack, drafts: readonly Draft[], disabled: readonly string[]): PackBody {
  const { streamTable, phases, milestones } = builtIn;
  const byId = new Map(drafts.map(({ cause }) => [cause.id, cause]));
  const known = new Set(builtIn.causes.map((cause) => cause.id));
  const kept = builtIn.causes
    .filter((cause) => !disabled.includes(cause.id))
    .map((cause) => byId.get(cause.id) ?? cause);
  const added = drafts.map(({ cause }) => cause).filter((cause) => !known.has(cause.id));
  return { streamTable, phases, milestones, causes: [...kept, ...added] };
}

/** Built-in causes may rest on a signature of the cause that is replaced. What is switched off simply never matches. */
function checkDependents(drafts: readonly Draft[], body: PackBody): void {
  const keys = new Set(body.causes.flatMap((cause) => cause.signatures.map((signature) => signature.pattern.key)));
  for (const { cause, source } of drafts)
    for (const other of body.causes) {
      const needed = [
        ...other.recoveredBy,
        ...other.signatures.flatMap((signature) =>
          signature.requires.flatMap((need) => (need.kind === 'signature' ? need.target : [])),
        ),
      ];
      const missing = needed.find((key) => key.startsWith(`${cause.id}/`) && !keys.has(key));
      if (missing !== undefined)
        throw new PackError(
          source.file,
          source.lineOf(['signatures']),
          `"${other.id}" needs the signature "${missing}"`,
        );
    }
}

function changesOf(
  builtIn: Pack,
  drafts: readonly Draft[],
  disabled: readonly string[],
): Pick<Pack, 'replaced' | 'added' | 'disabled'> {
  const ids = drafts.map(({ cause }) => cause.id);
  const isKnown = (id: string): boolean => builtIn.causes.some((cause) => cause.id === id);
  return { replaced: ids.filter(isKnown), added: ids.filter((id) => !isKnown(id)), disabled };
}

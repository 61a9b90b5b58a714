// Builds a pack of a few lines of YAML in memory, for tests of the compiler's complaints.
import { compilePack, type PackSources } from '../../src/signatures/compile.ts';
import { PackError, readYaml } from '../../src/signatures/read-yaml.ts';
import { packFileSchema, phasesFileSchema, streamsFileSchema } from '../../src/signatures/schema.ts';

const STREAMS = `streams:
  - {name: kubelet, title: kubelet, identifiers: [kubelet]}
  - {name: kernel, title: kernel, identifiers: [kernel]}
  - {name: processes, title: processes}
processList: processes
groups: {node: [kubelet, kernel]}
`;
const PHASES = `phases:
  - {id: machine, title: Machine, usual: 5s, stalledAfter: 1m, role: machine, milestones: []}
  - id: kubelet
    title: Kubelet
    usual: 5s
    stalledAfter: 1m
    milestones:
      - id: kubelet-started
        kind: finished
        title: kubelet is up
        streams: [kubelet]
        regex: ^Started kubelet
        samples: {match: [{line: Started kubelet, source: derived}]}
  - {id: registration, title: Registration, usual: 5s, stalledAfter: 1m, role: registration, milestones: []}
  - {id: network, title: Network, usual: 5s, stalledAfter: 1m, role: network, milestones: []}
  - {id: ready, title: Ready, usual: 5s, stalledAfter: 1m, role: ready, milestones: []}
`;

/** A whole cause file; `extra` is YAML that is appended to it. */
export function causeFile(id: string, extra: string = ''): string {
  return `id: ${id}
title: A cause
kind: cause
phase: kubelet
severity: fatal
repair: fix-first
summary: A sentence that says it.
remedy: [{text: Do this.}]
${extra}`;
}

/** One signature, to be given as `extra`. */
export function signature(fields: string): string {
  return `signatures:
  - id: one
    decisive: true
    samples: {match: [{line: some long line, source: derived}]}
${fields
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;
}

export function sourcesOf(
  causes: Readonly<Record<string, string>>,
  { streams = STREAMS, phases = PHASES }: { readonly streams?: string; readonly phases?: string } = {},
): PackSources {
  return {
    streams: readYaml('streams.yaml', streams, streamsFileSchema),
    phases: readYaml('phases.yaml', phases, phasesFileSchema),
    causes: Object.entries(causes).map(([id, text]) => ({
      group: 'host',
      source: readYaml(`host/${id}.yaml`, text, packFileSchema),
    })),
  };
}

/** What the loader says of these files; null if it has nothing to complain about. */
export function complaintAbout(
  causes: Readonly<Record<string, string>>,
  base: Parameters<typeof sourcesOf>[1] = {},
): string | null {
  try {
    compilePack(sourcesOf(causes, base));
    return null;
  } catch (error) {
    if (error instanceof PackError) return error.message;
    throw error;
  }
}

// The stream of files that hold the words of programs that are no part of the node: `foreign.paths` of streams.yaml.

export const FOREIGN_STREAM = 'other-programs';

// A file of a throw-away node: its text, and its mode if that is not 0644.
export type NodeFile = string | { readonly text: string; readonly mode: number };

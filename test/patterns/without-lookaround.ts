// Takes lookaround out of an expression that may use it, so that the parser for the pack's expressions reads the rest.

/** Every piece of syntax that may hold a bracket, and the brackets themselves. */
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(|\)|[^\\[()]+/gs;

export function withoutLookaround(source: string): string {
  let kept = '';
  let depth = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    const opens = token.startsWith('(');
    if (depth > 0) {
      depth += opens ? 1 : token === ')' ? -1 : 0;
    } else if (opens && token.length > 1) {
      depth = 1;
    } else {
      kept += token;
    }
  }
  return kept;
}

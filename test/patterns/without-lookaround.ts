// Rewrites an expression that may use lookaround so that the parser for the pack's expressions reads it: what must stand there
// becomes a group like any other, what must not is left out.

/** Every piece of syntax that may hold a bracket, and the brackets themselves. */
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(|\)|[^\\[()]+/gs;

export function withoutLookaround(source: string): string {
  let kept = '';
  let depth = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    const opens = token.startsWith('(');
    if (depth > 0) depth += opens ? 1 : token === ')' ? -1 : 0;
    else if (token.endsWith('!') && opens) depth = 1;
    else kept += token.endsWith('=') && opens ? '(?:' : token;
  }
  return kept;
}

// Turns characters that could move a cursor, hide text or break a line into visible escapes.

/** Control and format characters (ESC, CR, bidi, zero width), lone surrogates, line separators, and what was invalid UTF-8. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffd]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\0': '\\x00' };

/** A tab stays, since it can neither move back nor break a line. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === '\t' ? char : escapeOf(char)));
}

/** As `visible`, but line breaks stay: for text of the pack that may have several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function escapeOf(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0)!;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

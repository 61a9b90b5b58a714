// Undoes the quoting that loggers put round values, so that one expression serves every encoding.

const LAYERS_MAX = 2;

/** Turns `\"`, `\\\"` into `"`, and written `\n`, `\t` into the characters. Bounded: at most two layers more. */
export function unescapeLayers(text: string): string {
  let result = text;
  for (let layer = 0; layer < LAYERS_MAX && result.includes('\\'); layer++)
    result = result.replace(/\\(?<code>["\\nt])/g, (_all, char: string) =>
      char === 'n' ? '\n' : char === 't' ? '\t' : char,
    );
  return result;
}

/** rsyslog's octal escapes of control characters and blanks: `#012`, `#011`, `#040`. */
export function undoSyslogEscapes(text: string): string {
  return text.includes('#0')
    ? text.replace(/#(?<code>011|012|015|040)/g, (_all, code: string) => String.fromCharCode(parseInt(code, 8)))
    : text;
}

/** Index just behind the closing quote of a quoted value that opens at `at`; the text's length if it is never closed. */
function endOfQuoted(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text.charCodeAt(i) === 92) i++;
    else if (text.charCodeAt(i) === 34) return i + 1;
  }
  return text.length;
}

/** The quoted value that opens at `at`, without its quotes and first layer of escapes, and where it ends. */
export function readQuoted(text: string, at: number): { readonly value: string; readonly end: number } {
  const end = endOfQuoted(text, at);
  const closed = text.charCodeAt(end - 1) === 34 && end - 1 > at;
  return { value: unescapeOnce(text.slice(at + 1, closed ? end - 1 : end)), end };
}

function unescapeOnce(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?<code>["\\nrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})/g, (all, code: string) => {
    if (code === 'n') return '\n';
    if (code === 't') return '\t';
    if (code === 'r') return '\r';
    if (code.length > 1) return String.fromCharCode(parseInt(code.slice(1), 16));
    return code === '"' || code === '\\' ? code : all;
  });
}

/**
 * Reads ` key=value key2="value 2"` pairs from `at` on into the one normal form ` key=value key2=value 2`. klog's multi-line
 * values (`key=<`, tab-indented lines, ` >`) are undone too.
 */
export function normalPairs(text: string, at: number): string {
  let out = '';
  let i = at;
  while (i < text.length) {
    const equals = text.indexOf('=', i);
    const quote = equals >= 0 ? text.charCodeAt(equals + 1) : 0;
    if (equals < 0) break;
    if (quote === 34) {
      const { value, end } = readQuoted(text, equals + 1);
      out += `${text.slice(i, equals + 1)}${value}`;
      i = end;
    } else if (quote === 60 && (text.charCodeAt(equals + 2) === 10 || equals + 2 === text.length)) {
      const close = text.indexOf('\n >', equals);
      const block = text.slice(equals + 3, close < 0 ? text.length : close);
      out += `${text.slice(i, equals + 1)}${block.replace(/^\t/gm, '')}`;
      i = close < 0 ? text.length : close + 3;
    } else {
      out += text.slice(i, equals + 1);
      i = equals + 1;
    }
  }
  return out + text.slice(i);
}

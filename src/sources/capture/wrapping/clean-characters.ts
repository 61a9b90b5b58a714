// Gives back the characters that web pages, chats and word processors put others for.

const ENTITY = /&(?<name>quot|amp|lt|gt|apos|nbsp|#\d{1,5}|#x[0-9a-f]{1,4});/gi;
const NAMES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: ' ' };
/** An entity in a quoted page of HTML is that page's; where quotes of the log itself were replaced, there are none left. */
const REPLACED = /&(?:quot|#34|#39|#x27|#x22|nbsp);|(?:err|error|msg)=&lt;|^(?:&gt;)+ /m;
const TYPOGRAPHIC = /[“”„‟«»]/;
const BLANKS = /[\u00a0\u2007\u202f]/g;
const INVISIBLE = /\u200b|\u200c|\u200d|\u2060|\ufeff/g;

/** Null if there is nothing to give back. */
export function cleanCharacters(text: string): string | null {
  let clean = text;
  if (
    REPLACED.test(clean) ||
    (/&lt;[\w/!]/.test(clean) && !/[<>]/.test(clean)) ||
    (/&amp;\w/.test(clean) && !/&(?!amp;)/.test(clean))
  )
    clean = clean.replace(ENTITY, (_all, name: string) => characterOf(name.toLowerCase()));
  if (TYPOGRAPHIC.test(clean)) clean = straight(clean);
  clean = clean.replace(BLANKS, ' ').replace(INVISIBLE, '');
  return clean === text ? null : clean;
}

function characterOf(name: string): string {
  if (!name.startsWith('#')) return NAMES[name]!;
  return String.fromCharCode(name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** Dashes and apostrophes were replaced together with quotes; alone they are what a program printed. */
function straight(text: string): string {
  return text
    .replace(/[“”„‟«»]/g, '"')
    .replace(/(?<=\d)[‐‑‒–](?=\d)/g, '-')
    .replace(/[‘’]/g, "'");
}

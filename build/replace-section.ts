// Replaces what stands between `<!-- <name>:start -->` and `<!-- <name>:end -->` of a Markdown text.

/** Throws if the markers are missing, doubled or in the wrong order. */
export function replaceSection(text: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const [before, rest, ...moreStarts] = text.split(start);
  const [, after, ...moreEnds] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined || moreStarts.length > 0 || moreEnds.length > 0) {
    throw new Error(`the text needs one ${start} followed by one ${end}`);
  }
  return `${before}${start}\n\n${content.trim()}\n\n${end}${after}`;
}

// The frame of every HTML page: one file that runs nothing and asks nobody for anything, also where an escape should fail.
import { createHash } from 'node:crypto';
import { escapeHtml } from './escape.ts';
import { STYLE } from './style.ts';

/** `title` is text, `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  const style = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body class="wide">
${body}
</body>
</html>
`;
}

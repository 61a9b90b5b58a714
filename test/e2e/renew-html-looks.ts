// Stores anew how the pages look, after `npm run build`: `sudo node test/e2e/renew-html-looks.ts`. What changed is for a person to judge.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatText } from '../../build/format-text.ts';
import { openBrowser } from './browser.ts';
import { type Looks, looksOf } from './html-looks.ts';
import { each, open, SCHEMES, STORED_LOOKS, STORED_PAGES, WIDTHS } from './html-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'eba-looks-'));
const browser = await openBrowser();
try {
  each('--format', 'html', '--output', folder);
  const stored: Record<string, Looks> = {};
  for (const page of STORED_PAGES)
    for (const width of WIDTHS)
      for (const scheme of SCHEMES) {
        await open(browser.tab, join(folder, page), width, scheme);
        stored[`${page} ${width} ${scheme}`] = await looksOf(browser.tab);
      }
  writeFileSync(STORED_LOOKS, formatText(STORED_LOOKS, JSON.stringify(stored)));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

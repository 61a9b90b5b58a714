// Who and where user data says the node is: gzip, base64 and MIME are undone, and the texts in it are read for a few names. Nothing
// else of it is kept; it may hold secrets.
import { gunzipSync } from 'node:zlib';
import { toldByBootstrapCall } from './bootstrap-call.ts';
import { type Told, toldByLabelsIn } from './labels.ts';
import { mostOf } from './most-of.ts';
import { toldByNodeConfig, toldBySettings } from './written-settings.ts';

const DEPTH_MAX = 5;
const PARTS_MAX = 64;
const UNPACKED_MAX_BYTES = 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/\s]{16,}={0,2}$/;
const BOUNDARY =
  /^content-type:[^\r\n]{0,200}?(?:\r?\n[ \t]+[^\r\n]{0,200}?)?boundary="?(?<boundary>[^"\r\n;]{1,70})"?/im;
const ENCODED_FILE = /^[ \t-]*encoding:[ \t]*["']?(?:gz|gzip|b64|base64)/m;

/** `bytes`: one char a byte (latin1), as the node received it. `told_as` says what names the cluster. */
export async function toldByUserData(bytes: string): Promise<Told> {
  const texts = await textsOf(bytes, DEPTH_MAX);
  return mostOf(
    texts.map((text) => {
      const said = text.replaceAll(/^[ \t]*#(?!!).*$/gm, '');
      return mostOf([
        namedBy('NodeConfig', toldByNodeConfig(said)),
        namedBy('bootstrap.sh', toldByBootstrapCall(text)),
        namedBy('settings', toldBySettings(said)),
        namedBy('labels', toldByLabelsIn(said)),
      ]);
    }),
  );
}

function namedBy(what: string, told: Told): Told {
  return told['cluster'] === undefined ? told : { ...told, told_as: what };
}

async function textsOf(bytes: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [];
  const inner = (text: string): Promise<readonly string[]> => textsOf(text, depth - 1);
  if (bytes.startsWith('\x1f\x8b')) return inner(gunzipped(bytes));
  if (BASE64.test(bytes.trim())) return inner(unarmoured(bytes));
  const head = headOf(bytes);
  const boundary = BOUNDARY.exec(head)?.groups!['boundary'];
  if (boundary !== undefined) return (await Promise.all(partsOf(bytes, boundary).map(inner))).flat();
  const body = /^content-(?:type|transfer-encoding):/im.test(head) ? bytes.slice(head.length).trim() : bytes;
  if (body !== bytes) return inner(/^content-transfer-encoding:[ \t]*base64/im.test(head) ? unarmoured(body) : body);
  const files = bytes.startsWith('#cloud-config') && ENCODED_FILE.test(bytes) ? await encodedFiles(bytes) : [];
  return [bytes, ...(await Promise.all(files.map(inner))).flat()];
}

/** Up to the first empty line. */
function headOf(text: string): string {
  const end = /\r?\n\r?\n/.exec(text.trimStart().slice(0, 8192));
  return end === null ? '' : text.slice(0, text.length - text.trimStart().length + end.index + end[0].length);
}

function partsOf(text: string, boundary: string): readonly string[] {
  return text
    .split(`--${boundary}`, PARTS_MAX + 1)
    .slice(1)
    .map((part) => part.replace(/^[ \t]*\r?\n/, ''));
}

function unarmoured(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function gunzipped(bytes: string): string {
  try {
    return gunzipSync(Buffer.from(bytes, 'latin1'), { maxOutputLength: UNPACKED_MAX_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** `write_files` of a cloud-config whose content is packed. */
async function encodedFiles(config: string): Promise<readonly string[]> {
  const { parse } = await import('yaml');
  try {
    const root = parse(config, { maxAliasCount: 0, schema: 'failsafe' }) as { readonly write_files?: unknown } | null;
    const files = Array.isArray(root?.write_files) ? (root.write_files as Readonly<Record<string, unknown>>[]) : [];
    return files.slice(0, PARTS_MAX).flatMap(({ content, encoding }) => {
      if (typeof content !== 'string' || typeof encoding !== 'string') return [];
      return /b64|base64/.test(encoding) ? [unarmoured(content)] : [];
    });
  } catch {
    return [];
  }
}

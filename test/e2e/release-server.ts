// A place to fetch releases from, run in a node's network namespace: HTTPS with a certificate for its own name, the same files by
// plain HTTP, and a proxy. Argument: a JSON file with its certificate and the folder that it serves. Prints a line for each request.
//   /NAME  the file   /cut/NAME  ends in the middle unless asked for the rest   /whole/NAME  the same, and knows no ranges
//   /slow/NAME  the file at 150 KB/s
//   /to/SCHEME/NAME  a redirect   /broken  500   /missing  404   /silent  never answers   /loop  redirects without end
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { HTTP_PORT, HTTPS_PORT, PROXY_PORT, RELEASE_HOST } from './release-places.ts';

const { key, cert, folder } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Record<
  'key' | 'cert' | 'folder',
  string
>;
const SLOW_BYTES = 15_000;
const SLOW_PAUSE_MS = 100;
/** How often a path was asked for. */
const seen = new Map<string, number>();

const answer: RequestListener = (request, response) => {
  const path = (request.url ?? '').replace(/\?.*$/, '');
  const [, kind = '', scheme = ''] = path.split('/');
  const name = basename(path);
  const { range } = request.headers;
  console.log(`${request.method} ${request.url} ${range ?? '-'}`);
  if (kind === 'silent') return;
  if (kind === 'broken') return void response.writeHead(500).end();
  if (kind === 'missing') return void response.writeHead(404).end();
  if (kind === 'loop') return void response.writeHead(302, { location: '/loop' }).end();
  if (kind === 'to') {
    const port = scheme === 'http' ? HTTP_PORT : HTTPS_PORT;
    return void response.writeHead(302, { location: `${scheme}://${RELEASE_HOST}:${port}/${name}` }).end();
  }
  const file = readFileSync(join(folder, name));
  const count = (seen.get(path) ?? 0) + 1;
  seen.set(path, count);
  const start = kind === 'whole' ? 0 : Number(/^bytes=(?<start>\d+)-/.exec(range ?? '')?.groups?.['start'] ?? 0);
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': file.length - start,
    ...(start > 0 ? { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
  });
  if (['cut', 'whole'].includes(kind) && count === 1)
    return void response.write(file.subarray(0, file.length / 2), () => response.destroy());
  if (kind === 'slow') return slowly(response, file.subarray(start));
  response.end(file.subarray(start));
};

function slowly(response: ServerResponse, bytes: Buffer): void {
  response.write(bytes.subarray(0, SLOW_BYTES));
  if (bytes.length <= SLOW_BYTES) return void response.end();
  setTimeout(slowly, SLOW_PAUSE_MS, response, bytes.subarray(SLOW_BYTES));
}

createHttpsServer({ key, cert }, answer).listen(HTTPS_PORT, '127.0.0.1');
createServer(answer).listen(HTTP_PORT, '127.0.0.1');
createServer()
  .on('connect', (request, client, head) => {
    console.log(`CONNECT ${request.url}`);
    const onward = connect(HTTPS_PORT, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) socket.on('error', () => socket.destroy());
  })
  .listen(PROXY_PORT, '127.0.0.1', () => console.log('listening'));

// The ways in which people and tools wrap log lines before they reach us: each takes a text and gives it wrapped.

export interface Wrapping {
  readonly name: string;
  /** A document stands round all other wrappings, never inside one that goes by lines. */
  readonly isDocument: boolean;
  wrap(text: string): string;
}

const MS = Date.UTC(2025, 5, 11, 16, 22, 44);
const STREAM = 'ip-10-77-3-18.us-west-2.compute.internal-application.log';

function byLine(name: string, wrap: (line: string, index: number) => string): Wrapping {
  return { name, isDocument: false, wrap: (text) => linesOf(text).map(wrap).join('\n') + '\n' };
}

function document(name: string, wrap: (lines: readonly string[]) => string): Wrapping {
  return { name, isDocument: true, wrap: (text) => `${wrap(linesOf(text))}\n` };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function csv(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function broken(width: number): Wrapping {
  return byLine(`hard-wrapped at ${width}`, (line) => line.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n'));
}

export const WRAPPINGS: readonly Wrapping[] = [
  byLine('indented by 4', (line) => `    ${line}`),
  byLine('indented by 8', (line) => `        ${line}`),
  byLine('indented by a tab', (line) => `\t${line}`),
  byLine('quoted', (line) => `> ${line}`),
  byLine('bullets', (line) => `- ${line}`),
  byLine('cat -n', (line, i) => `${String(i + 1).padStart(6)}\t${line}`),
  byLine('grep -n', (line, i) => `${i + 12}:${line}`),
  byLine('numbered with a blank', (line, i) => `${i + 12}: ${line}`),
  byLine('grep -rn', (line, i) => `var/log/node.log:${i + 12}:${line}`),
  byLine('box', (line) => `│ ${line} │`),
  byLine('cut box', (line) => `│${line}│`),
  byLine('kubectl logs --prefix', (line) => `[pod/aws-node-b7k2x/main] ${line}`),
  byLine('stern', (line) => `aws-node-b7k2x main ${line}`),
  byLine('kail', (line) => `kube-system/aws-node-b7k2x[main]: ${line}`),
  byLine('docker compose', (line) => `aws-node-1  | ${line}`),
  { name: 'markdown fence', isDocument: false, wrap: (text) => `\`\`\`text\n${text}\`\`\`\n` },
  { name: 'CRLF', isDocument: false, wrap: (text) => text.replaceAll('\n', '\r\n') },
  { name: 'non-breaking blanks', isDocument: false, wrap: (text) => text.replaceAll(' ', '\u00a0') },
  {
    name: 'HTML entities',
    isDocument: false,
    wrap: (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  },
  broken(80),
  broken(100),
  broken(120),
  broken(150),
  document('CloudWatch console CSV', (lines) =>
    ['timestamp,message', ...lines.map((line, i) => `${MS + i},${csv(line)}`)].join('\n'),
  ),
  document('CloudWatch Insights CSV', (lines) =>
    ['@timestamp,@message', ...lines.map((line) => `2025-06-11 16:22:44.000,${csv(line)}`)].join('\n'),
  ),
  document('get-log-events', (lines) =>
    JSON.stringify({ events: lines.map((message, i) => ({ timestamp: MS + i, message, ingestionTime: MS })) }, null, 4),
  ),
  document('filter-log-events', (lines) =>
    JSON.stringify(
      {
        events: lines.map((message, i) => ({ logStreamName: STREAM, timestamp: MS + i, message, eventId: '3' })),
        searchedLogStreams: [],
      },
      null,
      2,
    ),
  ),
  document('Insights JSON', (lines) =>
    JSON.stringify({
      results: lines.map((value) => [
        { field: '@timestamp', value: '2025-06-11 16:22:44.000' },
        { field: '@message', value },
        { field: '@ptr', value: 'Cmo' },
      ]),
      status: 'Complete',
    }),
  ),
  document('aws logs tail', (lines) =>
    lines.map((line) => `2025-06-11T16:22:44.000000+00:00 ${STREAM} ${line}`).join('\n'),
  ),
  document('Loki', (lines) =>
    JSON.stringify({
      data: {
        resultType: 'streams',
        result: [{ stream: { app: 'x' }, values: lines.map((line, i) => [`${MS + i}000000`, line]) }],
      },
    }),
  ),
  document('Datadog', (lines) =>
    lines.map((message) => JSON.stringify({ timestamp: MS, service: 'eks', host: 'i-0abc', message })).join('\n'),
  ),
  document('fluent-bit', (lines) =>
    lines
      .map((log) => JSON.stringify({ log: `${log}\n`, stream: 'stderr', time: '2025-06-11T16:22:44.766132542Z' }))
      .join('\n'),
  ),
  document('Elasticsearch', (lines) =>
    JSON.stringify({
      hits: {
        hits: lines.map((message) => ({
          _index: 'logs',
          _source: { '@timestamp': '2025-06-11T16:22:44.766Z', message, host: { name: 'x' } },
        })),
      },
    }),
  ),
];

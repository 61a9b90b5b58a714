// Every sample of the pack, said by somebody else: a probe, a container, an image's name, a user, a script, another pod. It
// proves nothing then, ends nothing, and makes no node Ready.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { mayEnd } from '../../src/diagnosis/trust.ts';
import { unwrapInner, unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import { createMatcher, patternsOf } from '../../src/matching/matcher.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { streamOfPath } from '../../src/sources/stream-of-path.ts';
import type { MatchResult, Pattern } from '../../src/types.ts';
import { identityOf } from './identities.ts';
import { streamOf } from './sample-checks.ts';
import { subjectsOf } from './subjects.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const patterns = new Map(patternsOf(pack).map((pattern) => [pattern.key, pattern]));
const CLOCK = { referenceMs: Date.UTC(2025, 5, 6) };
const STAMP = 'Jun  6 19:33:03 ip-10-77-3-18';
const SESSION = { _SYSTEMD_UNIT: 'session-7.scope', _UID: '1000', _EXE: '/usr/bin/logger', _TRANSPORT: 'syslog' };

interface Sample {
  readonly key: string;
  readonly stream: string | null;
  /** As its file has it, and what is left of it without carriers. */
  readonly texts: readonly string[];
}

const samples = subjectsOf(sources, pack).flatMap((subject) =>
  subject.samples.match.map((sample): Sample => {
    const line = newLineState(sample.line);
    unwrapOuter(line, CLOCK);
    const outer = line.text;
    unwrapInner(line, CLOCK);
    return {
      key: subject.pattern.key,
      stream: streamOf(subject, sample),
      texts: [...new Set([sample.line, outer, line.text])],
    };
  }),
);

interface Wrapping {
  readonly title: string;
  /** Path of the file that holds the lines. */
  readonly path: string;
  readonly wrap: (text: string, sample: Sample) => string;
}

/** As a journal's JSON, since a text may have line breaks. */
function entry(fields: Readonly<Record<string, string>>, message: string): string {
  return JSON.stringify({
    __CURSOR: 's=1',
    _BOOT_ID: 'a'.repeat(32),
    __REALTIME_TIMESTAMP: '1749238383000000',
    ...fields,
    MESSAGE: message,
  });
}

const ofKubelet = (file: string, text: string): string =>
  entry(
    { _SYSTEMD_UNIT: 'kubelet.service', SYSLOG_IDENTIFIER: 'kubelet', _EXE: '/usr/bin/kubelet' },
    `E0606 19:33:03.828406    3214 ${file}] ${text}`,
  );
const ofContainerd = (message: string, error: string): string =>
  entry(
    { _SYSTEMD_UNIT: 'containerd.service', SYSLOG_IDENTIFIER: 'containerd' },
    `time="2025-06-06T19:33:03.828406Z" level=error msg=${JSON.stringify(message)} error=${JSON.stringify(error)}`,
  );
const q = (text: string): string => JSON.stringify(text);
const oneLine = (text: string): string => text.replaceAll('\n', ' ');
const POD = 'pod="shop/web-7f9c" podUID="2f0a6c1e-1d7b-4a54-9a39-0c1f5b7f2f11"';

const JOURNAL = '/journal.json';
const WRAPPINGS: readonly Wrapping[] = [
  {
    title: 'the output of a probe',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet(
        'prober.go:107',
        `"Probe failed" probeType="Readiness" ${POD} containerName="web" probeResult="failure" output=${q(text)}`,
      ),
  },
  {
    title: 'the output of a probe (kubelet 1.18)',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet(
        'prober.go:116',
        `Readiness probe for "web-7f9c_shop(2f0a6c1e-1d7b-4a54-9a39-0c1f5b7f2f11):web" failed (failure): ${text}`,
      ),
  },
  {
    title: 'a termination message',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet(
        'pod_workers.go:1301',
        `"Error syncing pod, skipping" err=${q(`failed to "StartContainer" for "web" with RunContainerError: ${q(text)}`)} ${POD}`,
      ),
  },
  {
    title: 'a status with a termination message',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet(
        'status_manager.go:875',
        `"Patch status for pod" ${POD} patch=${q(`{"status":{"containerStatuses":[{"message":${q(text)}}]}}`)}`,
      ),
  },
  {
    title: 'an exec error of containerd',
    path: JOURNAL,
    wrap: (text) =>
      ofContainerd(
        'ExecSync for "0ab1" failed',
        `failed to exec in container: failed to start exec "9c": OCI runtime exec failed: ${text}: unknown`,
      ),
  },
  {
    title: 'an exec error of the kubelet',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet(
        'remote_runtime.go:496',
        `"ExecSync cmd from runtime service failed" err=${q(`rpc error: ${text}`)} containerID="0ab1" cmd=["/bin/sh","-c",${q(text)}]`,
      ),
  },
  {
    title: 'the program of a container',
    path: JOURNAL,
    wrap: (text) =>
      ofContainerd(
        'StartContainer for "0ab1" failed',
        `failed to create containerd task: runc create failed: unable to start container process: exec: ${q(text)}: no such file or directory: unknown`,
      ),
  },
  {
    title: 'the name of an image',
    path: JOURNAL,
    wrap: (text) => ofContainerd(`PullImage ${q(text)} failed`, `failed to parse image name ${q(text)}`),
  },
  {
    title: 'the name of an image, told by the kubelet',
    path: JOURNAL,
    wrap: (text) =>
      ofKubelet('remote_image.go:180', `"PullImage from image service failed" err="invalid" image=${q(text)}`),
  },
  {
    title: 'logger in a user’s session',
    path: JOURNAL,
    wrap: (text, { stream }) =>
      entry(
        { ...SESSION, SYSLOG_IDENTIFIER: identityOf(pack.streamTable, stream ?? 'kubelet')?.identifier ?? 'kubelet' },
        text,
      ),
  },
  {
    title: 'logger of a user whose session journald did not learn',
    path: JOURNAL,
    wrap: (text, { stream }) =>
      entry(
        { _UID: '1000', SYSLOG_IDENTIFIER: identityOf(pack.streamTable, stream ?? 'kubelet')?.identifier ?? 'kubelet' },
        text,
      ),
  },
  {
    title: 'another service',
    path: JOURNAL,
    wrap: (text) =>
      entry({ _SYSTEMD_UNIT: 'vault.service', SYSLOG_IDENTIFIER: 'kubelet', _EXE: '/usr/local/bin/vault' }, text),
  },
  {
    title: 'a stranger in the syslog',
    path: '/var/log/messages',
    wrap: (text) => `${STAMP} vault[4711]: ${oneLine(text)}`,
  },
  {
    title: 'the log of another pod',
    path: '/var/log/pods/shop_web-7f9c_2f0a6c1e/web/0.log',
    wrap: (text) => `2025-06-06T19:33:03.828406132Z stdout F ${oneLine(text)}`,
  },
  {
    title: 'the log of a pod with a telling name',
    path: '/var/log/containers/kubelet-7f9c_shop_aws-node-0ab1.log',
    wrap: (text) => `2025-06-06T19:33:03.828406132Z stdout F ${oneLine(text)}`,
  },
];

/** All lines at once: records are matched each for itself. */
function linesOf({ wrap }: Wrapping): string {
  return samples.flatMap((sample) => sample.texts.map((text) => `${wrap(text, sample)}\n`)).join('');
}

function read(path: string, text: string): MatchResult {
  const matcher = createMatcher(pack, { ...CLOCK, isLive: false });
  const reader = matcher.open({ name: path, stream: streamOfPath(pack.streamTable, path).stream, exported: false });
  reader.push(Buffer.from(text));
  matcher.close(reader);
  return matcher.result();
}

function shown({ matches }: MatchResult, isFine: (pattern: Pattern) => boolean = () => false): string[] {
  return [...matches]
    .filter(([key]) => !isFine(patterns.get(key)!))
    .map(([key, { count, first }]) => `${key} (${count}): ${first.raw.slice(0, 400)}`);
}

for (const wrapping of WRAPPINGS)
  test(`no sample counts as ${wrapping.title}`, () => {
    const ofItself = read(wrapping.path, `${wrapping.wrap('x', samples[0]!)}\n`).matches;
    const faults = shown(read(wrapping.path, linesOf(wrapping)), ({ key }) => ofItself.has(key));
    assert.ok(faults.length === 0, `${faults.length} patterns\n${faults.join('\n')}`);
  });

const OPEN = new Set(pack.streamTable.streams.filter(({ open }) => open).map(({ name }) => name));

test('a line in the output of user data is no other component’s, and ends nothing but by the form of bootstrap.sh and cloud-init', () => {
  const result = read(
    '/var/log/cloud-init-output.log',
    samples.flatMap(({ texts }) => texts.map((text) => `${oneLine(text)}\n`)).join(''),
  );
  const isOfScripts = ({ streams }: Pattern): boolean =>
    streams === null || streams.some((stream) => OPEN.has(stream) || stream === 'bootstrap');
  assert.deepEqual(shown(result, isOfScripts), []);
  const last = new Set(pack.phases.slice(-3).map(({ id }) => id));
  const ended = pack.milestones.filter(({ id, phase }) => phase !== null && last.has(phase) && result.matches.has(id));
  assert.deepEqual(ended, []);
  const untold = [...result.matches].filter(
    ([, { provenance, streams }]) => mayEnd({ provenance }, false) && streams.every((stream) => stream === 'user-data'),
  );
  assert.deepEqual(untold, []);
});

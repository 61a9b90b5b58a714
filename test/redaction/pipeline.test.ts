// Secrets in the lines that prove a verdict, in every stream and carrier, through the whole of the tool: none leaves by any
// sink, and the cause is found all the same.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { redactVerdict } from '../../src/redaction/redact.ts';
import { renderBootStarted, renderCloudWatchEvent } from '../../src/render/cloudwatch/cloudwatch-event.ts';
import { renderConsoleLine } from '../../src/render/console-line.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderText } from '../../src/render/text.ts';
import { renderVerdictLine } from '../../src/render/verdict-line.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { createDelivery } from '../../src/sinks/delivery.ts';
import type { ProbeResult, Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { type CarriedInput, carryKernel, carryNamed, carryNameless } from '../patterns/carriers.ts';
import { identityOf } from '../patterns/identities.ts';
import { readInput } from '../patterns/read-lines.ts';
import { subjectsOf } from '../patterns/subjects.ts';
import { fakeConsole, fakeShipper, placesIn, shippersOf, UNREACHABLE } from '../sinks/fakes.ts';
import { CORPUS, leaksOf, type Planted } from './corpus.ts';
import { FORMS } from './forms.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = subjectsOf(sources, pack).filter(
  ({ owner, samples }) =>
    owner?.signature.decisive === true && owner.cause.kind === 'cause' && !samples.match[0]!.line.includes('\n'),
);

/** What fits into the part of a line that evidence shows. */
const GROUP_CHARS = 3_000;

function groups(planted: readonly Planted[]): Planted[][] {
  const made: Planted[][] = [];
  for (const each of planted) {
    const last = made.at(-1);
    const length = last?.reduce((sum, { text }) => sum + text.length + 3, 0) ?? Infinity;
    if (length + each.text.length > GROUP_CHARS) made.push([each]);
    else last!.push(each);
  }
  return made;
}

const GROUPS = groups(
  [...CORPUS, ...FORMS.filter((_, index) => index % 2 === 0)].filter(
    ({ text, isAlone }) => !text.includes('\n') && isAlone !== true,
  ),
);
const ACROSS_LINES = CORPUS.filter(({ text }) => text.includes('\n'));

function carried(stream: string, text: string): CarriedInput[] {
  const payload = { text, priority: 3, about: null };
  const identity = identityOf(pack.streamTable, stream);
  return [
    ...(identity === null ? [] : carryNamed(payload, identity)),
    ...(stream === 'kernel' ? carryKernel(payload) : []),
    ...carryNameless(payload, stream),
  ];
}

function verdictOf(input: CarriedInput, probes: readonly ProbeResult[] = []): Verdict {
  return diagnose(pack, readInput(pack, input), probes, {
    nowMs: Date.UTC(2025, 5, 12),
    uptimeSeconds: 300,
    version: '0.0.0',
    sequence: 1,
    final: true,
  });
}

/** Everything that leaves the program for this verdict, by all sinks, with the log service out of reach. */
async function allThatLeaves(t: TestContext, verdict: Verdict): Promise<string> {
  const redacted = redactVerdict(verdict);
  const folder = tempFolder(t, {});
  const console = fakeConsole();
  const shipped: string[] = [];
  const shipper = fakeShipper((events) => (shipped.push(...events.map(({ text }) => text)), UNREACHABLE));
  const delivery = createDelivery({
    host: console,
    words: {
      file: (verdict) => renderJson(verdict, ''),
      line: renderVerdictLine,
      event: (verdict, counts) => renderCloudWatchEvent(verdict, { nowMs: 0, counts }),
      started: (verdict) => renderBootStarted(verdict, 0),
      console: renderConsoleLine,
    },
    shippers: shippersOf(async () => shipper),
    places: placesIn(folder),
  });
  await delivery.deliver(redacted, AbortSignal.timeout(10_000));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.length, 3);
  const text = renderText(redacted, {
    color: false,
    prefix: '',
    isLog: false,
    offersAwsChecks: false,
    width: null,
    follows: () => false,
    focus: () => null,
    reasons: {},
    answers: new Map(),
  });
  return [
    text,
    ...console.lines,
    ...shipped,
    ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
  ].join('\n');
}

interface Line {
  readonly text: string;
  /** What it proves. */
  readonly causeId: string | null;
}

/** A sample of the stream that still matches with other text behind it; else an error that nobody knows. */
function lineOf(stream: string): Line {
  for (const { samples, pattern, owner } of subjects) {
    const [sample] = samples.match;
    if ((sample!.stream ?? pattern.streams?.[0]) !== stream) continue;
    const [input] = carried(stream, `${sample!.line} # x`);
    if (verdictOf(input!).cause?.id === owner!.cause.id) return { text: sample!.line, causeId: owner!.cause.id };
  }
  return { text: 'E0611 16:22:44.766132    3214 a.go:1] nobody knows this', causeId: null };
}

const STREAMS = pack.streamTable.streams
  .filter(({ snapshot }) => !snapshot)
  .map(({ name }) => ({ name, line: lineOf(name) }));

for (const [number, { name, line }] of STREAMS.entries())
  test(`stream ${name}, ${line.causeId ?? 'no cause'}`, async (t) => {
    for (const [at, group] of GROUPS.entries()) {
      const inputs = carried(name, `${line.text} # ${group.map(({ text }) => text).join(' ; ')}`);
      const input = inputs[(number + at) % inputs.length]!;
      const verdict = verdictOf(input);
      assert.equal(verdict.cause?.id ?? null, line.causeId, input.carrier);
      assert.ok(verdict.evidence.length > 0);
      const left = await allThatLeaves(t, verdict);
      assert.match(left, /\[redacted:/);
      for (const planted of group)
        assert.deepEqual(leaksOf(left, planted.secrets), [], `${planted.name} as ${input.carrier}`);
    }
  });

test('most streams have a line that proves a cause', () =>
  assert.ok(STREAMS.filter(({ line }) => line.causeId !== null).length >= 12));

test('a secret across lines, in an entry that continues', async (t) => {
  for (const { name, text, secrets } of ACROSS_LINES) {
    const entry = `E0611 16:22:44.766132    3214 run.go:74] "command failed" err=<\n\t${text.replaceAll('\n', '\n\t')}\n\trunning with swap on is not supported, please disable swap\n >`;
    for (const input of carried('kubelet', entry)) {
      const left = await allThatLeaves(t, verdictOf(input));
      assert.deepEqual(leaksOf(left, secrets), [], `${name} as ${input.carrier}`);
    }
  }
});

test('without a cause: the last errors hold no secrets', () => {
  for (const group of GROUPS)
    for (const { name, text, secrets } of group) {
      const [input] = carried('kubelet', `E0611 16:22:44.766132    3214 server.go:1] nobody knows this: ${text}`);
      const verdict = verdictOf(input!);
      assert.equal(verdict.evidence.length, 1, name);
      assert.deepEqual(leaksOf(JSON.stringify(redactVerdict(verdict)), secrets), [], name);
    }
});

test('facts of probes hold no secrets', async (t) => {
  for (const group of GROUPS) {
    const facts = Object.fromEntries(group.map(({ text }, at) => [`fact_${at}`, text]));
    const probes: ProbeResult[] = [
      { probe: 'proxy-complete', outcome: 'fail', code: 'exclusions-missing', facts, elapsedMs: 1 },
    ];
    const left = await allThatLeaves(t, verdictOf(carried('kubelet', 'x')[0]!, probes));
    assert.match(left, /\[redacted:/);
    for (const { name, secrets } of group) assert.deepEqual(leaksOf(left, secrets), [], name);
  }
});

// Nodes whose boot does not go on, and no line of theirs says why; and the table of what may have befallen them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bootNode, type TestNode } from '../node.ts';
import type { NodeOptions } from '../node-options.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { until } from '../until.ts';
import { causeOf, changes, codesOf, diagnose, DIAGNOSE_BINDS, type Diagnosis, listing } from './diagnose.ts';

/** After that no step of a boot is given any more time. */
export const MUCH_LATER_SECONDS = 600;
const SETTLE_LIMIT_MS = 15_000;

/** A login prompt that writes to /run some time later. */
const QUIET = { '/etc/systemd/system/console-getty.service': '/dev/null' };

/** Everything went well up to the kubelet's start, and it never registers. */
export const UNREGISTERED: NodeOptions = shape(CONFIGURED);

/** The same, but its kubelet prints nothing. */
export const MUTE: NodeOptions = shape(CONFIGURED, RUNS_ON);

const LOADING = `
nodeadm_json info init/init.go:55 'Checking user is root..'
nodeadm_json info init/init.go:65 'Loading configuration..'`;
const FETCHING = `${LOADING}
nodeadm_json info init/init.go:84 'Enriching configuration..'
nodeadm_json info init/init.go:171 'Fetching instance details..'`;

/** nodeadm hangs where it asks the metadata service for the user data, or EC2 for the instance; nothing comes after it. */
export const LOADING_FOR_EVER: NodeOptions = { ...shape(`${LOADING}${RUNS_ON}`), wait: 'manager' };
export const FETCHING_FOR_EVER: NodeOptions = { ...shape(`${FETCHING}${RUNS_ON}`), wait: 'manager' };

function shape(nodeadmConfig: string, kubelet = `${STARTED}${RUNS_ON}`): NodeOptions {
  return { ...al2023({ nodeadmConfig, nodeadmRun: RAN, kubelet }), vpc: {}, binds: DIAGNOSE_BINDS, links: QUIET };
}

/** For the tests of one file. Up before the first of them, and gone after the last. */
export function nodeForTests(options: NodeOptions): () => TestNode {
  let node: TestNode;
  before(async () => {
    node = await bootSettled(options);
  });
  after(() => node[Symbol.asyncDispose]());
  return () => node;
}

/** A boot that hangs is waited for until nothing of it moves any more. */
export async function bootSettled(options: NodeOptions): Promise<TestNode> {
  const node = await bootNode(options);
  let last = await listing(node);
  await until('a node that stands still', SETTLE_LIMIT_MS, async () => {
    const now = await listing(node);
    const moved = changes(last, now);
    last = now;
    return moved.length === 0;
  });
  return node;
}

/** Brings something about; gives what takes it away again. */
export type Make = (node: TestNode) => Promise<Undo> | Undo;

type Undo = () => Promise<unknown> | void;

export interface Trouble {
  readonly title: string;
  /** Why it cannot be brought about on this host. */
  readonly skip?: string | false;
  readonly make: Make;
  /** Confidence and id, as `causeOf` words it. */
  readonly cause: string;
  /** By probe, its codes as `codesOf` lists them. */
  readonly codes: Readonly<Record<string, string>>;
  readonly check?: (diagnosis: Diagnosis, node: TestNode) => Promise<void> | void;
}

/** One test each, on one node: what is said of it, and that nothing of the node was changed by asking. */
export function testTroubles(theNode: () => TestNode, troubles: readonly Trouble[]): void {
  for (const { title, skip = false, make, cause, codes, check } of troubles)
    test(title, { skip }, async (t) => {
      const node = theNode();
      const undo = await make(node);
      try {
        const before = await listing(node);
        const diagnosis = await diagnose(node, { args: ['--probe=all'], laterSeconds: MUCH_LATER_SECONDS });
        const { verdict, seconds, peakMb } = diagnosis;
        t.diagnostic(`${seconds.toFixed(2)} s, ${peakMb.toFixed(0)} MB`);
        const said = {
          cause: causeOf(verdict),
          ...Object.fromEntries(Object.keys(codes).map((probe) => [probe, codesOf(verdict, probe)])),
        };
        assert.deepEqual(said, { cause, ...codes });
        assert.deepEqual(changes(before, await listing(node)), []);
        assert.equal(diagnosis.stderr, '');
        await check?.(diagnosis, node);
      } finally {
        await undo();
      }
    });
}

// What each of the three ways shows of a failure: the cells of the table in docs/deploy.md, each seen on a node that suffers it.
//
// One node tells all three. Image: the shipped unit ships its verdict, or tells the console. SSM: its agent has credentials and its
// endpoint, and `diagnose` names the cause. User data: its first part ran and could fetch a release; what it starts is the same program.
import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { type Mark, type Seen, type System, SYSTEMS, type Tried, TRIED } from '../../build/visibility.ts';
import type { Verdict } from '../../src/types.ts';
import { SERVICES } from '../../src/aws/endpoints.ts';
import { bridge, logsOfCluster, REAL_CONSOLE } from './delivery/delivering-node.ts';
import { bootNode, EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { al2, BOOTSTRAPPED } from './shapes/al2.ts';
import { al2023, CONFIGURED, RAN } from './shapes/al2023.ts';
import { ANALYZER_BIND, ANALYZER_UNIT } from './shapes/analyzer.ts';
import { seed } from './shapes/cloud-init.ts';
import { RUNS_ON, STARTED, UNAUTHORIZED } from './shapes/kubelet.ts';
import { until } from './until.ts';
import { verdictsOf } from './verdicts.ts';
import { endpointOf } from './vpc.ts';

const AT_ONCE = 8;
const SEEN_LIMIT_MS = 150_000;
/** What waits is told after 3 minutes of uptime: the machine has been up for most of them. */
const LATE = { uptimeSeconds: 165 };
/** The final stage of cloud-init may come after the verdict. */
const FIRST_PART_LIMIT_MS = 15_000;
const MARKER = '/run/first-part-ran';
const FIRST_PART = `#!/bin/bash\ntouch ${MARKER}\n`;
const SWAP = `klog E 'run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"'\nexit 1`;
const REFUSED = `${STARTED}\nwhile :; do\n${UNAUTHORIZED}\nsleep 2\ndone`;
const INVALID = `nodeadm_json fatal nodeadm/main.go:36 'Command failed' ',"error":"no kind \\"NodeConfig\\" is registered for version \\"node.eks.aws/v1alpha\\" in scheme \\"scheme.go:17\\""'\nexit 1`;
const MALFORMED = `nodeadm_json warn configprovider/chain.go:30 'Encountered error in config provider' ',"error":"malformed MIME header line: #!/bin/bash"'
nodeadm_json fatal cli/main.go:41 'Command failed' ',"error":"no config in chain"'
exit 1`;
const LOADING = `nodeadm_json info init/init.go:65 'Loading configuration..'\nsleep infinity`;
const FETCHING = `nodeadm_json info init/init.go:84 'Enriching configuration..'
nodeadm_json info init/init.go:171 'Fetching instance details..'
for ((attempt = 1; ; attempt++)); do sdk DEBUG "retrying request EC2/DescribeInstances, attempt $attempt"; sleep 10; done`;

interface Play {
  readonly cause: string;
  readonly options?: Partial<NodeOptions>;
  readonly kubelet?: string;
  readonly nodeadmConfig?: string;
  readonly userData?: string;
  readonly bootstrap?: string;
  readonly denied?: boolean;
}

const LOST = { lost: SERVICES.map(endpointOf) };
const UNFIT = { cause: 'swap-enabled', kubelet: SWAP };
/** `gone` is what `bootstrap` becomes when its node is switched off. */
const PLAYS: Readonly<Record<Exclude<Tried, 'gone'>, Play>> = {
  metadata: {
    cause: 'imds-unreachable',
    options: { ...LATE, imds: { 'api/token': { status: 503 } } },
    nodeadmConfig: LOADING,
    bootstrap: `bootstrap INFO 'starting...'\necho 'curl: (7) Failed to connect to 169.254.169.254 port 80: Connection refused' >&2\nexit 7`,
  },
  malformed: {
    cause: 'user-data-malformed',
    userData: 'echo hello\n/etc/eks/bootstrap.sh prod-blue\n',
    nodeadmConfig: MALFORMED,
  },
  configHangs: {
    cause: 'ec2-api-unreachable',
    nodeadmConfig: FETCHING,
    options: { ...LATE, vpc: { lost: [endpointOf('ec2')] } },
  },
  configFails: { cause: 'nodeconfig-invalid', nodeadmConfig: INVALID },
  script: { cause: 'user-data-script-failed', userData: `${FIRST_PART}flock /run/lock sleep 3600\n`, options: LATE },
  bootstrap: UNFIT,
  registration: { cause: 'node-unauthorized', kubelet: REFUSED, options: { vpc: { node: { status: 401 } } } },
  noWayOut: { ...UNFIT, options: { vpc: LOST } },
  denied: { ...UNFIT, denied: true },
};

describe('what each way shows', { concurrency: AT_ONCE }, () => {
  const cleanups: (() => void)[] = [];
  const t = { after: (cleanup: () => void) => void cleanups.push(cleanup) } as TestContext;
  after(() => cleanups.toReversed().forEach((cleanup) => cleanup()));

  for (const [name, play] of Object.entries(PLAYS) as [keyof typeof PLAYS, Play][])
    for (const system of SYSTEMS)
      if (system in TRIED[name].seen) test(`${name} on ${system}`, () => looksAsTheTableSays(t, name, play, system));
});

async function looksAsTheTableSays(t: TestContext, name: Tried, play: Play, system: System): Promise<void> {
  const logs = await logsOfCluster(t);
  if (play.denied) logs.denied.add('PutLogEvents');
  const { path } = await bridge(t, logs);
  const shape = shapeOf(play, system);
  await using node = await bootNode({
    ...shape,
    ...play.options,
    units: { ...shape.units, ...ANALYZER_UNIT },
    binds: ANALYZER_BIND,
    vpc: { ...play.options?.vpc, logs: path },
    wait: 'manager',
  });
  await node.shell(REAL_CONSOLE);
  const names = ({ cause }: Pick<Verdict, 'cause'>): boolean => cause?.id === play.cause;
  const arrived = (): boolean =>
    logs.messages().some((event) => event['Cause'] === play.cause || event['causeId'] === play.cause);
  const onConsole = (): boolean =>
    node
      .console()
      .split(/[\r\n]+/)
      .some((line) => line.startsWith('eks-bootstrap-analyzer:') && line.includes(play.cause));
  const image = await until<Mark>('a verdict somewhere', SEEN_LIMIT_MS, () =>
    arrived() ? '✓' : onConsole() ? 'C' : null,
  ).catch((error: unknown) => {
    throw new Error(
      `${String(error)}; the console: ${node.console().slice(-1500)}; there were ${verdictsOf(node)
        .map(({ status, cause }) => `${status} ${cause?.id}`)
        .join(', ')}`,
    );
  });
  const seen = await otherWays(node, names, image);
  assert.deepEqual(seen, cells(name, system));
  if (name !== 'bootstrap') return;
  await node.powerOff();
  assert.deepEqual({ ...seen, ssm: node.isUp() ? '✓' : '–', image: arrived() ? '✓' : '–' }, cells('gone', system));
}

async function otherWays(node: TestNode, names: (verdict: Verdict) => boolean, image: Mark): Promise<Seen> {
  const holds = async (command: string): Promise<boolean> =>
    (await node.shell(`${command} >/dev/null 2>&1 && echo yes`, { codes: null })) === 'yes';
  const answers = (service: 'ssm' | 's3'): Promise<boolean> =>
    holds(`timeout 5 curl -sko /dev/null https://${endpointOf(service)}/`);
  const hasRun = until('the first part of the user data', FIRST_PART_LIMIT_MS, () => holds(`test -e ${MARKER}`)).catch(
    () => false,
  );
  const hasMetadata = await holds(
    'curl -sfm 5 -X PUT -H "X-aws-ec2-metadata-token-ttl-seconds: 60" http://169.254.169.254/latest/api/token',
  );
  const { stdout } = await node.exec(EXECUTABLE_ON_NODE, ['diagnose', '--format=json', '--deliver=none'], {
    codes: null,
    limitMs: 60_000,
  });
  const isAsked = hasMetadata && (await answers('ssm')) && names(JSON.parse(stdout) as Verdict);
  const isBrought = hasMetadata && (await answers('s3')) && (await hasRun);
  return { ssm: isAsked ? '✓' : '–', image, userData: isBrought ? image : '–' };
}

function cells(name: Tried, system: System): Seen | undefined {
  return (TRIED[name].seen as Partial<Record<System, Seen>>)[system];
}

function shapeOf(
  { kubelet = `${STARTED}${RUNS_ON}`, bootstrap = BOOTSTRAPPED, nodeadmConfig = CONFIGURED, userData }: Play,
  system: System,
): NodeOptions {
  if (system === 'AL2')
    return al2(
      { bootstrap, pullSandboxImage: 'true', kubelet },
      seed(userData ?? `${FIRST_PART}/etc/eks/bootstrap.sh prod-blue\n`),
    );
  return al2023({ nodeadmConfig, nodeadmRun: RAN, kubelet }, seed(userData ?? FIRST_PART));
}

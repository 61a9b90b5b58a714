// Which failure is visible in which of the three ways, per operating system: the table of docs/deploy.md. Its cells are what
// test/e2e/visibility.test.ts must see on nodes; of rows and a column that no node of ours can play `tried` is absent.

export const SYSTEMS = ['AL2', 'AL2023'] as const;
export type System = (typeof SYSTEMS)[number];

/** ✓ the verdict arrives; C one line on the console, and files on the disk; – nothing. */
export type Mark = '✓' | 'C' | '–';

export interface Seen {
  readonly ssm: Mark;
  readonly image: Mark;
  readonly userData: Mark;
}

interface Failure {
  readonly fails: string;
  /** A system without such a part is left out. */
  readonly seen: Readonly<Partial<Record<System, Seen>>>;
  readonly bottlerocket: Mark | 'n/a';
}

const NOWHERE: Seen = { ssm: '–', image: '–', userData: '–' };
const EVERYWHERE: Seen = { ssm: '✓', image: '✓', userData: '✓' };
const NOT_BY_USER_DATA: Seen = { ...EVERYWHERE, userData: '–' };
const both = (seen: Seen): Failure['seen'] => ({ AL2: seen, AL2023: seen });

const UNTRIED: readonly Failure[] = [
  {
    fails: 'The launch itself (Karpenter, quotas, AMI, instance profile): `analyze` the controller’s log',
    seen: both(NOWHERE),
    bottlerocket: '–',
  },
  {
    fails: 'Kernel, root file system, systemd: pipe the console output into `analyze -`',
    seen: both(NOWHERE),
    bottlerocket: '–',
  },
];

/** By the name of what befalls the nodes. */
export const TRIED = {
  metadata: {
    fails: 'Instance metadata unreachable, so no user data and no credentials',
    seen: both({ ssm: '–', image: 'C', userData: '–' }),
    bottlerocket: '–',
  },
  malformed: {
    fails: 'User data malformed: cloud-init runs no part of it',
    seen: both(NOT_BY_USER_DATA),
    bottlerocket: '–',
  },
  configHangs: {
    fails: 'nodeadm-boot-hook, nodeadm-config (AL2023), early-boot-config, pluto (Bottlerocket) hang',
    seen: { AL2023: NOT_BY_USER_DATA },
    bottlerocket: '–',
  },
  configFails: { fails: 'The same end with an error', seen: { AL2023: EVERYWHERE }, bottlerocket: '–' },
  script: {
    fails: 'A script of the user data fails or hangs behind ours',
    seen: both(EVERYWHERE),
    bottlerocket: 'n/a',
  },
  bootstrap: {
    fails: 'bootstrap.sh, nodeadm-run, containerd, pause image, kubelet',
    seen: both(EVERYWHERE),
    bottlerocket: '✓',
  },
  registration: {
    fails: 'Registration, IAM and access entries, network plugin',
    seen: both(EVERYWHERE),
    bottlerocket: '✓',
  },
  noWayOut: {
    fails: 'No way out (NAT, endpoints, names): user data cannot fetch the release either',
    seen: both({ ssm: '–', image: 'C', userData: '–' }),
    bottlerocket: '–',
  },
  denied: {
    fails: 'The role may not write logs',
    seen: both({ ssm: '✓', image: 'C', userData: 'C' }),
    bottlerocket: '–',
  },
  gone: {
    fails: 'The instance goes before anybody can ask (spot, Karpenter after 15 minutes)',
    seen: both({ ssm: '–', image: '✓', userData: '✓' }),
    bottlerocket: '✓',
  },
} as const satisfies Readonly<Record<string, Failure>>;
export type Tried = keyof typeof TRIED;

export function renderVisibilityTable(): string {
  const ways = { SSM: 'ssm', Image: 'image', 'User data': 'userData' } as const;
  const columns = Object.entries(ways).flatMap(([title, way]) => SYSTEMS.map((system) => ({ title, way, system })));
  const rows = [...UNTRIED, ...Object.values<Failure>(TRIED)].map(({ fails, seen, bottlerocket }) => [
    fails,
    ...columns.map(({ way, system }) => seen[system]?.[way] ?? 'n/a'),
    bottlerocket,
  ]);
  const head = [
    'What fails',
    ...columns.map(({ title, system }) => `${title} ${system}`),
    'Bottlerocket host container',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

// What oxlint enforces, as data that `npm run generate` writes to .oxlintrc.json: which room may import which, that nothing blocks or asks
// the clock where it must not. Each rule and each sentence stands here once.

interface Named {
  readonly name: string;
  readonly importNames?: readonly string[];
  readonly message: string;
}
interface Group {
  readonly group: readonly string[];
  readonly message: string;
}

const BLOCKS =
  'It can block in the kernel and cannot be cancelled: only src/host may call it, in a short-lived child or with a time limit.';
const SYSTEM_INFORMATION = 'Only src/host may ask it, and only what cannot hang.';
const PURE = 'A pure stage touches no process, network, clock or output.';
const TIME = 'A pure stage gets the time as a value.';

const BLOCKING_IMPORTS: readonly Named[] = [
  { name: 'node:dns', importNames: ['lookup', 'promises'], message: BLOCKS },
  { name: 'node:dns/promises', importNames: ['lookup'], message: BLOCKS },
  { name: 'node:fs', importNames: ['statfs', 'statfsSync'], message: BLOCKS },
  { name: 'node:fs/promises', importNames: ['statfs'], message: BLOCKS },
  { name: 'systeminformation', message: SYSTEM_INFORMATION },
];
const NO_SYSTEM_INFORMATION: Group = { group: ['systeminformation/**'], message: SYSTEM_INFORMATION };

const BLOCKING_PROPERTIES = [
  ...['statfs', 'statfsSync', 'fsSize', 'blockDevices'].map((property) => ({ property })),
  ...['si', 'systeminformation'].map((object) => ({ object, property: 'services' })),
  ...[
    ['dns', 'lookup'],
    ['dns', 'promises'],
    ['dnsPromises', 'lookup'],
  ].map(([object, property]) => ({ object, property })),
].map((property) => ({ ...property, message: BLOCKS }));
const IMPURE_PROPERTIES = [
  { object: 'Date', property: 'now', message: TIME },
  { object: 'performance', property: 'now', message: TIME },
  { object: 'Math', property: 'random', message: 'A pure stage gives the same answer every time.' },
];
const SYSTEM_MODULES = ['fs', 'os', 'net', 'dns', 'http', 'https', 'path', 'child_process', 'process', 'timers'];

/** How deep rooms may lie below src/, and with it how many `../` lead out of one. */
const DEPTHS = [1, 2, 3] as const;

function imports(paths: readonly Named[], patterns: readonly object[]): Record<string, unknown> {
  return { 'eslint/no-restricted-imports': ['error', { paths, patterns }] };
}

/** One override a depth: out of the room lead only the named ways. */
function room(
  names: readonly string[],
  ways: readonly string[],
  message: string,
  paths: readonly Named[],
  patterns: readonly Group[],
): object[] {
  return DEPTHS.map((depth) => {
    const up = '../'.repeat(depth);
    const own = { group: [`${up}**`, ...ways.map((way) => `!${up}${way}`)], message };
    return {
      files: names.map((name) => `src/${name}/${'*/'.repeat(depth - 1)}*.ts`),
      rules: imports(paths, [...patterns, own]),
    };
  });
}

const WORKERS = ['sources', 'probes', 'image', 'signatures', 'sinks'];
const STAGES = ['matching', 'diagnosis', 'reporting', 'redaction', 'render'];

export const LINT_CONFIG = {
  $schema: './node_modules/oxlint/configuration_schema.json',
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['dist/**', 'test/scenarios/**', 'test/healthy/**'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] }],
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/return-await': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'eslint/prefer-named-capture-group': 'error',
    'eslint/prefer-const': 'error',
    'eslint/eqeqeq': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'unicorn/prefer-node-protocol': 'error',
    'eslint/no-shadow': 'off',
    'eslint/no-new': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/no-array-sort': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    {
      files: ['src/**/*.ts'],
      excludeFiles: ['src/host/**'],
      rules: { ...imports(BLOCKING_IMPORTS, []), 'eslint/no-restricted-properties': ['error', ...BLOCKING_PROPERTIES] },
    },
    ...room(
      WORKERS,
      ['types.ts', 'host/**', 'lib/**', 'aws/**'],
      'Imports point only to src/types.ts, host, lib, aws or the own room.',
      BLOCKING_IMPORTS,
      [NO_SYSTEM_INFORMATION],
    ),
    ...room(
      ['aws'],
      ['types.ts', 'host/**', 'lib/**'],
      'aws imports only src/types.ts, host and lib.',
      BLOCKING_IMPORTS,
      [NO_SYSTEM_INFORMATION],
    ),
    {
      files: STAGES.map((stage) => `src/${stage}/**/*.ts`),
      rules: {
        'eslint/no-restricted-globals': [
          'error',
          ...['process', 'fetch', 'console', 'setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
            name,
            message: PURE,
          })),
        ],
        'eslint/no-restricted-properties': ['error', ...BLOCKING_PROPERTIES, ...IMPURE_PROPERTIES],
      },
    },
    ...room(
      STAGES,
      ['types.ts', 'lib/**', 'aws', 'aws/partitions.ts'],
      'A pure stage imports only src/types.ts, lib, aws/partitions.ts and its own room.',
      [],
      [{ group: ['node:*', 'node:*/**', '!node:crypto', ...SYSTEM_MODULES], message: PURE }],
    ),
    ...room(
      ['host'],
      ['types.ts', 'lib/**'],
      'host imports only src/types.ts, lib and its own room.',
      [
        {
          name: 'systeminformation',
          importNames: ['default', 'fsSize', 'blockDevices', 'services', 'osInfo', 'processes'],
          message:
            'It starts shells without a limit or blocks the event loop; import what is needed from systeminformation/lib/memory.js.',
        },
      ],
      [
        {
          group: ['systeminformation/**', '!systeminformation/lib/memory.js'],
          message: 'Of systeminformation only mem() starts nothing and cannot hang.',
        },
      ],
    ),
    {
      files: ['src/lib/*.ts'],
      rules: imports(
        [],
        [{ group: ['../**'], message: 'lib is the ground floor: it imports nothing of the project.' }],
      ),
    },
    { files: ['src/types.ts'], rules: imports([], [{ regex: '.', message: 'types.ts imports nothing.' }]) },
  ],
};

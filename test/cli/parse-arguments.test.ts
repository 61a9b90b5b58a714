import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/operator-error.ts';
import { parseArguments } from '../../src/parse-arguments.ts';

const DEFAULTS = {
  format: 'text',
  prefix: 'auto',
  output: null,
  each: false,
  jobs: 1,
  root: null,
  folder: null,
  deadlineMs: 720_000,
  probe: 'auto',
  deliver: null,
  logGroup: null,
  createLogGroup: false,
  retentionDays: 30,
  shipLogs: 'never',
  instanceTypes: [],
  redactIdentifiers: false,
  color: true,
  quiet: false,
};

function command(...args: string[]): unknown {
  return parseArguments(args);
}

test('a command with its operands and the defaults', () => {
  assert.deepEqual(command('analyze', 'a.log', '-'), {
    kind: 'command',
    command: 'analyze',
    operands: ['a.log', '-'],
    settings: DEFAULTS,
  });
});

test('options stand before or after, with = or without', () => {
  const settings = {
    ...DEFAULTS,
    format: 'json',
    color: false,
    quiet: true,
    root: '/mnt',
    output: 'v.json',
    prefix: 'never',
  };
  const expected = { kind: 'command', command: 'diagnose', operands: [], settings };
  assert.deepEqual(
    command(
      '--format=json',
      'diagnose',
      '--root',
      '/mnt',
      '--output=v.json',
      '--no-color',
      '--quiet',
      '--prefix',
      'never',
    ),
    expected,
  );
});

test('watch takes a deadline, and where its verdicts go', () => {
  const settings = {
    ...DEFAULTS,
    deadlineMs: 90_000,
    probe: ['swap-off', 'clock-right'],
    deliver: 'local',
    logGroup: '/eks/boot',
    createLogGroup: true,
    retentionDays: 14,
    redactIdentifiers: true,
  };
  const args = [
    '--deadline=90s',
    '--probe',
    'swap-off,clock-right',
    '--deliver=local',
    '--log-group',
    '/eks/boot',
    '--create-log-group',
    '--retention-days=14',
    '--redact-identifiers',
  ];
  assert.deepEqual(command('watch', ...args), { kind: 'command', command: 'watch', operands: [], settings });
});

test('watch makes the log group by itself, diagnose only if it is told', () => {
  const creates = (...args: string[]): unknown =>
    (command(...args) as { settings: { createLogGroup: boolean; retentionDays: number } }).settings;
  assert.deepEqual(creates('watch'), { ...DEFAULTS, createLogGroup: true });
  assert.deepEqual(creates('diagnose', '--deliver', 'all'), { ...DEFAULTS, deliver: 'all' });
});

test('the last of a repeated option counts', () => {
  assert.equal(
    (command('diagnose', '--format', 'json', '--format', 'text') as { settings: { format: string } }).settings.format,
    'text',
  );
});

test('a path that begins with a dash stands after --', () => {
  assert.deepEqual((command('analyze', '--', '--strange.log') as { operands: string[] }).operands, ['--strange.log']);
});

function helpAbout(...args: string[]): readonly string[] {
  const invocation = parseArguments(args);
  return invocation.kind === 'help' ? invocation.about.map(({ name }) => name) : ['no help'];
}

test('help and version win over everything but a wrong word or option', () => {
  assert.deepEqual(helpAbout(), []);
  assert.deepEqual(helpAbout('--help'), []);
  assert.deepEqual(helpAbout('help'), []);
  assert.deepEqual(helpAbout('analyze', 'x.log', '--help'), ['analyze']);
  assert.deepEqual(helpAbout('help', 'patterns', 'check'), ['patterns check']);
  assert.deepEqual(helpAbout('patterns', '--help'), [
    'patterns list',
    'patterns show',
    'patterns check',
    'patterns new',
  ]);
  assert.deepEqual(command('analyze', '--version'), { kind: 'version' });
});

const WRONG: readonly (readonly [string[], RegExp])[] = [
  [['analyze'], /"analyze" needs at least one PATH/],
  [['analyze', ''], /"analyze" got an empty argument/],
  [['analyse', 'x'], /no command "analyse"\. Did you mean analyze\?/],
  [
    ['frobnicate'],
    /no command "frobnicate"\. Commands: analyze, diagnose, watch, check-image, patterns, probes, streams, completions, version\./,
  ],
  [['diagnose', 'x'], /"diagnose" takes no argument, but got "x"/],
  [['patterns'], /"patterns" needs one of: list, show, check/],
  [['help', 'analyse'], /no command "analyse"\. Did you mean analyze\?/],
  [['frobnicate', '--help'], /no command "frobnicate"/],
  [['completions'], /"completions" needs one of: bash, zsh, fish/],
  [['completions', 'tcsh'], /"completions" needs one of: bash, zsh, fish/],
  [['completions', 'bash', '--format', 'json'], /--format does not belong to "completions"/],
  [['patterns', 'lst'], /no command "patterns lst"\. Did you mean list\?/],
  [['patterns', 'show'], /needs exactly one ID/],
  [['patterns', 'check', 'a', 'b'], /at most one DIR/],
  [['analyze', 'x', '--formt', 'json'], /no option --formt\. Did you mean --format\?/],
  [['analyze', 'x', '-q'], /no option -q/],
  [['analyze', 'x', '--format'], /--format needs a value: text or json or markdown or html or aws-checks/],
  [['watch', '--format', 'aws-checks'], /--format aws-checks does not belong to "watch"/],
  [['analyze', 'x', '--format', '--quiet'], /--format needs a value/],
  [['analyze', 'x', '--format', 'xml'], /--format cannot be "xml": it is text or json/],
  [['analyze', 'x', '--quiet=yes'], /--quiet takes no value/],
  [['analyze', 'x', '--root', '/mnt'], /--root does not belong to "analyze"/],
  [['watch', '--deadline', '12'], /--deadline cannot be "12": it is a duration up to 24h, such as 90s or 12m/],
  [['watch', '--deadline', '0s'], /--deadline cannot be "0s"/],
  [['watch', '--deadline', '25h'], /--deadline cannot be "25h"/],
  [['watch', '--deadline', '1e9s'], /--deadline cannot be "1e9s"/],
  [['watch', '--log-group', 'a b'], /--log-group cannot be "a b"/],
  [
    ['watch', '--create-log-group', '--retention-days', '2'],
    /--retention-days cannot be "2": CloudWatch takes 1, 3, 5/,
  ],
  [['diagnose', '--log-group', '/g'], /--log-group and --create-log-group need --deliver all/],
  [['diagnose', '--deliver', 'local', '--log-group', '/g'], /--log-group and --create-log-group need --deliver all/],
  [['diagnose', '--deliver', 'all', '--retention-days', '30'], /--retention-days needs --create-log-group/],
  [['watch', '--deliver', 'local', '--ship-logs', 'on-failure'], /--ship-logs needs --deliver all/],
  [['diagnose', '--ship-logs', 'on-failure'], /--ship-logs needs --deliver all/],
  [['watch', '--ship-logs', 'always'], /--ship-logs cannot be "always": it is on-failure or never/],
  [['watch', '--deliver', 'some'], /--deliver cannot be "some": it is all or local or none/],
  [['watch', '--output', 'x'], /--output does not belong to "watch"/],
  [['patterns', 'list', '--quiet'], /--quiet does not belong to "patterns list"/],
];

for (const [args, sentence] of WRONG)
  test(`refused: ${args.join(' ')}`, () => {
    assert.throws(
      () => parseArguments(args),
      (error) =>
        error instanceof OperatorError &&
        error.exitCode === 2 &&
        sentence.test(error.message) &&
        error.message.endsWith('--help".'),
    );
  });

test('-h and -v are help and version', () => {
  assert.deepEqual(helpAbout('watch', '-h'), ['watch']);
  assert.deepEqual(parseArguments(['-v']), { kind: 'version' });
});

test('a negative deadline is told what a deadline is, and a far word gets no suggestion', () => {
  assert.throws(
    () => parseArguments(['watch', '--deadline', '-5m']),
    /--deadline cannot be "-5m": it is a duration up to 24h/,
  );
  assert.throws(() => parseArguments(['watch', '--foo']), /There is no option --foo\. See/);
});

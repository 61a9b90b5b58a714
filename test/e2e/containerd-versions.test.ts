// Three real versions of containerd with one broken configuration after the other: from what each of them and systemd write, the built
// program names the cause.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Verdict } from '../../src/types.ts';
import { containerdOf } from './containerd-program.ts';
import { bootNode, EXECUTABLE, type TestNode } from './node.ts';
import { startProcess, joined } from './node-process.ts';

const TEST_LIMIT_MS = 180_000;
const VERSIONS = [
  { version: '1.6', suite: null },
  { version: '1.7', suite: 'trixie' },
  { version: '2.', suite: 'forky' },
] as const;
const INVALID = 'containerd-config-invalid';
const MISSING = 'containerd-config-missing';
const CRI = 'plugins."io.containerd.grpc.v1.cri"';

interface Broken {
  readonly what: string;
  /** Lines of config.toml behind `version = 2`. */
  readonly config: string;
  /** Null: it starts, and nothing is wrong with it. */
  readonly cause: string | null;
  /** In the words of each of them. */
  readonly says: RegExp;
  /** Versions that take it. */
  readonly takenBy?: readonly string[];
}

const TABLE: readonly Broken[] = [
  { what: 'nothing is wrong', config: '', cause: null, says: /^$/ },
  {
    what: 'a list where a text belongs',
    config: 'root = ["/var/lib/containerd"]',
    cause: INVALID,
    says: /Can't convert .* to a slice|cannot decode TOML array .* of type string/,
  },
  {
    what: 'a text where a number belongs',
    config: 'oom_score = "low"',
    cause: INVALID,
    says: /Can't convert low\(string\) to int|cannot decode TOML string .* of type int/,
  },
  {
    what: 'a text where a plugin wants a number',
    config: `[${CRI}]\nmax_container_log_line_size = "big"`,
    cause: INVALID,
    says: /Can't convert big\(string\) to int|cannot decode TOML string .*MaxContainerLogLineSize of type int/,
  },
  {
    what: 'a value that is none',
    config: 'root = yes',
    cause: INVALID,
    says: /no value can start with y|unexpected character .* at start of value/,
  },
  {
    what: 'a table that is not closed',
    config: '[plugins',
    cause: INVALID,
    says: /unclosed table key|expected '\]' to close table name/,
  },
  {
    what: 'an imported file that is broken',
    config: 'imports = ["/etc/containerd/more.toml"]',
    cause: INVALID,
    says: /no value can start with y|unexpected character .* at start of value/,
  },
  {
    what: 'an imported file that is missing',
    config: 'imports = ["/etc/containerd/absent.toml"]',
    cause: MISSING,
    says: /open \/etc\/containerd\/absent\.toml: no such file or directory/,
  },
  {
    what: 'a version that nobody knows',
    config: 'version = 9',
    cause: INVALID,
    says: /unsupported config version|equal to or less than `3`, got `9`/,
    takenBy: ['1.6'],
  },
  {
    what: 'a plugin by half its name',
    config: 'disabled_plugins = ["cri"]',
    cause: INVALID,
    says: /invalid disabled plugin URI "cri"/,
  },
  {
    what: 'a required plugin that is not there',
    config: 'required_plugins = ["io.containerd.snapshotter.v1.absent"]',
    cause: INVALID,
    says: /required plugin \[io\.containerd\.snapshotter\.v1\.absent\] not included/,
  },
  {
    what: 'two ways to name a mirror',
    config: `[${CRI}.registry]\nconfig_path = "/etc/containerd/certs.d"\n[${CRI}.registry.mirrors."docker.io"]\nendpoint = ["https://mirror.internal"]`,
    cause: INVALID,
    says: /`mirrors` cannot be set when `config_path` is provided/,
  },
  {
    what: 'a default runtime that is not defined',
    config: `[${CRI}.containerd]\ndefault_runtime_name = "nvidia"`,
    cause: INVALID,
    says: /no corresponding runtime configured/,
  },
];

describe('containerd', { concurrency: VERSIONS.length, timeout: TEST_LIMIT_MS }, () => {
  for (const { version, suite } of VERSIONS)
    test(`${version}: each broken configuration has its cause`, async (t) => {
      const program = suite === null ? null : await containerdOf(suite).catch((error: Error) => error);
      if (program instanceof Error) {
        const reason = `containerd ${version} could not be fetched: ${program.message.slice(0, 500)}`;
        console.log(`skipped: ${reason}`);
        t.skip(reason);
        return;
      }
      await using node = await bootNode(program === null ? {} : { binds: { '/usr/bin/containerd': program } });
      const own = await node.shell('containerd --version');
      assert.match(own.replace(/^.*? (?:v|~)?(?=\d)/, ''), new RegExp(`^${version.replaceAll('.', '\\.')}`), own);
      mkdirSync(node.path('/etc/containerd'), { recursive: true });
      writeFileSync(node.path('/etc/containerd/more.toml'), 'root = yes\n');
      for (const broken of TABLE) await check(node, version, broken);
    });
});

async function check(
  node: TestNode,
  version: string,
  { what, config, cause, says, takenBy = [] }: Broken,
): Promise<void> {
  const isTaken = cause === null || takenBy.includes(version);
  const head = config.startsWith('version') ? '' : 'version = 2\n';
  writeFileSync(node.path('/etc/containerd/config.toml'), `${head}${config}\n`);
  await node.shell(
    'journalctl --sync; journalctl --quiet --rotate --vacuum-files=1; systemctl reset-failed containerd || :',
  );
  const started = await node.exec('systemctl', ['start', 'containerd'], { codes: [0, 1] });
  const journal = await node.shell(
    'journalctl --sync; journalctl -b -u containerd -o export --no-pager; systemctl stop containerd',
  );
  const verdict = await judge(join(node.folder, 'containerd.export'), `${journal}\n\n`);
  assert.equal(
    verdict.cause?.id ?? null,
    isTaken ? null : cause,
    `containerd ${version}, ${what} (${started.code}): ${journal}`,
  );
  if (isTaken) return;
  assert.equal(verdict.cause!.confidence, 'high', what);
  assert.match(verdict.evidence.map(({ line }) => line).join('\n'), says, `containerd ${version}, ${what}`);
}

async function judge(file: string, journal: string): Promise<Verdict> {
  writeFileSync(file, journal);
  const analyze = startProcess([EXECUTABLE, 'analyze', file, '--format', 'json', '--quiet'], 0);
  await analyze.ended;
  return JSON.parse(joined(analyze.stdout)) as Verdict;
}

// `check-image`: does this machine's image, or the root file system mounted at a folder, hold what the boot of a node will need?
import { EXIT_BAD_USAGE, EXIT_NOTHING_READ, exitCodeOf } from '../exit-codes.ts';
import { HostError } from '../host/host.ts';
import { checkAll, IMAGE_CHECKS } from '../image/index.ts';
import { type Image, openImage } from '../image/image.ts';
import { osOf } from '../lib/os-family.ts';
import { OperatorError } from '../operator-error.ts';
import { redactText } from '../redaction/redact.ts';
import { type ImageReport, renderImageJson, renderImageText } from '../render/image-report.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { writeStream } from '../sinks/local/stream.ts';
import { VERSION } from '../version.ts';
import type { CommandContext, Machine } from './command-context.ts';
import { loadPack } from './pack.ts';
import { REASONS } from './print-verdict.ts';

const RELEASES = ['/etc/os-release', '/usr/lib/os-release'];
const KNOWN: readonly string[] = ['al2', 'al2023'] satisfies readonly Image['os'][];

export async function checkImage(context: CommandContext): Promise<number> {
  const { operands, settings, process, signal } = context;
  const [folder = '/'] = operands;
  const { host, system } = await openMachine(context, folder);
  const { os, version } = osOf(
    (await releaseOf(system)) ??
      fail(`${folder} holds no /etc/os-release: it is not the root of a Linux system.`, EXIT_NOTHING_READ),
  );
  if (!KNOWN.includes(os ?? ''))
    fail(
      `${folder} holds ${redactText(os ?? 'an unknown system')}; only images of Amazon Linux 2 and 2023 can be checked.`,
      EXIT_BAD_USAGE,
    );
  const image = openImage({
    host,
    system,
    signal,
    os: os as Image['os'],
    isRunning: host.root === null,
    instanceTypes: settings.instanceTypes,
  });
  const { faults, notDone } = await checkAll(image);
  const { pack } = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const report: ImageReport = {
    root: redactText(folder),
    os: os!,
    osVersion: version,
    faults: faults.map(({ code, values }) => {
      const cause = pack.causes.find((known) => known.image.includes(code));
      return {
        code,
        cause: cause === undefined ? null : { id: cause.id, title: cause.title },
        ...IMAGE_CHECKS.find((check) => Object.hasOwn(check.faults, code))!.faults[code]!,
        values: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
        ),
      };
    }),
    notChecked: [
      ...notDone.map(({ check, code, detail }) => ({
        check,
        why: redactText(`${detail}: ${REASONS[code] ?? code}`),
      })),
      ...(image.isRunning ? [RUNNING] : []),
    ],
    checks: IMAGE_CHECKS.map(({ name }) => name),
    tool: { version: VERSION, packDigest: pack.digest },
  };
  await writeStream(process.stdout, settings.format === 'json' ? renderImageJson(report) : renderImageText(report));
  return exitCodeOf(faults.length === 0 ? 'ready' : 'failed');
}

const RUNNING = {
  check: 'leftovers',
  why: 'The machine id and the state of cloud-init are those of this very boot.',
};

async function releaseOf(system: Machine['system']): Promise<string | null> {
  for (const path of RELEASES) {
    const text = await system.readSmall(path).catch(() => null);
    if (text !== null) return text;
  }
  return null;
}

async function openMachine({ doors }: CommandContext, folder: string): Promise<Machine> {
  try {
    return await doors.machine(folder);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return fail(`${folder} cannot be read. ${REASONS[error.code] ?? error.code}`, EXIT_NOTHING_READ);
  }
}

function fail(sentence: string, exitCode: number): never {
  throw new OperatorError(sentence, exitCode);
}

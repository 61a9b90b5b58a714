// `version`: which build this is, for a report. `--version` says the number alone.
import { arch, platform, versions } from 'node:process';
import { TOOL_NAME } from '../options.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { writeStream } from '../sinks/local/stream.ts';
import { VERSION } from '../version.ts';
import type { CommandContext } from './command-context.ts';
import { loadPack } from './pack.ts';

export async function showVersion({ settings, process }: CommandContext): Promise<number> {
  const { digest, added, replaced, disabled } = (await loadPack(OPERATOR_FOLDER, OPERATOR_UID)).pack;
  const own = added.length + replaced.length + disabled.length;
  const shown = { version: VERSION, packDigest: digest, platform, arch, node: versions.node };
  const text = [
    `${TOOL_NAME} ${VERSION}`,
    `patterns ${digest}${own === 0 ? '' : ` (with ${own} of ${OPERATOR_FOLDER})`}`,
    `${platform} ${arch}, Node ${versions.node}`,
  ];
  await writeStream(
    process.stdout,
    `${settings.format === 'json' ? JSON.stringify(shown, null, 2) : text.join('\n')}\n`,
  );
  return 0;
}

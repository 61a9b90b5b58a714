// Says on standard error what went wrong with the delivery, each thing once: the last verdict has no later one to hold it.
import { ownName } from '../../own-name.ts';
import { createIdentifierMask } from '../../redaction/identifiers.ts';
import { redactText } from '../../redaction/redact.ts';
import { wordNotChecked } from '../../render/not-checked.ts';
import { writeStream } from '../../sinks/local/stream.ts';
import type { NotChecked } from '../../types.ts';
import type { CommandContext } from '../command-context.ts';
import { REASONS } from '../print-verdict.ts';

const STDERR = 2;

export function createComplaints({ process, settings }: CommandContext): (note: NotChecked) => void {
  const mask = settings.redactIdentifiers ? createIdentifierMask() : (text: string): string => text;
  const said = new Set<string>();
  return (note) => {
    for (const sentence of wordNotChecked([note], REASONS)) {
      if (said.has(sentence)) continue;
      said.add(sentence);
      void writeStream(process.stderr, `${ownName(process.env, STDERR)}${mask(redactText(sentence))}\n`).catch(
        () => undefined,
      );
    }
  };
}

// Ships the logs behind a verdict of failure: as a file on the node at once, to CloudWatch once the verdict is there. Nothing that
// redaction has not seen gets further than this.
import { within } from '../../../lib/within.ts';
import { TOOL_NAME } from '../../../options.ts';
import { createIdentifierMask } from '../../../redaction/identifiers.ts';
import { redactLines } from '../../../redaction/redact.ts';
import { deliveryErrorOf } from '../../../sinks/codes.ts';
import { FILE_LIMIT_MS } from '../../../sinks/limits.ts';
import { LOGS_ARCHIVE, writeLogsArchive } from '../../../sinks/local/logs-archive.ts';
import type { ShippedEvent } from '../../../sinks/shipper.ts';
import type { NotChecked, Pack, RedactedVerdict } from '../../../types.ts';
import type { CommandContext, Machine } from '../../command-context.ts';
import { chooseLines } from './choose-lines.ts';
import { type GatheredLog, gatherLogs } from './gather-logs.ts';

export interface LogsRequest {
  readonly context: CommandContext;
  readonly machine: Machine;
  readonly pack: Pack;
  readonly bootId: string;
  readonly verdict: RedactedVerdict;
  /** True if the log service has taken the verdict. */
  readonly delivered: Promise<boolean>;
  readonly signal: AbortSignal;
}

const WHAT = 'the logs of this boot';

/** Says what went wrong. Never rejects. */
export async function shipLogs(request: LogsRequest): Promise<readonly NotChecked[]> {
  const { context, machine, pack, bootId, verdict, delivered, signal } = request;
  try {
    const about = { evidence: verdict.evidence, bootId, signal };
    const { logs, isWhole } = await gatherLogs(machine.host, pack.streamTable, about);
    const mask = context.settings.redactIdentifiers ? createIdentifierMask() : (text: string): string => text;
    const lines = chooseLines(logs, bootId, (text) => mask(redactLines(text)));
    const texts = [headOf(verdict, lines.length, logs, isWhole), ...lines];
    const nowMs = machine.host.clock.wallMs();
    const notes = await save(writeLogsArchive(`${texts.join('\n')}\n`, nowMs, context.doors.places));
    if (!(await delivered)) return notes;
    const shipper = await context.doors.openShipper(verdict.node, context.settings, machine, 'logs');
    try {
      const end = await shipper.ship(eventsOf(texts, nowMs), signal);
      return end.kind === 'accepted' ? notes : [...notes, { what: WHAT, code: 'logs-not-shipped', detail: end.detail }];
    } finally {
      shipper.close();
    }
  } catch (error) {
    if (signal.aborted) return [{ what: WHAT, code: 'logs-not-shipped', detail: 'there was no more time' }];
    return [{ what: WHAT, code: 'logs-not-shipped', detail: (error as Error).message }];
  }
}

async function save(writing: Promise<void>): Promise<readonly NotChecked[]> {
  try {
    return (await within(writing, FILE_LIMIT_MS)).late
      ? [{ what: WHAT, code: 'write-slow', detail: LOGS_ARCHIVE }]
      : [];
  } catch (error) {
    const { code, detail } = deliveryErrorOf(error, LOGS_ARCHIVE);
    return [{ what: WHAT, code, detail }];
  }
}

/** Begins as all that the tool says of itself, so that `analyze` takes it for no evidence. */
function headOf(
  { node, id, status, cause }: RedactedVerdict,
  count: number,
  logs: readonly GatheredLog[],
  isWhole: boolean,
): string {
  const total = logs.reduce((sum, log) => sum + log.total, 0);
  const cut = count < total ? ' (those nearest to the evidence, then the end of each log)' : '';
  const rest = isWhole ? '' : '; not all was read';
  const what = `${status}${cause === null ? '' : `, ${cause.id}`}`;
  return `${TOOL_NAME}: Logs of ${node.instanceId ?? 'this node'} for verdict ${id} (${what}): ${count} of ${total} lines${cut} from ${logs.length} logs${rest}.`;
}

/** A millisecond apart, so that whoever reads the stream gets them in this order: a line's own time stands in it. */
function eventsOf(texts: readonly string[], nowMs: number): ShippedEvent[] {
  const startMs = Math.floor(nowMs) - texts.length;
  return texts.map((text, i) => ({ id: `${startMs + i}`, atMs: startMs + i, final: true, instanceId: null, text }));
}

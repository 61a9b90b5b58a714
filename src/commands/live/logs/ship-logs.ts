// Ships the logs behind a verdict of failure: as a file on the node at once, to CloudWatch once the verdict is there. Nothing that
// redaction has not seen gets further than this.
import { isoInstant } from '../../../lib/instant.ts';
import { within } from '../../../lib/within.ts';
import { TOOL_NAME } from '../../../options.ts';
import { createIdentifierMask } from '../../../redaction/identifiers.ts';
import { redactLines } from '../../../redaction/redact.ts';
import { deliveryErrorOf } from '../../../sinks/codes.ts';
import { FILE_LIMIT_MS } from '../../../sinks/limits.ts';
import { LOGS_ARCHIVE, type Member, writeLogsArchive } from '../../../sinks/local/logs-archive.ts';
import type { ShippedEvent } from '../../../sinks/shipper.ts';
import type { NotChecked, Pack, RedactedVerdict } from '../../../types.ts';
import type { CommandContext, Machine } from '../../command-context.ts';
import { type Chosen, chooseLines } from './choose-lines.ts';
import { gatherLogs, type GatheredLogs } from './gather-logs.ts';

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
    const gathered = await gatherLogs(machine.host, pack.streamTable, { evidence: verdict.evidence, bootId, signal });
    const mask = context.settings.redactIdentifiers ? createIdentifierMask() : (text: string): string => text;
    const chosen = chooseLines(gathered, bootId, (text) => mask(redactLines(text)));
    const head = headOf(verdict, gathered, chosen);
    const nowMs = machine.host.clock.wallMs();
    const notes = await save(writeLogsArchive(membersOf(head, chosen), nowMs, context.doors.places));
    if (!(await delivered)) return notes;
    const shipper = await context.doors.openShipper(verdict.node, context.settings, machine, 'logs');
    try {
      const end = await shipper.ship(eventsOf(head, chosen, nowMs), signal);
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
function headOf({ node, id, status, cause }: RedactedVerdict, { logs, isWhole }: GatheredLogs, chosen: Chosen): string {
  const cut = chosen.chosen < chosen.total ? ' (those nearest to the evidence, then the end of each log)' : '';
  const rest = isWhole ? '' : '; not all could be read in time';
  const what = `${chosen.chosen} of ${chosen.total} lines${cut} from ${logs.length} logs${rest}`;
  return `${TOOL_NAME}: Logs of ${node.instanceId ?? 'this node'} for verdict ${id} (${status}${cause === null ? '' : `, ${cause.id}`}): ${what}.`;
}

function membersOf(head: string, { logs }: Chosen): Member[] {
  const members = logs.filter(({ lines }) => lines.length > 0);
  return [
    { path: 'README.txt', text: `${head}\n` },
    ...members.map(({ path, lines }) => ({
      path: path.replace(/^\/+/, ''),
      text: lines.map(({ plain }) => `${plain}\n`).join(''),
    })),
  ];
}

/** A millisecond apart, so that whoever reads the stream gets them in this order: a line's own time stands in it. */
function eventsOf(head: string, { logs }: Chosen, nowMs: number): ShippedEvent[] {
  const texts = [head, ...logs.flatMap(({ lines }) => lines.map(({ entry }) => entry))];
  return texts.map((text, i) => ({
    id: `${isoInstant(nowMs)} ${i}`,
    atMs: Math.floor(nowMs) - texts.length + i,
    final: true,
    instanceId: null,
    text,
  }));
}

// Reads a Node object of the Kubernetes API, and the text of a refusal. What it does not understand it leaves out.
import { fieldsOf, firstLine } from '../../lib/answer-text.ts';
import { compactFacts } from '../compact-facts.ts';
import type { ProbeFacts } from '../probe.ts';

export interface FoundNode {
  readonly isReady: boolean;
  readonly facts: ProbeFacts;
}

const TAINTS_MAX = 16;
const MESSAGE_MAX_CHARS = 1_000;
const POOL_LABELS = ['karpenter.sh/nodepool', 'eks.amazonaws.com/nodegroup'];
const TYPE_LABEL = 'node.kubernetes.io/instance-type';

/** Null if it is no Node. A node without a Ready condition is not Ready. */
export function nodeFacts(body: string): FoundNode | null {
  const node = fieldsOf(body);
  if (node['kind'] !== 'Node') return null;
  const labels = objectIn(objectIn(node['metadata'])['labels']);
  const ready = listIn(objectIn(node['status'])['conditions']).find(({ type }) => type === 'Ready') ?? {};
  const facts = compactFacts({
    ready_reason: firstLine(ready['reason']),
    ready_message: firstLine(ready['message'], MESSAGE_MAX_CHARS),
    taints: listIn(objectIn(node['spec'])['taints']).slice(0, TAINTS_MAX).map(taintText).join(','),
    node_pool: POOL_LABELS.map((label) => firstLine(labels[label])).find((pool) => pool !== null),
    instance_type: firstLine(labels[TYPE_LABEL]),
  });
  return { isReady: ready['status'] === 'True', facts };
}

/** Of a Status object: `nodes "…" is forbidden: User "system:node:…" cannot get resource …`. */
export function refusedMessage(body: string): string | null {
  return firstLine(fieldsOf(body)['message'], MESSAGE_MAX_CHARS);
}

/** As kubectl writes it. */
function taintText({ key, value, effect }: Fields): string {
  const name = firstLine(key) ?? '';
  const named = firstLine(value) === null ? name : `${name}=${firstLine(value)}`;
  return `${named}:${firstLine(effect) ?? ''}`;
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(objectIn) : [];
}

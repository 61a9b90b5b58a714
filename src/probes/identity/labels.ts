// Finds the labels that a node is to register with, wherever they are written, and takes from them who and where it is.
import { fitsForm } from '../../lib/fact-forms.ts';

export type Told = Readonly<Record<string, string>>;

/** Of several labels for one fact the first that is there counts. */
const FACT_OF_LABEL: readonly (readonly [label: string, fact: string])[] = [
  ['karpenter.sh/nodepool', 'node_pool'],
  ['karpenter.sh/provisioner-name', 'node_pool'],
  ['eks.amazonaws.com/nodegroup', 'node_pool'],
  ['alpha.eksctl.io/nodegroup-name', 'node_pool'],
  ['karpenter.sh/capacity-type', 'capacity_type'],
  ['eks.amazonaws.com/capacityType', 'capacity_type'],
  ['alpha.eksctl.io/cluster-name', 'cluster'],
  ['eks.amazonaws.com/nodegroup-image', 'ami_id'],
  ['topology.kubernetes.io/zone', 'availability_zone'],
];
/** As an argument of the kubelet, also inside JSON or quotes; and as Bottlerocket and eksctl hand them on. */
const LISTS = /(?:--node-labels[= ]|\bNODE_LABELS=)[\s"'\\]{0,8}(?<list>[A-Za-z0-9._/=,-]{1,8192})/g;

/** From the text of a command line, a unit, an environment file or user data. */
export function toldByLabelsIn(text: string): Told {
  const pairs = [...text.matchAll(LISTS)].flatMap(({ groups }) => groups!['list']!.split(','));
  return toldByLabels(new Map(pairs.map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)])));
}

/** What does not have the form of its fact is left out. */
export function toldByLabels(labels: ReadonlyMap<string, string>): Told {
  const told: Record<string, string> = {};
  for (const [label, fact] of FACT_OF_LABEL) {
    const written = labels.get(label) ?? '';
    // Managed node groups write ON_DEMAND, Karpenter on-demand.
    const value = fact === 'capacity_type' ? written.toLowerCase().replaceAll('_', '-') : written;
    if (told[fact] === undefined && fitsForm(fact, value)) told[fact] = value;
  }
  return told;
}

// Where the tool keeps what it says and what it has yet to deliver.

export interface Places {
  /** The last verdict of this boot. */
  readonly run: string;
  /** All verdicts, one a line. */
  readonly log: string;
  /** What must outlive a boot: the spool, and that the node had been Ready. */
  readonly state: string;
  readonly console: string;
}

export const PLACES: Places = {
  run: '/run/eks-bootstrap-analyzer',
  log: '/var/log/eks-bootstrap-analyzer',
  state: '/var/lib/eks-bootstrap-analyzer',
  console: '/dev/console',
};

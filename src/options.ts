// Every command and option of the tool as data, and the Markdown table made of it. Help, parsing and validation read the
// same tables, so an option is declared once.

export type CommandName =
  | 'analyze'
  | 'diagnose'
  | 'watch'
  | 'check-image'
  | 'patterns list'
  | 'patterns show'
  | 'patterns check'
  | 'patterns new'
  | 'probes list'
  | 'streams list'
  | 'completions'
  | 'version';

export interface CommandRule {
  readonly name: CommandName;
  /** What stands after the name: `PATH…` one or more, `[DIR]` at most one, all others exactly one, null nothing. */
  readonly operands: 'PATH…' | 'ID' | 'GROUP/ID' | '[DIR]' | 'SHELL' | null;
  readonly help: string;
  /** Whole command lines, each with what it is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
}

export interface OptionRule {
  readonly name: string;
  /** Name of its value, null for a switch. */
  readonly argument: string | null;
  readonly default: string | null;
  /** Allowed values, null if any. */
  readonly values: readonly string[] | null;
  readonly help: string;
  /** Values that only some of its commands take, and what they are for. */
  readonly limited?: {
    readonly values: readonly string[];
    readonly to: readonly CommandName[];
    readonly help: string;
  };
  /** Commands it belongs to, null for the tool as a whole. */
  readonly commands: readonly CommandName[] | null;
}

export const TOOL_NAME = 'eks-bootstrap-analyzer';
export const OWN_UNIT = `${TOOL_NAME}.service`;

export const COMMANDS = [
  {
    name: 'analyze',
    operands: 'PATH…',
    help: 'Read log files, folders, bundles (.tar.gz), journals or a console output and say why the node did not become Ready; - reads standard input.',
    examples: [
      ['analyze eks_i-0abc.tar.gz', 'a bundle of the EKS log collector'],
      ['analyze /mnt/var/log karpenter.log', 'folders and files, also the log of the Karpenter controller'],
      [
        'aws ec2 get-console-output --instance-id i-0abc --latest --query Output --output text |\n    eks-bootstrap-analyzer analyze -',
        'the console of an instance that nobody can log in to',
      ],
    ],
  },
  {
    name: 'diagnose',
    operands: null,
    help: 'Read the logs of this machine, or of a root folder, and say why the node is not Ready.',
    examples: [
      ['sudo eks-bootstrap-analyzer diagnose', 'on the node, by SSM or SSH'],
      ['diagnose --root /mnt --format json', 'a root volume that is mounted elsewhere'],
    ],
  },
  {
    name: 'watch',
    operands: null,
    help: 'Follow this boot from its beginning until the node is Ready or the deadline is reached, and say what is wrong as soon as it is known. Its options may also stand in /etc/eks-bootstrap-analyzer/environment.',
    examples: [
      ['watch --deadline 10m --log-group /eks/bootstrap', 'as the service does that install.sh of a release sets up'],
    ],
  },
  {
    name: 'check-image',
    operands: '[DIR]',
    help: 'Look whether an image, or the root file system mounted at DIR, holds what the boot of a node will need; runs nothing of it (default: this machine).',
    examples: [['check-image /mnt --instance-types m7g.large,p5.48xlarge', 'an image that is mounted elsewhere']],
  },
  { name: 'patterns list', operands: null, help: 'List every known cause and symptom.', examples: [] },
  {
    name: 'patterns show',
    operands: 'ID',
    help: 'Show all that is known of one cause.',
    examples: [['patterns show swap-enabled', '']],
  },
  {
    name: 'patterns check',
    operands: '[DIR]',
    help: 'Check the pattern files of a folder, samples included (default: /etc/eks-bootstrap-analyzer/patterns.d).',
    examples: [],
  },
  {
    name: 'patterns new',
    operands: 'GROUP/ID',
    help: 'Write GROUP/ID.yaml, a pattern file to be filled in.',
    examples: [['patterns new runtime/registry-mirror-down', '']],
  },
  {
    name: 'probes list',
    operands: null,
    help: 'List the questions that diagnose and watch can ask the node, for --probe, and what each can answer.',
    examples: [],
  },
  {
    name: 'streams list',
    operands: null,
    help: 'List the logs that are told apart, and by what: units, names before a line, files.',
    examples: [],
  },
  {
    name: 'completions',
    operands: 'SHELL',
    help: 'Print what makes a shell complete commands and options: bash, zsh or fish.',
    examples: [
      ['source <(eks-bootstrap-analyzer completions bash)', 'for this bash; zsh takes the same line'],
      ['completions fish | source', 'for this fish'],
    ],
  },
  {
    name: 'version',
    operands: null,
    help: 'Show the version, the digest of the patterns, and the platform.',
    examples: [],
  },
] as const satisfies readonly CommandRule[];

const VERDICTS: readonly CommandName[] = ['analyze', 'diagnose', 'watch'];
const ONE_VERDICT: readonly CommandName[] = ['analyze', 'diagnose'];
/** Commands that may ask the node and ship what they find. */
const ON_NODE: readonly CommandName[] = ['diagnose', 'watch'];
/** What they print has one form. */
export const PLAIN: readonly CommandName[] = ['patterns new', 'completions'];
export const ANSWERS: readonly CommandName[] = COMMANDS.map((command) => command.name).filter(
  (name) => !PLAIN.includes(name),
);

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const OPTIONS: readonly OptionRule[] = [
  {
    name: 'format',
    argument: 'FORMAT',
    default: 'text',
    values: ['text', 'json', 'markdown', 'html', 'aws-checks'],
    help: 'How the answer is written.',
    limited: {
      values: ['markdown', 'html', 'aws-checks'],
      to: ONE_VERDICT,
      help: 'markdown (for a ticket or a chat), html (one page that needs nothing else) and aws-checks (a read-only script for the shell of an administrator, which looks in AWS for what keeps this node out)',
    },
    commands: ANSWERS,
  },
  {
    name: 'output',
    argument: 'FILE',
    default: null,
    values: null,
    help: 'Write the answer to FILE (mode 0600, replaced in one step) instead of standard output; with --each into the folder FILE: one file a capture, and an index.',
    commands: ONE_VERDICT,
  },
  {
    name: 'each',
    argument: null,
    default: null,
    values: null,
    help: 'Take every PATH as a capture of its own, and a folder that is the only PATH, or holds archives, as one capture for each thing that lies in it: a table of all, and how often each cause is there.',
    commands: ['analyze'],
  },
  {
    name: 'jobs',
    argument: 'N',
    default: '1',
    values: null,
    help: 'With --each, how many captures are read at once, each by a process of its own.',
    commands: ['analyze'],
  },
  {
    name: 'root',
    argument: 'DIR',
    default: null,
    values: null,
    help: 'Read the root file system mounted at DIR; the running machine is not asked unless it is the same boot.',
    commands: ['diagnose'],
  },
  {
    name: 'deadline',
    argument: 'DURATION',
    default: '12m',
    values: null,
    help: 'Say the last word this long after boot (such as 90s or 12m); Karpenter and managed node groups give up after 15 minutes.',
    commands: ['watch'],
  },
  {
    name: 'probe',
    argument: 'WHICH',
    default: 'auto',
    values: null,
    help: 'Questions to ask the node: all, none, names separated by commas, or auto: a cheap base set and those that bear on what the logs suggest. "probes list" names them.',
    commands: ON_NODE,
  },
  {
    name: 'deliver',
    argument: 'WHERE',
    default: null,
    values: ['all', 'local', 'none'],
    help: 'Where a verdict goes beside standard output: all is files, CloudWatch and, if that fails, spool and console; local is files alone. Without it all for watch, none for diagnose.',
    commands: ON_NODE,
  },
  {
    name: 'log-group',
    argument: 'NAME',
    default: null,
    values: null,
    help: 'Log group in CloudWatch; without it /eks/bootstrap-analyzer/CLUSTER. With diagnose it needs --deliver all.',
    commands: ON_NODE,
  },
  {
    name: 'create-log-group',
    argument: null,
    default: null,
    values: null,
    help: 'Create the log group if it is missing, where the role of the node allows it; watch does so without being told.',
    commands: ON_NODE,
  },
  {
    name: 'retention-days',
    argument: 'DAYS',
    default: '30',
    values: null,
    help: 'How long a log group that is created here keeps its events.',
    commands: ON_NODE,
  },
  {
    name: 'ship-logs',
    argument: 'WHEN',
    default: 'never',
    values: ['on-failure', 'never'],
    help: 'With --deliver all, ship the redacted logs behind a failure once a boot: at most 1 MiB of lines, those nearest to the evidence first, to the log stream INSTANCE/logs and to /var/lib/eks-bootstrap-analyzer/logs.tar.gz; analyze reads both.',
    commands: ON_NODE,
  },
  {
    name: 'instance-types',
    argument: 'TYPES',
    default: null,
    values: null,
    help: "Instance types, separated by commas, that the image's table of pod limits must know.",
    commands: ['check-image'],
  },
  {
    name: 'redact-identifiers',
    argument: null,
    default: null,
    values: null,
    help: 'Also leave out account ids and addresses.',
    commands: VERDICTS,
  },
  {
    name: 'prefix',
    argument: 'WHEN',
    default: 'auto',
    values: ['auto', 'always', 'never'],
    help: `Start every line of text with "${TOOL_NAME}:", so that no log reader takes it for evidence; auto: where the output ends up in a log of the boot.`,
    commands: VERDICTS,
  },
  {
    name: 'folder',
    argument: 'DIR',
    default: null,
    values: null,
    help: 'Write below DIR; without it below ./patterns if that is there, else below the current directory.',
    commands: ['patterns new'],
  },
  {
    name: 'no-color',
    argument: null,
    default: null,
    values: null,
    help: 'No colour on a terminal (as NO_COLOR=1).',
    commands: VERDICTS,
  },
  {
    name: 'quiet',
    argument: null,
    default: null,
    values: null,
    help: 'No progress on standard error.',
    commands: ONE_VERDICT,
  },
  {
    name: 'help',
    argument: null,
    default: null,
    values: null,
    help: 'Show help, also for one command; -h for short.',
    commands: null,
  },
  {
    name: 'version',
    argument: null,
    default: null,
    values: null,
    help: 'Show the version; -v for short.',
    commands: null,
  },
];

/** What is said of an option where no command is meant. */
export function generalHelp({ help, limited }: OptionRule): string {
  return limited === undefined ? help : `${help} Only ${limited.to.join(' and ')} have ${limited.help}.`;
}

/** The option as one command takes it. */
export function optionFor(command: CommandName, option: OptionRule): OptionRule {
  const { help, values, limited } = option;
  if (limited === undefined || values === null) return option;
  if (limited.to.includes(command)) return { ...option, help: `${help} There are also ${limited.help}.` };
  return { ...option, values: values.filter((value) => !limited.values.includes(value)) };
}

/** `--format FORMAT` */
export function signature(option: OptionRule): string {
  return option.argument === null ? `--${option.name}` : `--${option.name} ${option.argument}`;
}

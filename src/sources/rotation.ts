// Knows how log files are rotated: takes the rotation off a name, and puts inputs in the order in which they were written.

interface Form {
  readonly expression: RegExp;
  /** Larger is younger. */
  readonly age: (groups: Readonly<Record<string, string>>) => number;
}

const byDate: Form['age'] = (groups) =>
  Date.UTC(
    +groups['year']!,
    +groups['month']! - 1,
    +groups['day']!,
    +(groups['hour'] ?? 0),
    +(groups['minute'] ?? 0),
    +(groups['second'] ?? 0),
  );

export const COMPRESSED = /\.(?:gz|zst|xz|bz2)$/;
const FORMS: readonly Form[] = [
  // logrotate: messages.1
  { expression: /^(?<stem>.+)\.(?<number>\d{1,3})$/, age: (groups) => -Number(groups['number']) },
  // lumberjack: ipamd-2025-04-01T00-00-00.000.log
  {
    expression:
      /^(?<stem>.+)-(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d)-(?<minute>\d\d)-(?<second>\d\d)(?:\.\d+)?(?<end>\.\w+)$/,
    age: byDate,
  },
  // logrotate's dateext, kubelet's container logs: messages-20240101, 0.log.20240101-120000, kubelet.log-2024-01-01
  {
    expression:
      /^(?<stem>.+)[-.](?<year>20\d\d)-?(?<month>\d\d)-?(?<day>\d\d)(?:-(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)|-\d+)?$/,
    age: byDate,
  },
  { expression: /^(?<stem>.+)\.(?:old|prev|bak)$/, age: () => -1 },
];

export interface Rotation {
  /** The path without compression and rotation: that of the log that is being written. */
  readonly stem: string;
  /** Larger is younger; the log that is being written is the youngest. */
  readonly age: number;
}

export function rotationOf(path: string): Rotation {
  const plain = path.replace(COMPRESSED, '');
  const slash = plain.lastIndexOf('/') + 1;
  const name = plain.slice(slash);
  for (const { expression, age } of FORMS) {
    const groups = expression.exec(name)?.groups;
    if (groups !== undefined)
      return { stem: plain.slice(0, slash) + groups['stem']! + (groups['end'] ?? ''), age: age(groups) };
  }
  return { stem: plain, age: Infinity };
}

/** Names of inputs that say when the boot began: they are read first, since other inputs are cut by it. */
const BOOT_MARKED = /(?:^|\/)(?:journal|messages|syslog|dmesg|console)[^/]*$|\.journal~?$|console[^/]*\.txt$/;

interface Placed {
  readonly path: string;
  readonly exported: boolean;
}

/** Boot marks first, then by name, rotated files oldest first. */
export function inReadingOrder<T extends Placed>(inputs: readonly T[]): T[] {
  return inputs
    .map((input) => ({
      input,
      late: input.exported || BOOT_MARKED.test(input.path) ? 0 : 1,
      ...rotationOf(input.path),
    }))
    .sort(
      (a, b) =>
        a.late - b.late || compare(a.stem, b.stem) || compare(a.age, b.age) || compare(a.input.path, b.input.path),
    )
    .map(({ input }) => input);
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

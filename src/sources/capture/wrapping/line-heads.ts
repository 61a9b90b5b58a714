// Knows how lines of logs begin, so that a part of a line can be told from a line.

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const STAMPED = [
  String.raw`\{"`,
  String.raw`[IWEFD]\d{4} \d\d:`,
  'time="',
  'level=',
  String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?${MONTH} {1,2}\d{1,2} (?:20\d\d )?\d\d:`,
  String.raw`\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,? ?20\d\d[-/]\d\d[-/]\d\d`,
  String.raw`\[ *\d{1,9}\.\d{3,9}\]`,
  String.raw`1\d{9}\.\d{3}`,
  '__CURSOR=',
  String.raw`SDK 20\d\d/`,
].join('|');
const NAMED = [
  String.raw`\[(?:  OK  | OK |FAILED|DEPEND| TIME | WARN |\*{1,6} *)\] `,
  String.raw`[A-Za-z_(][\w.@()/-]{0,63}\[\d{1,10}\]: `,
  String.raw`(?:kubelet|containerd|nodeadm|systemd|kernel|dockerd|cloud-init|eks-bootstrap-analyzer): `,
  String.raw`(?:debug|info|warn|error|fatal)[\t ]+[\w./-]+\.go:\d`,
  String.raw`(?:Cloud-init v\.|ci-info: |goroutine \d|-- )`,
  String.raw`\++ `,
].join('|');
/** What begins a row of a table of events, and what continues an entry of several lines. */
const PARTS = [
  String.raw`\t`,
  String.raw` >$`,
  '```|~~~',
  String.raw`\s{0,8}(?:Normal|Warning)\s{2,}`,
  'Events:|LAST SEEN',
  String.raw`(?:\d{1,4}[smhd]){1,2}(?: \(x\d+ over \w+\))?\s{2,}`,
  String.raw`"?@?(?:timestamp|time|message)"?,`,
  String.raw`\d{13},"?`,
  String.raw`"20\d\d-\d\d-\d\d`,
].join('|');
/** What stands before every line in quotes, lists, boxes: only beside a line of the same kind is it a mark. */
const MARKS = [
  /^>/,
  /^[│┃║|]/,
  /^[-•*‣◦–] /,
  /^\s{0,8}\d{1,7}:/,
  /^\s{0,8}\d{1,7}\t/,
  /^\s{0,8}\d{1,7}[.)] /,
  /^\[(?:pod\/)?[\w.-]+\//,
  /^\S{1,80}[$#] /,
];

const STAMP = new RegExp(`^(?:${STAMPED})`);
const OWN_HEAD = new RegExp(`^(?:${STAMPED}|${NAMED})`);
const ANY_HEAD = new RegExp(`^(?:${STAMPED}|${NAMED}|${PARTS})`);

/** Does a log line begin here? */
export function hasOwnHead(line: string): boolean {
  return OWN_HEAD.test(line);
}

/** Does a line begin here that gives its time? */
export function hasStamp(line: string): boolean {
  return STAMP.test(line);
}

function isIndentedLike(line: string, before: string): boolean {
  const blanks = /^ */.exec(line)![0].length;
  return blanks >= 2 && blanks >= /^ */.exec(before)![0].length;
}

/** Does a line, or the mark before one, begin here? Only what does not can be the rest of the line that began with `before`. */
export function mayBeginLine(line: string, before: string): boolean {
  return (
    ANY_HEAD.test(line) || MARKS.some((mark) => mark.test(line) && mark.test(before)) || isIndentedLike(line, before)
  );
}

const IN_NAMES = /(?:\b(?:system|node|arn|iam|sts|ec2|sha256|serviceaccount)|\baws[\w-]*):$/;

/** `…: reason` broken by an editor; what has colons without a blank behind them are names, times and addresses. */
export function breaksBehindColon(line: string, next: string): boolean {
  return /[^:\s]:$/.test(line) && /^[a-z](?!\d+[.-])/.test(next) && !IN_NAMES.test(line);
}

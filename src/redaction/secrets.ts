// The kinds of secrets that logs, user data and command lines hold, and how each is found. Every expression takes linear
// time on hostile text: it begins at a fixed text or at the border of a run, and never looks further than a bound.

export interface SecretRule {
  readonly kind: string;
  /** The named group that matched is replaced; without one the whole match. Flags `gd`. */
  readonly regex: RegExp;
  /** Second look at what was found; false leaves it as it is. */
  readonly isSecret?: (secret: string) => boolean;
}

/** A quote as it stands in shell, JSON, or JSON inside JSON. */
const QUOTE = String.raw`(?:\\{0,3}["'])`;
const ASSIGNED = String.raw`${QUOTE}?\s{0,4}[:=]\s{0,4}`;
/** A quoted value up to its closing quote, or a word. */
const VALUE = [
  String.raw`(?:\\{1,3}["'](?<nested>[^"'\\]{1,4096})`,
  String.raw`"(?<double>(?:[^"\\]|\\.){1,4096})`,
  String.raw`'(?<single>[^']{1,4096})`,
  String.raw`(?<bare>(?:[^\s"'\\&;|<>(),}\]]|\\(?!["'nrt])|,(?=[^\s"'])){1,4096}))`,
].join('|');
const PASSWORD = 'passw(?:or)?d|passphrase';
const KEYWORD = 'secret|token|credential|(?:api|license|access|auth|encryption|signing|account|ingest)[_-]?key';

/** Secrets known by their own form. */
export const SHAPES: readonly SecretRule[] = [
  { kind: 'pem', regex: /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/dg },
  { kind: 'eks-token', regex: /k8s-aws-v1\.[\w-]+={0,2}/dg },
  { kind: 'jwt', regex: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/dg },
  { kind: 'aws-access-key', regex: /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  { kind: 'bootstrap-token', regex: /(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w-]|\.\w)/dg, isSecret: (secret) => /\d/.test(secret) },
  { kind: 'api-token', regex: /(?<![\w-])(?:gh[opsu]_|github_pat_|glpat-|xox[abprs]-|sk_live_)[\w-]{16,}/dg },
  { kind: 'base64', regex: /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{80,}={0,2}/dg, isSecret: isBase64 },
];

/** Secrets known by the name before them. */
export const LABELLED: readonly SecretRule[] = [
  {
    kind: 'certificate',
    regex: new RegExp(
      String.raw`(?:certificate-?authority(?:-?data)?|b64[-_]cluster[-_]ca|client-(?:key|certificate)-data|ca-?bundle)${QUOTE}?[\s:=]{1,4}${QUOTE}?(?<secret>[A-Za-z0-9+/]{24,}={0,2})`,
      'gdi',
    ),
  },
  {
    kind: 'aws-signature',
    regex: /X-Amz-(?:Signature|Credential|Security-Token)(?:=|%3D|\\{0,3}["']?\s{0,4}:\s{0,4}\[?\\{0,3}["']?)(?<secret>[^&\s"'\\\]]+)/dgi,
  },
  { kind: 'aws-signature', regex: /(?<![\w-])(?:Credential|Signature)=(?<secret>[^,&\s"'\\]+)/dg },
  {
    kind: 'authorization',
    regex: new RegExp(
      String.raw`authorization${ASSIGNED}\[?${QUOTE}?(?!AWS4-)(?:(?:Bearer|Basic|Negotiate|Token|Digest)\s{1,4})?(?<secret>[^\s"'\\,;\]]{4,})`,
      'gdi',
    ),
    isSecret: isValue,
  },
  { kind: 'authorization', regex: /(?<!\w)Bearer\s{1,4}(?<secret>[\w.~+/=-]{20,})/dgi },
  {
    kind: 'aws-secret-key',
    regex: new RegExp(String.raw`(?:aws[_-]?secret[_-]?access[_-]?key|secret[_-]?access[_-]?key|secretkey)${ASSIGNED}${VALUE}`, 'gdi'),
    isSecret: isValue,
  },
  {
    kind: 'aws-session-token',
    regex: new RegExp(String.raw`(?:aws[_-]?(?:session|security)[_-]?token|session[_-]?token)${ASSIGNED}${VALUE}`, 'gdi'),
    isSecret: isValue,
  },
  { kind: 'password', regex: /\/\/[^\s/@:"']{0,256}:(?<secret>[^\s/"']{1,1024})@/dg, isSecret: isValue },
  { kind: 'password', regex: /(?<!\S)(?:-u|-U|--user|--proxy-user)[ =]["']?[^\s:"']{1,256}:(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  { kind: 'password', regex: /(?<![\w-])[\w-]{1,32}:(?<secret>[^\s:"'|]{1,256})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/dg, isSecret: isValue },
  { kind: 'password', regex: /login\s[^\n|;&]{0,300}?\s-p[ =]?["']?(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  // NAME=value, --name=value and --name value, wherever the name holds a telling word.
  { kind: 'password', regex: new RegExp(String.raw`(?:${PASSWORD})[\w-]{0,40}${QUOTE}?\s{0,4}=\s{0,4}${VALUE}`, 'gdi'), isSecret: isNoSetting },
  { kind: 'secret', regex: new RegExp(String.raw`(?:${KEYWORD})[\w-]{0,40}${QUOTE}?\s{0,4}=\s{0,4}${VALUE}`, 'gdi'), isSecret: isNoNumber },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`(?<!\S)--[a-z-]{0,40}(?:${PASSWORD}|${KEYWORD})\s{1,4}${VALUE}`, 'gdi'),
    isSecret: (value) => isNoNumber(value) && !value.startsWith('-'),
  },
  // name: value, where prose must not be taken for a value.
  {
    kind: 'password',
    regex: new RegExp(String.raw`(?:${PASSWORD})[\w-]{0,40}${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'),
    isSecret: (value) => isNoSetting(value) && !/^[A-Z]?[a-z]+$/.test(value),
  },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`(?:${KEYWORD})${QUOTE}?\s{0,4}:\s{0,4}${QUOTE}?(?<secret>[\w.+=-]{16,512})(?=[\s"'\\,;}\])]|$)`, 'gdi'),
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && isNoSetting(value),
  },
];

/** A shell variable or template instead of a value, a value that is masked already, or one of this module's marks. */
const PLACEHOLDER = /^(?:\$[A-Z_][A-Z0-9_]*|\$(?:[{(].*)?|<[^>]*>|\*+|%[a-z]|\{\{.*|\[redacted:[\w-]+\]?)$/;
/** Settings, paths, and names of Kubernetes objects, which stay so that evidence is readable. */
const SETTING = /^(?:true|false|required|optional|enabled|disabled|null|none|nil|yes|no|unknown|https?:\/\/.*)$/i;
const REFERENCE = /^(?:\/(?:etc|var|run|usr|opt|home|root|tmp|mnt|proc|sys|lib|snap|dev)\/[\w./-]+|[a-z][a-z0-9-]{0,62}\/[a-z][a-z0-9.-]{0,252})$/;

function isValue(value: string): boolean {
  return !PLACEHOLDER.test(value);
}

function isNoSetting(value: string): boolean {
  return isValue(value) && !SETTING.test(value) && !REFERENCE.test(value);
}

/** Words such as "token" also stand in names of limits and ports. */
function isNoNumber(value: string): boolean {
  return isNoSetting(value) && !/^\d{1,6}$/.test(value);
}

/** Long hexadecimal digests and paths are no secrets; base64 of that length mixes all three kinds of characters. */
function isBase64(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

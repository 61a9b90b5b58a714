// The kinds of secrets that logs, user data and command lines hold, and how each is found. Every expression takes linear
// time on hostile text: it begins at a fixed text or at the border of a run, and never looks further than a bound.
import { isBase64, isMixed, isNoNumber, isNoPort, isNoSetting, isNoWord, isValue } from './secret-values.ts';

export interface SecretRule {
  readonly kind: string;
  /** The named group that matched is replaced; without one the whole match. Flags `dg`. */
  readonly regex: RegExp;
  /** Second look at what was found; false leaves it as it is. */
  readonly isSecret?: (secret: string, isQuoted: boolean) => boolean;
}

/** A quote as it stands in shell, JSON, or JSON inside JSON. */
const QUOTE = String.raw`(?:\\{0,3}["'])`;
const GIVES = String.raw`${QUOTE}?\s{0,4}(?:=>?|:=)\s{0,4}`;
const ASSIGNED = String.raw`${QUOTE}?\s{0,4}(?:=>?|:=?)\s{0,4}`;
/** A quoted value up to its closing quote, or a word. The group `bare` alone is not quoted. */
const VALUE = [
  String.raw`(?:\\{1,3}["'](?<nested>[^"'\\]{1,4096})`,
  String.raw`"(?<double>(?:[^"\\]|\\.){1,4096})`,
  String.raw`'(?<single>[^']{1,4096})`,
  String.raw`(?<bare>(?:[^\s"'\\&;|<>(),}\]]|\\(?!["'nrt])|,(?=[^\s"'])){1,4096}))`,
].join('|');
/** What ends a name: no more letters of it, or a tail that makes it the name of a place, a kind or a limit. */
const TAIL = String.raw`(?!s?[_-]?(?:names?|namespace|path|file|dir|ref|url|uri|endpoint|ttl|type|mode|providers?|audiences?|hash)(?![a-z]))[\w-]{0,40}`;
const PASSWORD = String.raw`(?:passw(?:or)?d|passphrase|(?<=[_-])(?:pass|pwd)(?![a-z]))`;
const KEYWORD = '(?:secret|token|credential|(?:api|license|access|auth|encryption|signing|account|ingest|private)[_-]?key)';

/** Secrets known by their own form. */
export const SHAPES: readonly SecretRule[] = [
  { kind: 'pem', regex: /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/dg },
  { kind: 'eks-token', regex: /k8s-aws-v1\.[\w-]+={0,2}/dg },
  { kind: 'jwt', regex: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/dg },
  // JSON in base64: registry passwords, parts of tokens.
  { kind: 'token', regex: /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9+/_-]{21,}={0,2}/dg },
  { kind: 'aws-session-token', regex: /(?<![A-Za-z0-9])(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz|AQoDYXdz)[A-Za-z0-9+/=%_-]{8,}/dg },
  { kind: 'imds-token', regex: /(?<![\w+/-])AQAEA[\w-]{40,}={0,2}/dg },
  { kind: 'aws-secret-key', regex: /A[KS]IA[A-Z0-9]{16}[\s,:;|"'\\=]{1,8}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])/dg },
  { kind: 'aws-access-key', regex: /(?<![A-Za-z0-9])A(?:[KSB]I|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  { kind: 'bootstrap-token', regex: /(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w-]|\.\w)/dg, isSecret: (secret) => /\d/.test(secret) },
  { kind: 'password-hash', regex: /\$(?:1|2[aby]|5|6|7|y|gy)\$[\w./$=,-]{20,}/dg },
  {
    kind: 'api-token',
    regex:
      /(?<![\w-])(?:gh[oprsu]_|github_pat_|gl(?:pat|dt|rt|ptt|ft)-|xox[abeprs]-|xapp-|[rs]k_live_|sk-|npm_|dckr_pat_|hv[bs]\.|tskey-|SG\.|AIza|dop_v1_|pypi-|ya29\.|shpat_)[\w.-]{16,}/dg,
    isSecret: isMixed,
  },
  { kind: 'api-token', regex: /hooks\.slack\.com\/services\/(?<secret>[\w/]{20,})/dg },
  { kind: 'aws-secret-key', regex: /(?<![\w+/=.-])[A-Za-z0-9+/]{40}(?![\w+/=.-])/dg, isSecret: isBase64 },
  { kind: 'base64', regex: /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,}={0,2}/dg, isSecret: isBase64 },
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
    isSecret: isValue,
  },
  { kind: 'aws-signature', regex: /(?<![\w-])(?:Credential|Signature|AWSAccessKeyId)=(?<secret>[^,&\s"'\\]+)/dg, isSecret: isValue },
  {
    kind: 'token',
    regex: /(?<![\w-])x-[a-z0-9-]{0,60}token\\{0,3}["']?\s{0,4}[:=]\s{0,4}\[?\\{0,3}["']?(?<secret>[^\s"'\\,\]&]{8,})/dgi,
    isSecret: isNoNumber,
  },
  {
    kind: 'authorization',
    regex: new RegExp(String.raw`authorization${ASSIGNED}\[?${QUOTE}?(?:Bearer|Basic|Negotiate|NTLM|Token|Digest)\s{1,4}(?<secret>[^\s"'\\,;\]]{4,})`, 'gdi'),
    isSecret: isValue,
  },
  {
    kind: 'authorization',
    regex: new RegExp(
      String.raw`authorization${ASSIGNED}\[?${QUOTE}?(?!AWS4-|\[redacted|(?:Bearer|Basic|Negotiate|NTLM|Token|Digest)\s)(?<secret>[^\s"'\\,;\]]{4,})`,
      'gdi',
    ),
    isSecret: (secret) => isNoWord(secret, false),
  },
  { kind: 'authorization', regex: /(?<!\w)Bearer\s{1,4}(?<secret>[\w.~+/=-]{20,})/dgi },
  { kind: 'cookie', regex: /(?<![\w-])(?:set-)?cookie\\{0,3}["']?\s{0,4}:\s{1,4}\[?\\{0,3}["']?(?<secret>[\w.-]{1,100}=[^\s"'\\]{1,4096})/dgi },
  {
    kind: 'aws-secret-key',
    regex: new RegExp(String.raw`(?:aws[_-]?secret[_-]?access[_-]?key|secret[_-]?access[_-]?key|secretkey)(?:${ASSIGNED}|\s)${VALUE}`, 'gdi'),
    isSecret: isNoWord,
  },
  {
    kind: 'aws-session-token',
    regex: new RegExp(String.raw`(?:aws[_-]?(?:session|security)[_-]?token|session[_-]?token)(?:${ASSIGNED}|\s)${VALUE}`, 'gdi'),
    isSecret: isNoWord,
  },
  // URLs, and proxies without a scheme.
  {
    kind: 'password',
    // At most two further // belong to it: each begins a URL of its own, and the search there would see the same text again.
    regex:
      /\/\/(?!\[redacted:)[^\s/@:"']{0,256}:(?<secret>(?=[^\s"'@])(?:[^\s"'@/]|\/(?!\/)){0,1024}(?:\/\/(?:[^\s"'@/]|\/(?!\/)){0,1024}){0,2}(?:@[^\s"'@/]{1,256}(?=@))?)@/dg,
    isSecret: isNoPort,
  },
  { kind: 'token', regex: /\/\/(?<secret>[^\s/@:"']{20,1024})@/dg, isSecret: isMixed },
  {
    kind: 'password',
    regex: /proxy\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?[\w.\\-]{1,128}:(?<secret>(?:(?!proxy\\{0,3}[:=])[^\s/@"']){1,1024})@/dgi,
    isSecret: isValue,
  },
  // Arguments of well-known programs.
  {
    kind: 'password',
    regex: /(?<!\S)(?:-u|-U|--user|--proxy-user|--creds|--auth)[ =]["']?[^\s:"']{1,256}:(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isNoNumber,
  },
  { kind: 'password', regex: /(?<!\S)-U ["']?[^\s:%"']{1,256}%(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  { kind: 'password', regex: /(?<![\w-])[\w-]{1,32}:(?<secret>[^\s:"'|]{1,256})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/dg, isSecret: isValue },
  {
    kind: 'password',
    regex:
      /(?:echo(?: -[neE]{1,3})?|printf(?: '%s(?:\\n)?'| "%s(?:\\n)?")?|<<<) {1,4}(?:"(?<double>[^"|\n]{1,1024})"|'(?<single>[^'|\n]{1,1024})'|(?<bare>[^\s"'|]{1,1024})) {0,4}\|[^|\n]{0,200}?(?:--password-stdin|--stdin|sudo -S|kinit|realm join)/dg,
    isSecret: isValue,
  },
  { kind: 'password', regex: /--password-stdin[^|\n<]{0,200}<<< {0,4}["']?(?<secret>[^\s"']{1,4096})/dg, isSecret: isValue },
  { kind: 'password', regex: /login\s(?:(?!login\s)[^\n|;&]){0,300}?\s-p[ =]?["']?(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  { kind: 'password', regex: /mysql(?:dump|admin)?\s(?:(?!mysql)[^\n|;&]){0,200}?(?<=\s)-p(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  {
    kind: 'password',
    regex: /(?:sshpass -p|redis-cli (?:[^\n|;&]{0,100} )?-a|useradd [^\n|;&]{0,200}?-p) {0,4}["']?(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isValue,
  },
  { kind: 'password', regex: /-pass(?:in|out)? pass:(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  // NAME=value, --name=value and --name value, wherever the name holds a telling word.
  { kind: 'password', regex: new RegExp(String.raw`${PASSWORD}${TAIL}${GIVES}${VALUE}`, 'gdi'), isSecret: isNoSetting },
  { kind: 'secret', regex: new RegExp(String.raw`${KEYWORD}${TAIL}${GIVES}${VALUE}`, 'gdi'), isSecret: isNoNumber },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`(?<!\S)--[a-z-]{0,40}(?:${PASSWORD}|${KEYWORD})\s{1,4}${VALUE}`, 'gdi'),
    isSecret: (value) => isNoNumber(value) && !value.startsWith('-'),
  },
  // "name": "DB_PASSWORD", "value": "…"
  {
    kind: 'secret',
    regex: new RegExp(
      String.raw`name${QUOTE}?\s{0,4}[:=]\s{0,4}${QUOTE}?[\w.-]{0,60}(?:${PASSWORD}|${KEYWORD})[\w.-]{0,60}${QUOTE}?\s{0,4},\s{0,4}${QUOTE}?value${QUOTE}?\s{0,4}[:=]\s{0,4}${VALUE}`,
      'gdi',
    ),
    isSecret: isNoNumber,
  },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`SecureString${QUOTE}?\s{0,4},\s{0,4}${QUOTE}?value${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'),
    isSecret: isValue,
  },
  { kind: 'secret', regex: new RegExp(String.raw`Secret(?:String|Binary)${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'), isSecret: isValue },
  { kind: 'secret', regex: new RegExp(String.raw`(?<=["'])auth${QUOTE}\s{0,4}:\s{0,4}${VALUE}`, 'gdi'), isSecret: isNoSetting },
  { kind: 'secret', regex: /<[\w:.-]{0,40}(?:password|token|secret)>(?<secret>[^<\n]{1,1024})</dgi, isSecret: isNoSetting },
  // name: value, where prose must not be taken for a value, unless the line holds nothing else.
  {
    kind: 'password',
    regex: new RegExp(String.raw`(?<=^|\n)[ \t]{0,40}(?:- )?["']?[\w.-]{0,40}${PASSWORD}["']?:[ \t]{1,4}(?<secret>[^\s"']{1,1024})[ \t\r]{0,4}(?=$|\n)`, 'gdi'),
    isSecret: isNoSetting,
  },
  { kind: 'password', regex: new RegExp(String.raw`${PASSWORD}${TAIL}${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'), isSecret: isNoWord },
  {
    kind: 'secret',
    regex: new RegExp(
      String.raw`${KEYWORD}${QUOTE}?\s{0,4}:\s{0,4}(?:${QUOTE}(?<quoted>[\w.+=/!@#$%^&*-]{8,512})|(?<secret>[\w.+=-]{16,512})(?=[\s"'\\,;}\])]|$))`,
      'gdi',
    ),
    isSecret: isMixed,
  },
];

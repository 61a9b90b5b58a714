// The kinds of secrets that logs, user data and command lines hold, and how each is found. Every expression takes linear
// time on hostile text: it begins at a fixed text or at the border of a run, and never looks further than a bound.
import { isBase64, isMixed, isNoNumber, isNoPort, isNoProse, isNoSetting, isNoWord, isValue } from './secret-values.ts';
import type { SecretRule } from './secret-rule.ts';
import { VENDOR_TOKENS } from './vendor-tokens.ts';

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
const TAIL = String.raw`(?!s?[_-]?(?:names?|namespace|path|file|dir|ref|url|uri|endpoint|ttl|type|mode|providers?|audiences?|hash)(?![a-z]))(?![\w-]{0,40}[_-](?:ttl|file|path|dir|names?|type|mode|timeout|duration|interval)(?![\w-]))[\w-]{0,40}`;
/** `pass` and its like only as a word of a name: behind a border, `_` or `-`, or a usual word, and before none. */
const PASSWORD = String.raw`(?:passw(?:or)?d|passphrase|(?<![a-z])(?:pass|pwd?|psk)(?![a-z])|(?<=(?<![a-z])(?:root|bind|user|admin|db|my|smtp))(?:pass|pwd?)(?![a-z]))`;
/** Humps stand so close in a hostile line that each looks less far. */
const SHORT_TAIL = TAIL.replaceAll('{0,40}', '{0,20}');
/** The same behind a hump (`dbPass`); case counts. */
const HUMP = '(?<=[a-z0-9])(?:Pass|Pwd?|PW|Psk|PSK|Creds?|Sig)(?![a-z])';
const KEYWORD = [
  '(?:secret|token|credential|(?<![a-z])creds?(?![a-z])|signature|(?<![a-z])sig(?![a-z])|j?sessionid',
  '(?:api|license|access|auth|encryption|signing|account|ingest|private|shared|certificate|client|storage|master)[_-]?key)',
].join('|');

/** Arguments before which no telling name stands, each up to the secret. */
const COMMANDS: readonly string[] = [
  String.raw`sudo {1,4}(?:-\w {1,4}){0,3}-S[^\n<|]{0,80}<<<? {0,4}`,
  String.raw`curl [^\n|;&]{0,150}?(?<= )-u[^\s:"'-][^\s:"']{0,127}:`,
  String.raw`vault {1,4}login {1,4}(?:-[\w-]{1,30}(?:=\S{0,80})? {1,4}){0,4}(?:token=)?`,
  String.raw`htpasswd {1,4}-\w{0,6}b\w{0,6} {1,4}(?:-\w{1,3} {1,4}(?:\d{1,3} {1,4})?){0,3}\S{1,128} {1,4}\S{1,128} {1,4}`,
  String.raw`htpasswd {1,4}-\w{0,6}n\w{0,6} {1,4}\S{1,128} {1,4}`,
  String.raw`rabbitmqctl {1,4}(?:-\w \S{1,80} {1,4})?(?:add_user|change_password|authenticate_user) {1,4}\S{1,128} {1,4}`,
  String.raw`(?:ldap(?:search|add|modify|delete|whoami|passwd)) [^\n|;&]{0,300}?(?<= )-[ws] {0,4}`,
  String.raw`openssl [^\n|;&]{0,200}?(?<= )-(?:k|K|pass) {1,4}(?:pass:)?`,
  String.raw`-(?:storepass|keypass|srcstorepass|deststorepass|certificate-key|passphrase|requirepass|masterauth|secret-access-key|value-from-secret) {1,4}`,
  String.raw`--certificate-key[ =]{1,4}`,
  String.raw`put-(?:parameter|secret-value) [^\n|;&]{0,300}?--(?:value|secret-string)[ =]{1,4}`,
  String.raw`(?:create|update)-secret [^\n|;&]{0,300}?--secret-string[ =]{1,4}`,
  String.raw`smbpasswd [^\n]{0,80}?-s {1,4}`,
  String.raw`(?:psql|pgcli) {1,4}["']?(?:host|dbname|user)=[^\n"']{0,200}?password=`,
  String.raw`nmcli [^\n|;&]{0,200}?(?:password|psk) {1,4}`,
  String.raw`ipmitool [^\n|;&]{0,200}?-P {1,4}`,
  String.raw`expect_password {1,4}`,
];

/** Secrets known by their own form. */
export const SHAPES: readonly SecretRule[] = [
  { kind: 'pem', regex: /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/dg },
  { kind: 'eks-token', regex: /k8s-aws-v1\.[\w-]+={0,2}/dg },
  { kind: 'jwt', regex: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/dg },
  // JSON in base64: registry passwords, parts of tokens.
  { kind: 'token', regex: /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9+/_-]{21,}={0,2}/dg },
  {
    kind: 'aws-session-token',
    regex: /(?<![A-Za-z0-9])(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz|AQoDYXdz)[A-Za-z0-9+/=%_-]{8,}/dg,
  },
  { kind: 'imds-token', regex: /(?<![\w+/-])AQAEA[\w-]{40,}={0,2}/dg },
  {
    kind: 'aws-secret-key',
    regex: /A[KS]IA[A-Z0-9]{16}[\s,:;|"'\\=]{1,8}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])/dg,
  },
  { kind: 'aws-access-key', regex: /(?<![A-Za-z0-9])A(?:[KSB]I|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  {
    kind: 'bootstrap-token',
    regex: /(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w-]|\.\w)/dg,
    isSecret: (secret) => /\d/.test(secret),
  },
  { kind: 'password-hash', regex: /\$(?:1|2[aby]|5|6|7|y|gy)\$[\w./$=,-]{20,}/dg },
  ...VENDOR_TOKENS,
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
    regex:
      /X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)(?:=|%3D|\\{0,3}["']?\s{0,4}:\s{0,4}\[?\\{0,3}["']?)(?<secret>[^&\s"'\\\]]+)/dgi,
    isSecret: isValue,
  },
  {
    kind: 'aws-signature',
    regex: /(?<![\w-])(?:Credential|Signature|AWSAccessKeyId|sig|se_sig)=(?<secret>[^,&\s"'\\]+)/dg,
    isSecret: isValue,
  },
  {
    kind: 'token',
    regex:
      /(?<![\w-])x-[a-z0-9-]{0,60}token\\{0,3}["']?\s{0,4}[:=]\s{0,4}\[?\\{0,3}["']?(?<secret>[^\s"'\\,\]&]{8,})/dgi,
    isSecret: isNoNumber,
  },
  // The header goes whole, whatever its scheme: up to the closing quote, or to the end of the line.
  {
    kind: 'authorization',
    regex: new RegExp(
      String.raw`authorization${ASSIGNED}\[{0,2}(?:\\{0,3}"(?<double>[^"\\]{4,4096})|\\{0,3}'(?<single>[^'\\]{4,4096})|(?!\[redacted)(?<secret>[^\s"'\\\]](?:[^"'\n\]]|(?<=\[redacted:[\w-]{1,30})\]){3,4096}))`,
      'gdi',
    ),
    isSecret: isNoProse,
  },
  { kind: 'authorization', regex: /(?<!\w)Bearer\s{1,4}(?<secret>[\w.~+/=-]{20,})/dgi },
  {
    kind: 'cookie',
    regex:
      /(?<![\w-])(?:set-)?cookie\\{0,3}["']?\s{0,4}:\s{1,4}\[?\\{0,3}["']?(?<secret>[\w.-]{1,100}=[^\s"'\\]{1,4096})/dgi,
  },
  {
    kind: 'aws-secret-key',
    regex: new RegExp(
      String.raw`(?:aws[_-]?secret[_-]?access[_-]?key|secret[_-]?access[_-]?key|secretkey)(?:${ASSIGNED}|\s)${VALUE}`,
      'gdi',
    ),
    isSecret: isNoWord,
  },
  {
    kind: 'aws-session-token',
    regex: new RegExp(
      String.raw`(?:aws[_-]?(?:session|security)[_-]?token|session[_-]?token)(?:${ASSIGNED}|\s)${VALUE}`,
      'gdi',
    ),
    isSecret: isNoWord,
  },
  // URLs, and proxies without a scheme.
  {
    kind: 'password',
    regex: /@(?<=\/\/(?!\[redacted:)[^\s/@:"']{0,256}:(?<secret>[^\s"'@]{1,1024}(?:@[^\s"'@/]{1,256})?)@)/dg,
    isSecret: isNoPort,
  },
  { kind: 'token', regex: /\/\/(?<secret>[^\s/@:"']{20,1024})@/dg, isSecret: isMixed },
  {
    kind: 'password',
    regex: /@(?<=proxy\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?[\w.\\-]{1,128}:(?<secret>[^\s/@"']{1,1024})@)/dgi,
    isSecret: isValue,
  },
  // Arguments of well-known programs.
  {
    kind: 'password',
    regex: /(?<!\S)(?:-u|-U|--user|--proxy-user|--creds|--auth)[ =]["']?[^\s:"']{1,256}:(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isNoNumber,
  },
  { kind: 'password', regex: /(?<!\S)-U ["']?[^\s:%"']{1,256}%(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  {
    kind: 'password',
    regex: /(?<![\w-])[\w-]{1,32}:(?<secret>[^\s:"'|]{1,256})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex:
      /(?:echo(?: -[neE]{1,3})?|printf(?: '%s(?:\\n)?'| "%s(?:\\n)?")?|<<<) {1,4}(?:"(?<double>[^"|\n]{1,1024})"|'(?<single>[^'|\n]{1,1024})'|(?<bare>[^\s"'|]{1,1024})) {0,4}\|[^|\n]{0,200}?(?:--password-stdin|--stdin|--with-token|sudo -S|kinit|realm join|(?<!ch)passwd|(?<=docker |podman |helm |az |oc )login|cryptsetup|gpg|ssh-add|smbpasswd|vault write)/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex: /--password-stdin[^|\n<]{0,200}<<< {0,4}["']?(?<secret>[^\s"']{1,4096})/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex: /login\s(?:(?!login\s)[^\n|;&]){0,300}?\s-p[ =]?["']?(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex: /mysql(?:dump|admin)?\s(?:(?!mysql)[^\n|;&]){0,200}?(?<=\s)-p(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex:
      /(?:sshpass -p|redis-cli (?:[^\n|;&]{0,100} )?-a|useradd [^\n|;&]{0,200}?-p) {0,4}["']?(?<secret>[^\s"']{1,1024})/dg,
    isSecret: isValue,
  },
  { kind: 'password', regex: /-pass(?:in|out)? {1,4}["']?pass:(?<secret>[^\s"']{1,1024})/dg, isSecret: isValue },
  // The secret is an argument that no name stands before.
  ...COMMANDS.map((command): SecretRule => ({
    kind: 'password',
    regex: new RegExp(
      String.raw`(?<![\w-])${command}(?:"(?<double>[^"\n]{1,1024})|'(?<single>[^'\n]{1,1024})|(?<secret>[^\s"'|;&<>]{1,1024}))`,
      'dg',
    ),
    isSecret: (secret) => isValue(secret) && !secret.startsWith('-'),
  })),
  // user:secret@tcp(host)/db, machine HOST login USER password SECRET
  {
    kind: 'password',
    regex: /@(?:tcp|unix|udp)\((?<=(?<![\w/])[\w.-]{1,128}:(?<secret>[^\s"'@]{1,1024})@\w{3,4}\()/dg,
    isSecret: isValue,
  },
  {
    kind: 'password',
    regex:
      /(?:login|machine) {1,4}\S{1,256}\s{1,8}(?:account {1,4}\S{1,256}\s{1,8})?password {1,4}(?<secret>\S{1,1024})/dg,
    isSecret: isValue,
  },
  // The list of cloud-init's chpasswd, as YAML or as the shell's here document.
  {
    kind: 'password',
    regex:
      /(?<=[\s"'|>-])[a-z_][a-z0-9_-]{0,31}:(?<=chpasswd\b[\s\S]{0,100})(?!\/\/)(?<secret>[^\s"':,|]{3,1024})(?![\w.]*:)/dg,
    isSecret: isNoSetting,
  },
  // NAME=value, --name=value and --name value, wherever the name holds a telling word.
  { kind: 'password', regex: new RegExp(String.raw`${PASSWORD}${TAIL}${GIVES}${VALUE}`, 'gdi'), isSecret: isNoNumber },
  { kind: 'secret', regex: new RegExp(String.raw`${KEYWORD}${TAIL}${GIVES}${VALUE}`, 'gdi'), isSecret: isNoNumber },
  { kind: 'secret', regex: new RegExp(String.raw`${HUMP}${SHORT_TAIL}${ASSIGNED}${VALUE}`, 'gd'), isSecret: isNoWord },
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
    regex: new RegExp(
      String.raw`SecureString${QUOTE}?\s{0,4},\s{0,4}${QUOTE}?value${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`,
      'gdi',
    ),
    isSecret: isValue,
  },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`Secret(?:String|Binary)${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'),
    isSecret: isValue,
  },
  {
    kind: 'secret',
    regex: new RegExp(String.raw`(?<=["'])auth${QUOTE}\s{0,4}:\s{0,4}${VALUE}`, 'gdi'),
    isSecret: isNoSetting,
  },
  {
    kind: 'secret',
    regex: /<[\w:.-]{0,40}(?:password|token|secret)>(?<secret>[^<\n]{1,1024})</dgi,
    isSecret: isNoSetting,
  },
  // name: value, where prose must not be taken for a value, unless the line holds nothing else.
  {
    kind: 'password',
    regex: new RegExp(
      String.raw`(?<=^|\n)[ \t]{0,40}(?:- )?["']?[\w.-]{0,40}${PASSWORD}["']?:[ \t]{1,4}(?<secret>[^\s"']{1,1024})[ \t\r]{0,4}(?=$|\n)`,
      'gdi',
    ),
    isSecret: isNoSetting,
  },
  {
    kind: 'password',
    regex: new RegExp(String.raw`${PASSWORD}${TAIL}${QUOTE}?\s{0,4}:\s{0,4}${VALUE}`, 'gdi'),
    isSecret: isNoWord,
  },
  {
    kind: 'secret',
    regex: new RegExp(
      String.raw`${KEYWORD}${QUOTE}?\s{0,4}:\s{0,4}(?:${QUOTE}(?<quoted>[\w.+=/!@#$%^&*-]{8,512})|(?<secret>[\w.+=-]{16,512})(?=[\s"'\\,;}\])]|$))`,
      'gdi',
    ),
    isSecret: isMixed,
  },
];

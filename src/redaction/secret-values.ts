// Tells a secret from what only stands where one could stand: placeholders, settings, paths, names, words of a sentence.

/** A shell variable or template instead of a value, a value that is masked already, or one of this module's marks. */
const PLACEHOLDER =
  /^(?:\$[A-Z_][A-Z0-9_]*|\$(?:[{(].*)?|<[^>]*>|\*+|x{3,}|%[a-z]|\{\{.*|\[?redacted:[\w-]+\]?|(?:redacted|masked|hidden)\W?)$/i;
/** Settings, paths, and names of Kubernetes objects, which stay so that evidence is readable. */
const SETTING = /^(?:true|false|required|optional|enabled|disabled|null|none|nil|yes|no|unknown|https?:\/\/.*)[.,;]?$/i;
const REFERENCE =
  /^(?:\/|\/(?:etc|var|run|usr|opt|home|root|tmp|mnt|proc|sys|lib|snap|dev)\/[\w./-]+|[a-z][a-z0-9-]{0,62}\/[a-z][a-z0-9.-]{0,252})$/;
const WORD = /^(?:[A-Za-z]?[a-z]+[.:;]?|[A-Z]+:)$/;

export function isValue(value: string): boolean {
  return !PLACEHOLDER.test(value) && !/^[\w.-]{1,64}:\[redacted:[\w-]+\]?$/.test(value);
}

export function isNoSetting(value: string): boolean {
  return isValue(value) && !SETTING.test(value) && !REFERENCE.test(value);
}

/** Words such as "token" also stand in names of limits and ports, `user` before a pair of numbers. */
export function isNoNumber(value: string): boolean {
  return isNoSetting(value) && !/^\d{1,6}$/.test(value);
}

/** Prose goes on after a colon ("password: incorrect"); what is quoted is a value. */
export function isNoWord(value: string, isQuoted: boolean): boolean {
  return isNoSetting(value) && (isQuoted || !WORD.test(value));
}

/** Digits and letters, as what a machine made. */
export function isMixed(value: string): boolean {
  return isNoSetting(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Host and port are no user and password, however the path goes on. */
export function isNoPort(value: string): boolean {
  return isValue(value) && !/^\d{1,5}(?:\/|$)/.test(value);
}

const LONG_CHARS = 80;
const FEW = 6;

/** Long hexadecimal digests and paths are no secrets; base64 mixes all three kinds of characters, and a line of a key many of each. */
export function isBase64(run: string): boolean {
  const least = run.length >= LONG_CHARS ? 1 : FEW;
  return count(run, /[a-z]/g) >= least && count(run, /[A-Z]/g) >= least && count(run, /\d/g) >= Math.min(least, 2);
}

function count(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0;
}

const SCHEME = /^(?:bearer|basic|digest|negotiate|ntlm|token|apikey|key|aws4?(?:-[\w-]+)?)$/i;
const PROSE = /^\W{0,3}[A-Za-z]?[a-z'_-]*\W{0,3}$/;

/** A header holds a scheme and what is no plain word; a sentence about authorization does not. */
export function isNoProse(value: string, isQuoted: boolean): boolean {
  const [first = '', ...rest] = value.trim().split(/\s+/);
  if (rest.length === 0) return isNoWord(first, isQuoted);
  return isValue(first) && (SCHEME.test(first) || !rest.every((word) => PROSE.test(word)));
}

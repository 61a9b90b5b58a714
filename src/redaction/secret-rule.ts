// How a kind of secret is found. Holds no behaviour.

export interface SecretRule {
  readonly kind: string;
  /** The named group that matched is replaced; without one the whole match. Flags `dg`. */
  readonly regex: RegExp;
  /** Second look at what was found; false leaves it as it is. */
  readonly isSecret?: (secret: string, isQuoted: boolean) => boolean;
}

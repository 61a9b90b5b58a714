// Replaces account ids and addresses by names that are the same wherever the same one stands. Only where it is asked for:
// they are no secrets, and an operator needs them. Addresses that are the same on every node stay.

const ACCOUNT = /(?<![\w.-])(?<account>\d{12})(?![\w-]|\.\d)/g;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`(?<![\\w.-])(?<ip>${OCTET}(?:\\.${OCTET}){3})(?![\\w-]|\\.\\d)`, 'g');
/** `ip-10-0-1-17` and `ec2-3-4-5-6` in names of hosts. */
const IN_HOST = new RegExp(`(?<![\\w])(?:ip|ec2)-(?<ip>${OCTET}(?:-${OCTET}){3})(?![\\w-])`, 'g');
const IPV6 =
  /(?<![\w:.])(?<ip>(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){1,7}:|::(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})(?![\w:])/gi;
/** Loopback, unspecified and masks, and what link-local addresses AWS gives its services on every instance. */
const EVERYWHERE = /^(?:127\.|0\.0\.0\.0$|255\.|169\.254\.(?:169\.\d+|170\.\d+)$|::1?$|fd00:ec2:)/i;

type Kind = 'account' | 'ip';

/** One for a verdict: names are given in order of appearance, so that they tell nothing of what they stand for. */
export function createIdentifierMask(): (text: string) => string {
  const names = new Map<string, string>();
  const given: Record<Kind, number> = { account: 0, ip: 0 };
  const nameOf = (kind: Kind, value: string): string => {
    let name = names.get(value);
    if (name === undefined) {
      name = `[redacted:${kind}-${++given[kind]}]`;
      names.set(value, name);
    }
    return name;
  };
  const addressOf = (whole: string, value: string): string =>
    EVERYWHERE.test(value) ? whole : nameOf('ip', value.toLowerCase());
  return (text) =>
    text
      .replace(ACCOUNT, (account) => nameOf('account', account))
      .replace(IN_HOST, (whole, ip: string) => addressOf(whole, ip.replaceAll('-', '.')))
      .replace(IPV4, (whole, ip: string) => addressOf(whole, ip))
      .replace(IPV6, (whole, ip: string) => addressOf(whole, ip));
}

// Fills `{placeholders}`. In prose any captured value may stand; in a command only a value that fits the declared type of
// its name, quoted for the shell. Everything else becomes a word in upper case, which no shell takes for a redirection.

const TYPES: Readonly<Record<string, RegExp>> = {
  account: /^\d{12}$/,
  action: /^[a-z0-9-]{2,40}:[A-Za-z]{3,80}$/,
  ami_id: /^ami-[0-9a-f]{8,17}$/,
  availability_zone: /^[a-z]{2,4}(?:-[a-z0-9]+){2,5}$/,
  bucket: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  cluster: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
  dns_suffix: /^[a-z0-9-]{2,20}(?:\.[a-z0-9-]{2,20}){1,3}$/,
  endpoint_host: /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,20}$/,
  host: /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/,
  image: /^[a-z0-9][\w./:@-]{0,254}$/,
  instance_id: /^i-[0-9a-f]{8,17}$/,
  instance_type: /^[a-z][a-z0-9-]{1,20}\.[a-z0-9-]{1,20}$/,
  kubelet_version: /^v?\d+\.\d+\.\d+$/,
  node_name: /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
  partition: /^aws(?:-[a-z]+){0,3}$/,
  path: /^\/[\w.@/+-]{1,254}$/,
  private_dns_name: /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
  region: /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d$/,
  registry: /^[a-z0-9](?:[a-z0-9.-]{2,251}[a-z0-9])$/,
  role_arn: /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
  role_name: /^\w[\w+=,.@-]{0,63}$/,
  subnet_id: /^subnet-[0-9a-f]{8,17}$/,
  unit: /^[A-Za-z0-9][\w.@:-]{0,80}\.(?:service|mount|socket|target|timer)$/,
  vpc_id: /^vpc-[0-9a-f]{8,17}$/,
};
const SHELL_SAFE = /^[\w@%+=:,./-]+$/;
const PLACEHOLDER = /(?<!\{)\{(?<name>[a-z][a-z0-9_]*)\}(?!\})/g;
const PARENTHESIS = / \([^()]*\{[a-z][a-z0-9_]*\}[^()]*\)/g;
const PROSE_VALUE_MAX = 200;

/** What is not known is for the reader to fill in: `{cluster}` becomes CLUSTER_NAME. */
function gap(name: string): string {
  return name === 'cluster' ? 'CLUSTER_NAME' : name.toUpperCase();
}

export type Values = ReadonlyMap<string, string>;

/** A parenthesis of which nothing is known is left out. */
export function fillProse(template: string, values: Values): string {
  const said = template.replace(PARENTHESIS, (part) =>
    [...part.matchAll(PLACEHOLDER)].some((match) => values.has(match.groups!['name']!)) ? part : '',
  );
  return said.replace(PLACEHOLDER, (_all, name: string) => {
    const value = values.get(name);
    if (value === undefined) return gap(name);
    return value.length > PROSE_VALUE_MAX ? `${value.slice(0, PROSE_VALUE_MAX)}…` : value;
  });
}

export function fillCommand(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_all, name: string) => {
    const value = values.get(name);
    if (value === undefined || TYPES[name]?.test(value) !== true || value.includes('..')) return gap(name);
    return SHELL_SAFE.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
  });
}

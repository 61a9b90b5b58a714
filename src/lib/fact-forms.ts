// What a named fact must look like to be believed in a command, a name or a metric. All of it is hostile text until it fits.

export const FACT_FORMS: Readonly<Record<string, RegExp>> = {
  account: /^\d{12}$/,
  action: /^[a-z0-9-]{2,40}:[A-Za-z]{3,80}$/,
  ami_id: /^ami-[0-9a-f]{8,17}$/,
  availability_zone: /^[a-z]{2,4}(?:-[a-z0-9]+){2,5}$/,
  bucket: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  capacity_type: /^(?:on-demand|spot|reserved|capacity-block)$/,
  cluster: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
  dns_suffix: /^[a-z0-9-]{2,20}(?:\.[a-z0-9-]{2,20}){1,3}$/,
  endpoint_host: /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,20}$/,
  host: /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/,
  image: /^[a-z0-9][\w./:@-]{0,254}$/,
  instance_id: /^i-[0-9a-f]{8,17}$/,
  instance_type: /^[a-z][a-z0-9-]{1,20}\.[a-z0-9-]{1,20}$/,
  kubelet_version: /^v?\d+\.\d+\.\d+$/,
  node_name: /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
  /** A label's value. */
  node_pool: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
  partition: /^aws(?:-[a-z]+){0,3}$/,
  path: /^\/[\w.@/+-]{1,254}$/,
  private_dns_name: /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
  region: /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d$/,
  registry: /^[a-z0-9](?:[a-z0-9.-]{2,251}[a-z0-9])$/,
  role_arn: /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
  role_name: /^\w[\w+=,.@-]{0,63}$/,
  security_group: /^sg-[0-9a-f]{8,17}$/,
  subnet_id: /^subnet-[0-9a-f]{8,17}$/,
  unit: /^[A-Za-z0-9][\w.@:-]{0,80}\.(?:service|mount|socket|target|timer)$/,
  vpc_id: /^vpc-[0-9a-f]{8,17}$/,
};

/** False also for a name that has no form. */
export function fitsForm(name: string, value: string): boolean {
  return FACT_FORMS[name]?.test(value) === true;
}

/** May it stand in a command? */
export function hasForm(name: string, value: string): boolean {
  return fitsForm(name, value) && !value.includes('..');
}

/** What stands in templates and manuals for a value that somebody forgot to put in. */
const PLACEHOLDERS: readonly RegExp[] = [
  /[<>{}]|^[$%]/,
  /^(?:(?:my|your|the|eks|k8s|example|replace|with|me)[-_]?){0,3}cluster[-_]?name$/i,
  /^(?:[A-Z0-9]+_)*CLUSTER(?:_[A-Z0-9]+)*$/,
];

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDERS.some((expression) => expression.test(value));
}

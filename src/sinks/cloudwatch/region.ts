// Which region the log service is asked in: what the environment says, what is known of the node, else the instance
// metadata service by IMDSv2.
import type { Limits, Network } from '../../host/network/network.ts';

const METADATA_ENDPOINTS = { ipv4: 'http://169.254.169.254', ipv6: 'http://[fd00:ec2::254]' };
const REGION = /^[a-z]{2,8}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;
const TOKEN_SECONDS = '60';

/** Null: nobody knows it, or what is known is no name of a region. @throws NetworkError if the metadata service does not answer */
export async function findRegion(
  environment: Readonly<Record<string, string | undefined>>,
  known: string | null,
  network: Network,
  limits: Limits,
): Promise<string | null> {
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || known || (await askMetadata(network, limits));
  return REGION.test(region) ? region : null;
}

async function askMetadata(network: Network, limits: Limits): Promise<string> {
  const mode = network.environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6' ? 'ipv6' : 'ipv4';
  const endpoint = URL.parse(network.environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? '') ?? new URL(METADATA_ENDPOINTS[mode]);
  const common = { host: endpoint.hostname.replaceAll(/^\[|\]$/g, ''), port: Number(endpoint.port || 80), trust: null, proxy: null, ...limits };
  const token = await network.request({
    ...common,
    method: 'PUT',
    path: '/latest/api/token',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS, 'content-length': '0' },
  });
  if (token.status !== 200) return '';
  const headers = { 'x-aws-ec2-metadata-token': token.body.trim() };
  const region = await network.request({ ...common, method: 'GET', path: '/latest/meta-data/placement/region', headers });
  return region.status === 200 ? region.body.trim() : '';
}

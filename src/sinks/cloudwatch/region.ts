// Which region the log service is asked in: what the environment says, what is known of the node, else the instance metadata service.
import { openMetadata } from '../../aws/instance-metadata.ts';
import { isRegion } from '../../aws/partitions.ts';
import type { Network } from '../../host/network/network.ts';

/** Null: nobody knows it, or what is known is no name of a region. @throws MetadataError, NetworkError `aborted` */
export async function findRegion(
  environment: Readonly<Record<string, string | undefined>>,
  known: string | null,
  network: Network,
  signal: AbortSignal,
): Promise<string | null> {
  const region =
    environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || known || (await askMetadata(network, signal));
  return isRegion(region) ? region : null;
}

async function askMetadata(network: Network, signal: AbortSignal): Promise<string> {
  const metadata = await openMetadata(network, signal);
  return (await metadata.get('meta-data/placement/region'))?.trim() ?? '';
}

// The AWS endpoints and the cluster's own as the probes meet them: names, packets, certificates.
import { CLUSTER_ADDRESS, CLUSTER_HOST, ENDPOINT_ADDRESS, endpointOf } from '../vpc.ts';
import { describe } from 'node:test';
import { FETCHING_FOR_EVER, nodeForTests, testTroubles, UNREGISTERED } from './nodes.ts';
import { all, command, dropped, file, names, refused, vpc } from './troubles.ts';

const EC2 = endpointOf('ec2');
const ECR = endpointOf('ecr-api');
const NAMES = [EC2, ECR];

describe('of AWS, on a node that asks EC2 and waits', () => {
  testTroubles(nodeForTests(FETCHING_FOR_EVER), [
    {
      title: 'everything answers: the silence of nodeadm has another reason',
      make: vpc({}),
      cause: 'low ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'ok', 'logs-reachable': 'ok' },
    },
    {
      title: 'packets are dropped',
      make: dropped(ENDPOINT_ADDRESS),
      cause: 'high ec2-api-unreachable',
      codes: {
        'ec2-api-reachable': 'connect-timeout',
        'sts-reachable': 'connect-timeout',
        'credentials-usable': 'connect-timeout',
      },
    },
    {
      title: 'a firewall refuses',
      make: refused(ENDPOINT_ADDRESS),
      cause: 'high ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'connect-refused' },
    },
    {
      title: 'the way leads nowhere',
      make: file('/etc/hosts', (text) => text.replaceAll(ENDPOINT_ADDRESS, '192.0.2.1')),
      cause: 'high ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'connect-timeout' },
    },
    {
      title: 'there is no default route',
      make: all(
        file('/etc/hosts', (text) => text.replaceAll(ENDPOINT_ADDRESS, '192.0.2.1')),
        command('ip route del default', 'ip route add default via 10.0.0.1 dev lo src 10.0.1.23'),
      ),
      cause: 'high ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'no-route', 'default-route-present': 'no-default-route' },
    },
    {
      title: 'the TLS handshake is not answered',
      make: vpc({ faults: { [EC2]: 'silent' } }),
      cause: 'high ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'tls-timeout', 'sts-reachable': 'ok' },
    },
    {
      title: 'the TLS handshake is cut',
      make: vpc({ faults: { [EC2]: 'cut' } }),
      cause: 'high ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'connection-reset' },
    },
    {
      title: 'a proxy in between shows its own certificate',
      make: vpc({ faults: { [EC2]: 'wrong-ca' } }),
      cause: 'medium ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'tls-unknown-ca' },
    },
    {
      title: 'the certificate is one for another name',
      make: vpc({ faults: { [EC2]: 'wrong-name' } }),
      cause: 'medium ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'tls-name-mismatch' },
    },
    {
      title: 'the certificate has expired',
      make: vpc({ faults: { [EC2]: 'expired' } }),
      cause: 'medium ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'tls-expired' },
    },
    {
      title: 'the certificate is not valid yet',
      make: vpc({ faults: { [EC2]: 'not-yet-valid' } }),
      cause: 'medium ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'tls-not-yet-valid' },
    },
    {
      title: 'the name server answers',
      make: names(NAMES, { '*': [ENDPOINT_ADDRESS] }),
      cause: 'low ec2-api-unreachable',
      codes: { 'ec2-api-reachable': 'ok', 'ecr-api-reachable': 'ok' },
    },
    {
      title: 'the name server is silent',
      make: names(NAMES, { '*': 'silent' }),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'dns-timeout', 'ecr-api-reachable': 'dns-timeout' },
    },
    {
      title: 'the name server knows no name',
      make: names(NAMES, { '*': 'nxdomain' }),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'dns-not-found' },
    },
    {
      title: 'the name server fails',
      make: names(NAMES, { '*': 'servfail' }),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'dns-failed' },
    },
    {
      title: 'the name server refuses',
      make: names(NAMES, { '*': 'refused' }),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'dns-failed' },
    },
    {
      title: 'nobody listens where the name server should be',
      make: names(NAMES, null),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'no-resolver' },
    },
    {
      title: 'no name server is configured',
      make: all(
        names(NAMES, null),
        file('/etc/resolv.conf', () => ''),
      ),
      cause: 'high dns-resolution-failed',
      codes: { 'ec2-api-reachable': 'no-resolver' },
    },
  ]);
});

describe("the cluster's, on a node whose kubelet runs and does not register", () => {
  testTroubles(nodeForTests(UNREGISTERED), [
    {
      title: 'packets are dropped',
      make: dropped(CLUSTER_ADDRESS),
      cause: 'high api-server-unreachable',
      codes: { 'cluster-endpoint-reachable': 'connect-timeout', 'node-registered': 'connect-timeout' },
    },
    {
      title: 'a firewall refuses',
      make: refused(CLUSTER_ADDRESS),
      cause: 'high api-server-unreachable',
      codes: { 'cluster-endpoint-reachable': 'connect-refused' },
    },
    {
      title: 'the TLS handshake is not answered',
      make: vpc({ faults: { [CLUSTER_HOST]: 'silent' } }),
      cause: 'high api-server-unreachable',
      codes: { 'cluster-endpoint-reachable': 'tls-timeout' },
    },
    {
      title: 'its certificate is of another cluster',
      make: vpc({ faults: { [CLUSTER_HOST]: 'wrong-ca' } }),
      cause: 'high cluster-ca-mismatch',
      codes: { 'cluster-endpoint-reachable': 'tls-unknown-ca' },
    },
    {
      title: 'its certificate is one for another name',
      make: vpc({ faults: { [CLUSTER_HOST]: 'wrong-name' } }),
      cause: 'high cluster-ca-mismatch',
      codes: { 'cluster-endpoint-reachable': 'tls-name-mismatch' },
    },
    {
      title: 'its certificate has expired',
      make: vpc({ faults: { [CLUSTER_HOST]: 'expired' } }),
      cause: 'none, stalled',
      codes: { 'cluster-endpoint-reachable': 'tls-expired' },
    },
    {
      title: 'its certificate is not valid yet',
      make: vpc({ faults: { [CLUSTER_HOST]: 'not-yet-valid' } }),
      cause: 'none, stalled',
      codes: { 'cluster-endpoint-reachable': 'tls-not-yet-valid' },
    },
    {
      title: 'its name does not exist',
      make: names([CLUSTER_HOST], { '*': 'nxdomain' }),
      cause: 'high api-server-dns-failed',
      codes: { 'cluster-endpoint-reachable': 'dns-not-found' },
    },
    {
      title: 'the name server is silent',
      make: names([CLUSTER_HOST], { '*': 'silent' }),
      cause: 'high api-server-dns-failed',
      codes: { 'cluster-endpoint-reachable': 'dns-timeout' },
    },
  ]);
});

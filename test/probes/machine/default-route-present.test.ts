import { defaultRoutePresent } from '../../../src/probes/machine/default-route-present.ts';
import { testCases } from '../fakes.ts';

const HEADER = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const LOCAL = 'ens5\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n';
const ZERO = '00000000000000000000000000000000';
const LO = `${ZERO} 00 ${ZERO} 00 ${ZERO} ffffffff 00000001 00000000 00200200       lo\n`;

testCases(defaultRoutePresent, [
  {
    title: 'IPv4',
    files: { '/proc/net/route': `${HEADER}ens5\t00000000\t010200C0\t0003\t0\t0\t512\t00000000\t0\t0\t0\n${LOCAL}` },
    gives: [{ outcome: 'ok', code: 'ok', facts: { gateway: '192.0.2.1', interface: 'ens5' } }],
  },
  {
    title: 'IPv6 alone',
    files: {
      '/proc/net/route': HEADER + LOCAL,
      '/proc/net/ipv6_route': `${LO}${ZERO} 00 ${ZERO} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00450003     ens5\n`,
    },
    gives: [
      { outcome: 'ok', code: 'ok', facts: { gateway: 'fe80:0000:0000:0000:0000:0000:0000:0001', interface: 'ens5' } },
    ],
  },
  {
    title: 'only the subnet, and what the kernel refuses',
    files: { '/proc/net/route': HEADER + LOCAL, '/proc/net/ipv6_route': LO },
    gives: [{ outcome: 'fail', code: 'no-default-route', facts: {} }],
  },
  {
    title: 'a route that is down',
    files: { '/proc/net/route': `${HEADER}ens5\t00000000\t010200C0\t0002\t0\t0\t512\t00000000\t0\t0\t0\n` },
    gives: [{ outcome: 'fail', code: 'no-default-route', facts: {} }],
  },
]);

import { cniBinariesPresent } from '../../src/probes/components/cni-binaries-present.ts';
import { cniConfigPresent } from '../../src/probes/components/cni-config-present.ts';
import { ipamdAnswering } from '../../src/probes/components/ipamd-answering.ts';
import { testCases, waiting } from './fakes.ts';

const AWS = '/etc/cni/net.d/10-aws.conflist';
const AWS_CONFIG = '{"cniVersion":"0.4.0","plugins":[{"type":"aws-cni"},{"type":"portmap"}]}';
const CILIUM = { '/etc/cni/net.d/05-cilium.conflist': '{"plugins":[{"type":"cilium-cni"}]}' };

testCases(cniConfigPresent, [
  {
    title: 'the first by name',
    files: { [AWS]: AWS_CONFIG, '/etc/cni/net.d/README': '' },
    gives: [{ outcome: 'ok', code: 'ok', facts: { path: AWS } }],
  },
  { title: 'no folder', gives: [{ outcome: 'fail', code: 'config-missing', facts: { path: '/etc/cni/net.d' } }] },
]);

testCases(cniBinariesPresent, [
  {
    title: 'those of the configuration',
    files: { [AWS]: AWS_CONFIG, '/opt/cni/bin/aws-cni': '', '/opt/cni/bin/portmap': '', '/opt/cni/bin/loopback': '' },
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'each that is missing',
    files: { [AWS]: AWS_CONFIG, '/opt/cni/bin/portmap': '' },
    gives: ['loopback', 'aws-cni'].map((name) => ({
      outcome: 'fail',
      code: 'binary-missing',
      facts: { path: `/opt/cni/bin/${name}` },
    })),
  },
  {
    title: 'a configuration that names no program',
    files: { [AWS]: '{"plugins":[{"type":"../../x"},7]', '/opt/cni/bin/loopback': '' },
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
]);

testCases(ipamdAnswering, [
  {
    title: 'introspection switched off, metrics on',
    files: { [AWS]: AWS_CONFIG },
    system: {
      askLoopback: async (port) => (port === 61678 ? { kind: 'answered', status: 200, body: '' } : { kind: 'refused' }),
    },
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  { title: 'nobody listens, no configuration yet', gives: [{ outcome: 'fail', code: 'refused', facts: {} }] },
  {
    title: 'an error',
    system: {
      askLoopback: async (port) => (port === 61679 ? { kind: 'answered', status: 503, body: '' } : { kind: 'refused' }),
    },
    gives: [{ outcome: 'fail', code: 'error', facts: { status: 503 } }],
  },
  {
    title: 'another CNI',
    files: CILIUM,
    gives: [{ outcome: 'skipped', code: 'not-used', facts: { path: '/etc/cni/net.d/05-cilium.conflist' } }],
  },
  {
    title: 'silence',
    system: { askLoopback: (_port, _path, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);

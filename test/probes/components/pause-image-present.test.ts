import { pauseImagePresent } from '../../../src/probes/components/pause-image-present.ts';
import { testCases, waiting } from '../fakes.ts';

const ECR = '602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5';
const CONFIG = '/etc/containerd/config.toml';

function images(...list: string[]) {
  return { runTool: async () => ({ exitCode: 0, stdout: `${list.join('\n')}\n`, stderr: '' }) };
}

testCases(pauseImagePresent, [
  {
    title: 'the configured one',
    files: { [CONFIG]: `[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "${ECR}"\n` },
    system: images('sha256:0a1b', ECR),
    gives: [{ outcome: 'ok', code: 'ok', facts: { image: ECR } }],
  },
  {
    title: 'one without a tag, as containerd 2 pins it',
    files: {
      [CONFIG]: "[plugins.'io.containerd.cri.v1.images'.pinned_images]\nsandbox = 'localhost/kubernetes/pause'\n",
    },
    system: images('localhost/kubernetes/pause:latest'),
    gives: [{ outcome: 'ok', code: 'ok', facts: { image: 'localhost/kubernetes/pause:latest' } }],
  },
  {
    title: 'another version than the configured one',
    files: { [CONFIG]: `sandbox_image = "${ECR}"\n` },
    system: images(ECR.replace('3.5', '3.1')),
    gives: [{ outcome: 'fail', code: 'image-missing', facts: { image: ECR } }],
  },
  {
    title: 'any, where the template was not filled in',
    files: { [CONFIG]: 'sandbox_image = "SANDBOX_IMAGE"\n' },
    system: images(ECR),
    gives: [{ outcome: 'ok', code: 'ok', facts: { image: ECR } }],
  },
  {
    title: 'none at all',
    system: images('docker.io/library/not-pause-like:1'),
    gives: [{ outcome: 'fail', code: 'image-missing', facts: {} }],
  },
  { title: 'no ctr', gives: [{ outcome: 'skipped', code: 'no-client', facts: {} }] },
  {
    title: 'containerd is not there',
    system: { runTool: async () => ({ exitCode: 1, stdout: '', stderr: '' }) },
    gives: [{ outcome: 'skipped', code: 'not-running', facts: {} }],
  },
  {
    title: 'no answer',
    system: { runTool: (_name, _args, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);

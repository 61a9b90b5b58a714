import type { System, ToolOutput } from '../../../src/host/system.ts';
import { criPluginLoaded } from '../../../src/probes/components/cri-plugin-loaded.ts';
import { testCases, waiting } from '../fakes.ts';

const HEADER = `TYPE                            ID                       PLATFORMS      STATUS    
io.containerd.content.v1        content                  -              ok        
io.containerd.snapshotter.v1    btrfs                    linux/amd64    skip      
`;
/** containerd 1.6.20, its CRI plugin given `mirrors` and `config_path` at once. */
const DETAILS = `Type:          io.containerd.grpc.v1
ID:            cri
Platforms:     linux/amd64
Error:        
               Code:        Unknown
               Message:     invalid plugin config: \`mirrors\` cannot be set when \`config_path\` is provided
`;

function ctr(list: string, details = ''): Pick<System, 'runTool'> {
  return {
    runTool: async (_name, args): Promise<ToolOutput> => ({
      exitCode: 0,
      stdout: args.includes('--detailed') ? details : list,
      stderr: '',
    }),
  };
}

testCases(criPluginLoaded, [
  {
    title: 'containerd 1.x',
    system: ctr(`${HEADER}io.containerd.grpc.v1           cri                      linux/amd64    ok        \n`),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'containerd 2.x',
    system: ctr(
      `${HEADER}io.containerd.cri.v1      images    -     ok\nio.containerd.cri.v1      runtime   linux/amd64   ok\nio.containerd.grpc.v1   cri  -  ok\n`,
    ),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'disabled',
    system: ctr(`${HEADER}io.containerd.grpc.v1   images   -   ok\n`),
    gives: [{ outcome: 'fail', code: 'plugin-missing', facts: {} }],
  },
  {
    title: 'an error with its reason',
    system: ctr(
      `${HEADER}io.containerd.grpc.v1           cri                      linux/amd64    error     \n`,
      DETAILS,
    ),
    gives: [
      {
        outcome: 'fail',
        code: 'plugin-failed',
        facts: { reason: 'invalid plugin config: `mirrors` cannot be set when `config_path` is provided' },
      },
    ],
  },
  {
    title: 'a runtime that failed in 2.x, without a reason',
    system: ctr(
      `${HEADER}io.containerd.cri.v1      runtime   linux/amd64   error\nio.containerd.grpc.v1   cri  -  ok\n`,
    ),
    gives: [{ outcome: 'fail', code: 'plugin-failed', facts: {} }],
  },
  { title: 'no ctr', gives: [{ outcome: 'skipped', code: 'no-client', facts: {} }] },
  {
    title: 'containerd is not there',
    system: {
      runTool: async () => ({
        exitCode: 1,
        stdout: '',
        stderr: 'ctr: failed to dial "/run/containerd/containerd.sock": context deadline exceeded',
      }),
    },
    gives: [{ outcome: 'skipped', code: 'not-running', facts: {} }],
  },
  {
    title: 'no answer',
    system: { runTool: (_name, _args, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);

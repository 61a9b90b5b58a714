// All scenarios, first those of a boot, in its order, then those of the analyzer itself. A file that is not named here is found by the test.
import type { Scenario } from '../scenario.ts';
import { al2ContainerdConfigMissing } from './al2-containerd-config-missing.ts';
import { al2EcrLoginHang } from './al2-ecr-login-hang.ts';
import { al2023ContainerdCrashLoop, al2023ContainerdWrongType } from './al2023-containerd-crash-loop.ts';
import { al2023KubeletSwap } from './al2023-kubelet-swap.ts';
import { al2023NodeadmConfigRetrying } from './al2023-nodeadm-config-retrying.ts';
import { al2023Unauthorized, al2023UnauthorizedAtFirst } from './al2023-unauthorized.ts';
import { al2023UserDataHangs } from './al2023-user-data-hangs.ts';
import { analyzerKilled, analyzerReadsItself } from './analyzer-restarted.ts';
import { deadline } from './deadline.ts';
import { healthy } from './healthy.ts';
import { journaldRestarted } from './journald-restarted.ts';
import { logFilesRotated } from './log-files-rotated.ts';
import { poweredOff } from './powered-off.ts';
import { unitsBroken } from './units-broken.ts';
import { userDataBroken } from './user-data-broken.ts';

export const SCENARIOS: readonly Scenario[] = [
  healthy,
  al2ContainerdConfigMissing,
  al2EcrLoginHang,
  al2023UserDataHangs,
  al2023NodeadmConfigRetrying,
  al2023ContainerdCrashLoop,
  al2023ContainerdWrongType,
  al2023KubeletSwap,
  al2023Unauthorized,
  al2023UnauthorizedAtFirst,
  ...unitsBroken,
  ...userDataBroken,
  journaldRestarted,
  logFilesRotated,
  analyzerKilled,
  analyzerReadsItself,
  poweredOff,
  deadline,
];

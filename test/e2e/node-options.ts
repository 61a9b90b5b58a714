// What a throw-away node is made of. Holds no behaviour.
import type { Wait } from './boot.ts';
import type { ImdsData } from './imds.ts';
import type { NodeFile } from './node-file.ts';
import type { Vpc } from './vpc.ts';

export interface NodeOptions {
  /** Node path → text (mode 0644), written before pid 1 starts. */
  readonly files?: Readonly<Record<string, NodeFile>>;
  /** Name → unit file in /etc/systemd/system; a name with a slash is a drop-in (`kubelet.service.d/10-x.conf`). */
  readonly units?: Readonly<Record<string, string>>;
  /** Path → target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly imds?: ImdsData;
  /** Left out: the node has no address but loopback, and no route. */
  readonly vpc?: Vpc;
  readonly hostname?: string;
  /** Uptime at which pid 1 starts; default 3. */
  readonly uptimeSeconds?: number;
  /** Node path → host path, read-only. */
  readonly binds?: Readonly<Record<string, string>>;
  /** `booted` (default): until all start jobs are done; `manager`: until pid 1 answers, for a boot that is meant to hang. */
  readonly wait?: Wait;
}

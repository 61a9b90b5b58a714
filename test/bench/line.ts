// One entry of a benchmark log and the two forms in which it is written: journalctl's short form, and the export form.

export interface Line {
  /** Identifier with pid, as it stands before the colon; null: a line of a plain file (ipamd's JSON). */
  readonly name: string | null;
  readonly unit: string | null;
  readonly text: string;
  readonly nowMs: number;
}

const HOST = 'ip-10-20-30-40';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const BOOT_ID = '6c7c6013a26343b29e964691ff25d04c';
const BOOT_MS = Date.UTC(2025, 4, 6, 8, 15, 30);

export function shortForm({ name, text, nowMs }: Line): string {
  if (name === null) return `${text}\n`;
  const iso = new Date(nowMs).toISOString();
  return `${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(8, 10)} ${iso.slice(11, 19)} ${HOST} ${name}: ${text}\n`;
}

/** What `journalctl -o export` writes with the analyzer's --output-fields, or all that a real journal holds. */
export function exportForm(line: Line, index: number, allFields: boolean): string {
  const [, identifier, pid] = /^(?<name>[^[]+)(?:\[(?<pid>\d+)\])?$/.exec(line.name ?? 'aws-node[4021]')!;
  const microseconds = line.nowMs * 1000;
  const kernel = identifier === 'kernel';
  const head =
    `__CURSOR=s=739ad463348b4ceca5a9e69c95a3c93f;i=${index.toString(16)};b=${BOOT_ID};m=${((line.nowMs - BOOT_MS) * 1000).toString(16)};t=${microseconds.toString(16)};x=d3e5610681098c10\n` +
    `__REALTIME_TIMESTAMP=${microseconds}\n__MONOTONIC_TIMESTAMP=${(line.nowMs - BOOT_MS) * 1000}\n_BOOT_ID=${BOOT_ID}\n`;
  const named =
    `_TRANSPORT=${kernel ? 'kernel' : 'stdout'}\nPRIORITY=6\nSYSLOG_IDENTIFIER=${identifier}\n` +
    (pid === undefined
      ? ''
      : `_PID=${pid}\n_COMM=${identifier}\n_EXE=/usr/bin/${identifier}\n_SYSTEMD_UNIT=${line.unit ?? `${identifier}.service`}\n`);
  return `${head}${named}${allFields ? otherFields(identifier!) : ''}MESSAGE=${line.text}\n\n`;
}

function otherFields(identifier: string): string {
  return (
    `SYSLOG_FACILITY=3\n_MACHINE_ID=ec2b1c9a7a6f4a0b8c1d2e3f4a5b6c7d\n_HOSTNAME=${HOST}\n_UID=0\n_GID=0\n_CAP_EFFECTIVE=1ffffffffff\n` +
    `_CMDLINE=/usr/bin/${identifier} --config=/etc/kubernetes/kubelet/config.json --config-dir=/etc/kubernetes/kubelet/config.json.d --kubeconfig=/var/lib/kubelet/kubeconfig --container-runtime-endpoint=unix:///run/containerd/containerd.sock\n` +
    `_SELINUX_CONTEXT=system_u:system_r:unconfined_service_t:s0\n_SYSTEMD_CGROUP=/runtime.slice/${identifier}.service\n_SYSTEMD_SLICE=runtime.slice\n` +
    `_SYSTEMD_INVOCATION_ID=0f1e2d3c4b5a69788796a5b4c3d2e1f0\n_STREAM_ID=8f7e6d5c4b3a29181716151413121110\n`
  );
}

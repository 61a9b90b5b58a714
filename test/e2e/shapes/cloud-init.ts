// The real cloud-init, fed from a seed on the node's disk; on Amazon Linux its units are ordered otherwise than on Debian and Ubuntu.
import type { NodeFile } from '../node-file.ts';

const SEED = '/var/lib/cloud/seed/nocloud';

/** Without a seed cloud-init stays off. */
export function seed(userData: string): Readonly<Record<string, NodeFile>> {
  return {
    [`${SEED}/meta-data`]: 'instance-id: i-0123456789abcdef0\nlocal-hostname: ip-10-0-1-23\n',
    [`${SEED}/user-data`]: userData,
  };
}

const STAGE =
  'Type=oneshot\nRemainAfterExit=yes\nTimeoutSec=0\nStandardOutput=journal+console\n\n[Install]\nWantedBy=cloud-init.target\n';

/**
 * cloud-init 19.3 (AL2) and 22.2.2 (AL2023), variant `amazon`: not before sysinit.target, and the final stage not after
 * multi-user.target. So nodeadm can stand before the network stage and after the final one.
 */
export const AMAZON_CLOUD_INIT_UNITS = {
  'cloud-init-local.service': `[Unit]
Description=Initial cloud-init job (pre-networking)
Wants=network-pre.target
After=systemd-remount-fs.service
Before=NetworkManager.service network-pre.target shutdown.target
Conflicts=shutdown.target
RequiresMountsFor=/var/lib/cloud

[Service]
ExecStart=/usr/bin/cloud-init init --local
${STAGE}`,
  'cloud-init.service': `[Unit]
Description=Initial cloud-init job (metadata service crawler)
DefaultDependencies=no
Wants=cloud-init-local.service
After=cloud-init-local.service systemd-networkd-wait-online.service
Before=network-online.target sshd.service systemd-user-sessions.service

[Service]
ExecStart=/usr/bin/cloud-init init
${STAGE}`,
  'cloud-config.service': `[Unit]
Description=Apply the settings specified in cloud-config
After=network-online.target cloud-config.target
Wants=network-online.target cloud-config.target

[Service]
ExecStart=/usr/bin/cloud-init modules --mode=config
${STAGE}`,
  'cloud-final.service': `[Unit]
Description=Execute cloud user/final scripts
After=network-online.target cloud-config.service rc-local.service
Wants=network-online.target cloud-config.service

[Service]
ExecStart=/usr/bin/cloud-init modules --mode=final
KillMode=process
${STAGE}`,
} as const;

/** The stage never comes to an end and says nothing. */
export function stuckStage(unit: string): Record<string, string> {
  return { [`${unit}.d/stuck.conf`]: '[Service]\nExecStart=\nExecStart=/bin/sleep infinity\n' };
}

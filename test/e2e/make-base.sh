#!/usr/bin/env bash
# Makes the root file system that every node stands on in the folder $1, unless it is there: Debian with a real systemd,
# journald, cloud-init and containerd. The folder is named after the digest of this file (base-rootfs.ts).
set -euo pipefail

folder=$1
[ ! -d "$folder" ] || exit 0

suite=bookworm
packages=(
  systemd systemd-sysv dbus kmod procps iproute2 util-linux
  cloud-init containerd runc
  curl ca-certificates nftables fuse3
)
# A timer of Debian's housekeeping would fire in the middle of a test.
timers=(apt-daily apt-daily-upgrade dpkg-db-backup e2scrub_all fstrim)
# Modules of cloud-init that fail without packages which a node's image has.
modules='ssh|locale|set-passwords|ssh-import-id|keys-to-console|ssh-authkey-fingerprints'

rm -rf "$folder.part"
mmdebstrap --quiet --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  "$suite" "$folder.part"

cd "$folder.part"
# Every node makes its own machine id; a network namespace of its own has no resolver but what the test puts there.
: >etc/machine-id
: >etc/resolv.conf
rm -f etc/hostname
mkdir -p var/log/journal
for timer in "${timers[@]}"; do ln -sf /dev/null "etc/systemd/system/$timer.timer"; done
sed -i -E "/^ *- ($modules)\$/d" etc/cloud/cloud.cfg
rm -rf var/lib/cloud/*
# Nothing but a test starts containerd, as on an image whose bootstrap does it.
rm -f etc/systemd/system/multi-user.target.wants/containerd.service
# The kernel is the host's, and so are its modules: what a node loads is there or built in.
ln -sf /bin/true usr/sbin/modprobe

mv "$folder.part" "$folder"

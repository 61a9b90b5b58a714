#!/usr/bin/env bash
# First process of a node's namespaces: mounts its root, starts what stands outside of it (metadata service, kernel log), then
# systemd-nspawn. Started by keep-node.sh alone. Every mount is private: the kernel drops it with the last process.
# Arguments: the node's folder, the name of its control group. The folder's `boot.env` holds what node.ts decided.
set -euo pipefail

folder=$1 group=$2
# BASE, HOSTNAME_, NODE, SERVERS and the array NSPAWN
# shellcheck disable=SC1091
. "$folder/boot.env"

root=$folder/root
mount -t overlay overlay -o "lowerdir=$BASE,upperdir=$folder/upper,workdir=$folder/work" "$root"
tar -C "$folder/files" --owner=0 --group=0 -cf - . | tar -C "$root" --no-overwrite-dir --keep-directory-symlink -xf -

mkdir -p /run/systemd/nspawn
mount -t tmpfs tmpfs /run/systemd/nspawn
# The node sees one pure cgroup v2 tree, whatever the host has.
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir "/sys/fs/cgroup/$group"
echo $$ >"/sys/fs/cgroup/$group/cgroup.procs"

ip link set lo up
ip address add 169.254.169.254/32 dev lo
# serve PROGRAM DATA ADDRESS PORT: a server that stands outside of the node, and answers before pid 1 starts.
serve() {
  [ -e "$folder/$2.json" ] || return 0
  "$NODE" "$SERVERS/$1" "$folder/$2.json" >"$folder/$2.log" 2>&1 &
  until (exec 4<>"/dev/tcp/$3/$4") 2>/dev/null; do
    kill -0 $! || { cat "$folder/$2.log"; exit 1; }
    sleep 0.02
  done
}
if [ -e "$folder/vpc.json" ]; then
  for address in 10.0.1.23 10.0.0.10 10.0.0.20; do ip address add "$address/32" dev lo; done
  ip route add 10.0.0.0/16 dev lo src 10.0.1.23
  ip route add default via 10.0.0.1 dev lo src 10.0.1.23
fi
serve imds-server.ts imds 169.254.169.254 80
serve vpc-server.ts vpc 10.0.0.10 443

# The node's /dev/kmsg is a pipe; its pid 1 would wait for ever for the other end if nobody held it.
sleep infinity 4<>"$folder/kmsg" &

# No exec: nspawn expects that another process reaps what is orphaned. When it ends, so does the namespace.
systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --machine="$group" --hostname="$HOSTNAME_" \
  --link-journal=no --resolv-conf=off --timezone=off --console=read-only --network-namespace-path=/proc/self/ns/net \
  --capability=CAP_NET_ADMIN,CAP_NET_RAW,CAP_SYS_PTRACE,CAP_SYSLOG --system-call-filter='@swap @keyring bpf' \
  --bind="$folder/kmsg:/dev/kmsg" "${NSPAWN[@]}"

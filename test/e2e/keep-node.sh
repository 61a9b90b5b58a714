#!/usr/bin/env bash
# Holds one boot of a node: starts boot-node.sh in namespaces of its own; when its standard input says `down`, or ends, kills what
# is left of the node and closes its standard output; when the input ends, removes the folder too. So a test that is killed, which
# ends this input as well, leaves nothing on the host. `leave` after `down`: the next boot's keeper has the folder now.
# Arguments: the node's folder, the name of its control group, its uptime in seconds.
set -uo pipefail

folder=$1 group=$2 uptime=$3
here=$(dirname "$0")

# Clocks of the host count from its own boot; the node's shall begin at `uptime`.
read -r host_uptime _ </proc/uptime
offset=$((uptime - ${host_uptime%.*}))

trap '' INT TERM HUP
# The process namespace is the leash: when its first process dies, the kernel kills every process of the node.
# Descriptor 3 is closed when that process is gone, which is how the test learns of it.
setpriv --pdeathsig KILL -- unshare --mount --propagation private --net --uts --ipc --time --boottime="$offset" --monotonic="$offset" \
  --pid --fork --kill-child=KILL --mount-proc -- "$here/boot-node.sh" "$folder" "$group" </dev/null >>"$folder/console.log" 2>&1 &
node=$!
exec 3>&-

read -r word || word=
{ kill -KILL "$node"; wait "$node"; } 2>/dev/null

# The control group is the one thing that no namespace takes along.
unshare --mount --propagation private bash -c '
  mount -t cgroup2 cgroup2 /mnt
  for _ in {1..100}; do
    [ -d "/mnt/$1" ] || break
    find "/mnt/$1" -depth -type d -exec rmdir {} + 2>/dev/null && break
    sleep 0.05
  done' -- "$group"

exec 1>&-
[ "$word" != down ] || read -r word || word=
[ "$word" = leave ] || rm -rf --one-file-system "$folder"

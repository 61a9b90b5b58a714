#!/bin/sh
# What the container does on Bottlerocket. As a host container (superpowered) it diagnoses the boot 3, 6 and 12 minutes after its start
# and ships each verdict until the node is Ready; then it rests, since a host container that ends is started again. As a bootstrap
# container it diagnoses once, in 20 s at most: the boot waits for it.

host=/.bottlerocket
diagnose() { timeout "$1" eks-bootstrap-analyzer diagnose --root $host/rootfs --deliver all --quiet; }

if [ -d $host/bootstrap-containers/current ]; then
  diagnose 20
  exit 0
fi
for minutes in 3 6 12; do
  # /proc/uptime: of the machine.
  rest=$((minutes * 60 - $(cut -d . -f 1 /proc/uptime)))
  [ $rest -le 0 ] || sleep $rest
  diagnose 60 && break
done
exec sleep infinity

# Sourced by the stand-ins for kubelet, nodeadm and their kin: prints log lines in the captured formats, stamped with now.
# Every name says whose format it is; the last argument is the text as the program would write it.
# shellcheck shell=bash

# klog I 'server.go:1262] "Started kubelet"'
klog() { printf '%s%(%m%d %H:%M:%S)T.%s %7d %s\n' "$1" -1 "${EPOCHREALTIME#*.}" $$ "$2"; }

# nodeadm_json info init/init.go:84 'Enriching configuration..' [',"name":"containerd"']   (v20251023 – v20251209)
nodeadm_json() { printf '{"level":"%s","ts":%s,"caller":"%s","msg":"%s"%s}\n' "$1" "$EPOCHREALTIME" "$2" "$3" "${4:-}"; }

# The AWS SDK's logger inside nodeadm: sdk DEBUG 'retrying request EC2/DescribeInstances, attempt 2'
sdk() { printf 'SDK %(%Y/%m/%d %H:%M:%S)T %s %s\n' -1 "$1" "$2"; }

# zap info aws-k8s-agent/main.go:90 'Starting L-IPAMD v1.20.4  ...'
zap() { printf '{"level":"%s","ts":"%(%Y-%m-%dT%H:%M:%S)T.%.3sZ","caller":"%s","msg":"%s"}\n' "$1" -1 "${EPOCHREALTIME#*.}" "$2" "$3"; }

# A container's log: cri stdout 'time="…" level=info msg="Copying config file... "'
cri() { printf '%(%Y-%m-%dT%H:%M:%S)T.%s000Z %s F %s\n' -1 "${EPOCHREALTIME#*.}" "$1" "$2"; }

# logrus info 'Copying config file... '
logrus() { printf 'time="%(%Y-%m-%dT%H:%M:%S)TZ" level=%s msg="%s"\n' -1 "$1" "$2"; }

# bootstrap.sh of Amazon Linux 2 since v20230501: bootstrap INFO 'starting...'
bootstrap() { printf '%(%Y-%m-%dT%H:%M:%S%z)T [eks-bootstrap] %s: %s\n' -1 "$1" "$2" >&2; }

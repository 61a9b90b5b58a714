#!/bin/bash
# User data that brings the EKS bootstrap analyzer to a node whose image does not carry it. Fill in the four values and put the
# script first: as a part of its own (Content-Type: text/x-shellscript) of a MIME multi-part user data, or before the call of
# bootstrap.sh. It costs the boot one systemd-run; download, check and run happen in a unit of their own, and whatever goes wrong
# there goes wrong there: this script always succeeds, prints nothing and waits for nothing.
#
# On Amazon Linux 2023 user data runs after nodeadm-config. To see that phase hang, bake the analyzer into the image instead.

# Address of the executables without `-linux-x64` or `-linux-arm64`, https only; their sums stand in SHA256SUMS.
URL=https://example.com/eks-bootstrap-analyzer
SHA256_X64=0000000000000000000000000000000000000000000000000000000000000000
SHA256_ARM64=0000000000000000000000000000000000000000000000000000000000000000
# Of `watch`, for instance --log-group /eks/bootstrap. They count before those in /etc/eks-bootstrap-analyzer/environment.
OPTIONS=''

(
  # shellcheck disable=SC2016
  run='
    set -eu
    unset NODE_OPTIONS NODE_COMPILE_CACHE NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_EXTRA_CA_CERTS NODE_DEBUG NODE_DEBUG_NATIVE NODE_PATH LD_PRELOAD LD_LIBRARY_PATH
    case $(uname -m) in
      x86_64) arch=x64 sum=$SHA256_X64 ;;
      aarch64) arch=arm64 sum=$SHA256_ARM64 ;;
      *) echo "eks-bootstrap-analyzer: there is none for $(uname -m)" >&2; exit 2 ;;
    esac
    analyzer=/usr/local/bin/eks-bootstrap-analyzer
    has_sum() { echo "$sum  $1" | sha256sum --check --status; }
    if ! has_sum $analyzer 2>/dev/null; then
      # In the folder where it is to stand: there it gets the right SELinux label, and a rename makes it appear as a whole.
      part=$(mktemp $analyzer.XXXXXXXX)
      trap "rm -f $part" EXIT
      curl --proto "=https" --fail --silent --show-error --location --connect-timeout 10 --max-time 300 --retry 5 --output $part "$URL-linux-$arch"
      has_sum $part || { echo "eks-bootstrap-analyzer: not started, the checksum of $URL-linux-$arch is not the expected one" >&2; exit 2; }
      chmod 0755 $part
      mv -f $part $analyzer
    fi
    exec $analyzer watch $OPTIONS'
  # Not by StateDirectory=: a read-only /var, or something else in their place, would fail the unit.
  timeout 5 mkdir -p -m 0700 /var/lib/eks-bootstrap-analyzer /var/log/eks-bootstrap-analyzer
  start() {
    timeout 10 systemd-run --unit=eks-bootstrap-analyzer --description='EKS bootstrap analyzer' \
      --setenv=URL="$URL" --setenv=SHA256_X64="$SHA256_X64" --setenv=SHA256_ARM64="$SHA256_ARM64" --setenv=OPTIONS="$OPTIONS" \
      "$@" /bin/bash -c "$run"
  }
  # As in the unit for images (systemd/), but that this one may write the executable. systemd 219 knows few of these: it gets none.
  # Fails without harm where the image has the unit. A unit that failed is forgotten: it shall not make the node look degraded.
  start --no-block --collect \
    --property=Restart=on-failure --property=RestartSec=10s --property=RestartPreventExitStatus=2 \
    --property=KillMode=mixed --property=TimeoutStopSec=5s --property=RuntimeMaxSec=30min \
    --property=EnvironmentFile=-/etc/eks-bootstrap-analyzer/environment \
    --property=SyslogIdentifier=eks-bootstrap-analyzer --setenv=TMPDIR=/run/eks-bootstrap-analyzer \
    --property=RuntimeDirectory=eks-bootstrap-analyzer --property=RuntimeDirectoryMode=0700 --property=RuntimeDirectoryPreserve=yes \
    --property=CPUQuota=50% --property=Nice=10 --property=IOWeight=10 --property=MemoryMax=256M --property=OOMScoreAdjust=500 \
    --property=NoNewPrivileges=yes --property=CapabilityBoundingSet='CAP_DAC_READ_SEARCH CAP_SYS_PTRACE' \
    --property=ProtectSystem=strict --property=ProtectHome=yes \
    --property=ReadWritePaths='/usr/local/bin -/var/lib/eks-bootstrap-analyzer -/var/log/eks-bootstrap-analyzer' \
    --property=ReadOnlyPaths='-/proc/sys -/proc/irq -/proc/bus -/proc/acpi -/proc/sysrq-trigger -/sys' \
    --property=PrivateMounts=yes --property=DevicePolicy=closed --property=DeviceAllow='/dev/console rw' --property=ProtectClock=yes \
    --property=ProtectKernelModules=yes --property=ProtectKernelLogs=yes --property=ProtectHostname=yes --property=RestrictNamespaces=yes \
    --property=RestrictRealtime=yes --property=RestrictSUIDSGID=yes --property=LockPersonality=yes \
    --property=SystemCallArchitectures=native --property=SystemCallErrorNumber=EPERM \
    --property=SystemCallFilter='~@clock @cpu-emulation @debug @module @mount @obsolete @privileged @raw-io @reboot @resources @swap' \
    --property=RestrictAddressFamilies='AF_UNIX AF_INET AF_INET6 AF_NETLINK' \
    --property=UMask=0077 --property=TasksMax=256 --property=LimitCORE=0 ||
    start
) </dev/null >/dev/null 2>&1 || :

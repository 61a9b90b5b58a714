#!/bin/bash
# User data that brings the EKS bootstrap analyzer to a node whose image does not carry it. Fill in the values below and put this
# script first: as a part of its own (Content-Type: text/x-shellscript) of a MIME multi-part user data, or before the call of
# bootstrap.sh. deploy/examples/ has it in whole launch templates and an EC2NodeClass.
#
# It costs the boot one systemd-run and always succeeds. Download, check and install.sh of the release happen in a unit of their own,
# in at most 6 attempts and 8 minutes; what goes wrong there is one line in the journal and on the console. Then the installed unit
# follows the boot from its beginning. On Amazon Linux 2023 user data runs after nodeadm-config: to see that phase hang, bake the
# analyzer into the image.

# The folder of the release's archives (https://… or s3://…), its version, and of SHA256SUMS the lines of the .tar.gz.
FROM=https://example.com/eks-bootstrap-analyzer
VERSION=0.1.0
SHA256_X64=0000000000000000000000000000000000000000000000000000000000000000
SHA256_ARM64=0000000000000000000000000000000000000000000000000000000000000000
# For Amazon Linux 2.
SHA256_X64_AL2=0000000000000000000000000000000000000000000000000000000000000000
# Of `watch`, for instance --log-group /eks/bootstrap, or --ship-logs on-failure for the logs of nodes that fail. They count before those in /etc/eks-bootstrap-analyzer/environment.
OPTIONS=''

(
  # shellcheck disable=SC2016
  run='
    set -u
    name=eks-bootstrap-analyzer seconds=480
    fail() {
      echo "$name: not started: $*" | cut -c 1-400 | timeout 5 tee /dev/console >&2
      exit 0
    }
    ! systemctl cat $name.service >/dev/null 2>&1 || exit 0
    case $(uname -m)-$(. /etc/os-release; echo "$ID$VERSION_ID") in
      x86_64-amzn2) flavour=linux-x64-al2 sum=$SHA256_X64_AL2 ;;
      aarch64-amzn2) fail "there is no release for Amazon Linux 2 on aarch64" ;;
      x86_64-*) flavour=linux-x64 sum=$SHA256_X64 ;;
      aarch64-*) flavour=linux-arm64 sum=$SHA256_ARM64 ;;
      *) fail "there is no release for $(uname -m)" ;;
    esac
    release=$name-$VERSION-$flavour
    from=$FROM/$release.tar.gz
    shown=$(echo "$from" | cut -d "?" -f 1)
    case $from in https://*) need=curl ;; s3://*) need=aws ;; *) fail "FROM is neither https:// nor s3://" ;; esac
    command -v $need >/dev/null || fail "$need is not installed here"
    case $OPTIONS in *[!A-Za-z0-9\ ./_:=,#-]*) fail "OPTIONS holds a character that watch has no use for" ;; esac
    umask 022
    stage=$(mktemp -d /opt/.$name-stage.XXXXXXXX) || fail "cannot make a folder in /opt"
    trap "rm -rf \"\$stage\"" EXIT
    if [ $need = aws ]; then
      # The CLI of Amazon Linux 2 does not ask for the region, and looks for the bucket in another one.
      imds() { curl --noproxy "*" --fail --silent --max-time 2 "$@"; }
      token=$(imds --request PUT --header "X-aws-ec2-metadata-token-ttl-seconds: 60" http://169.254.169.254/latest/api/token)
      region=$(imds --header "X-aws-ec2-metadata-token: $token" http://169.254.169.254/latest/meta-data/placement/region | grep -x "[a-z0-9-]*")
      [ -z "$region" ] || export AWS_DEFAULT_REGION="$region"
    fi
    fetch() {
      left=$((seconds - SECONDS))
      [ $left -gt 0 ] || return 28
      if [ $need = aws ]; then
        timeout $left aws s3 cp --only-show-errors "$from" "$stage/archive"
      else
        curl --proto =https --proto-redir =https --max-redirs 5 --fail --silent --show-error --location --connect-timeout 10 \
          --speed-limit 1000 --speed-time 30 --max-time $left --max-filesize 209715200 --continue-at - --output "$stage/archive" "$from"
      fi >/dev/null 2>"$stage/said"
    }
    for try in 1 2 3 4 5 6; do
      fetch && break
      code=$?
      # The server cannot go on in the middle: from the start again.
      [ $code -ne 33 ] || rm -f "$stage/archive"
      pause=$((1 << try))
      if [ $try -eq 6 ] || [ $((SECONDS + pause)) -ge $seconds ]; then fail "cannot fetch $shown ($try attempts): $(tail -n 1 "$stage/said")"; fi
      sleep $pause
    done
    echo "$sum  $stage/archive" | sha256sum --check --status || fail "the checksum of $shown is not the expected one"
    tar -xzf "$stage/archive" -C "$stage" --no-same-owner --strip-components=1 "$release/install.sh" 2>/dev/null || fail "there is no install.sh in $shown"
    if [ -n "$OPTIONS" ]; then
      unit=/etc/systemd/system/$name.service.d
      mkdir -p $unit
      { echo "[Service]"; echo "ExecStart="; echo "ExecStart=/usr/local/bin/$name watch $OPTIONS"; } >$unit/options.conf || fail "cannot write to $unit"
    fi
    told=$(sh "$stage/install.sh" --from "$stage/archive" --sha256 "$sum" --now 2>&1) || fail "$(echo "$told" | tail -n 1 | sed "s/^$name: //")"'
  given=()
  for name in HTTPS_PROXY https_proxy NO_PROXY no_proxy CURL_CA_BUNDLE SSL_CERT_FILE AWS_CA_BUNDLE; do
    [ -z "${!name:-}" ] || given+=(--setenv="$name=${!name}")
  done
  # systemd replaces what stands in ${…}: the script has none.
  start() {
    timeout 10 systemd-run --unit=eks-bootstrap-analyzer-install --description='EKS bootstrap analyzer: installation' \
      --setenv=FROM="$FROM" --setenv=VERSION="$VERSION" --setenv=SHA256_X64="$SHA256_X64" --setenv=SHA256_ARM64="$SHA256_ARM64" \
      --setenv=SHA256_X64_AL2="$SHA256_X64_AL2" --setenv=OPTIONS="$OPTIONS" ${given[@]+"${given[@]}"} "$@" /bin/bash -c "$run"
  }
  # The installer may write where it installs and nowhere else. systemd 219 knows few of these: it gets none.
  start --no-block --collect \
    --property=SyslogIdentifier=eks-bootstrap-analyzer --property=RuntimeMaxSec=10min --property=TimeoutStopSec=5s \
    --property=CPUQuota=50% --property=Nice=10 --property=IOWeight=10 --property=MemoryMax=256M --property=OOMScoreAdjust=500 \
    --property=NoNewPrivileges=yes --property=CapabilityBoundingSet='CAP_DAC_OVERRIDE CAP_FOWNER CAP_MAC_ADMIN' \
    --property=ProtectSystem=strict --property=ProtectHome=yes \
    --property=ReadWritePaths='-/opt -/usr/local/bin -/etc/systemd/system -/var/lib -/var/log /run' \
    --property=ReadOnlyPaths='-/proc/sys -/proc/irq -/proc/bus -/proc/acpi -/proc/sysrq-trigger -/sys' \
    --property=PrivateMounts=yes --property=DevicePolicy=closed --property=DeviceAllow='/dev/console rw' --property=ProtectClock=yes \
    --property=ProtectKernelModules=yes --property=ProtectKernelLogs=yes --property=ProtectHostname=yes --property=RestrictNamespaces=yes \
    --property=RestrictRealtime=yes --property=RestrictSUIDSGID=yes --property=LockPersonality=yes \
    --property=SystemCallArchitectures=native --property=SystemCallErrorNumber=EPERM \
    --property=SystemCallFilter='~@clock @cpu-emulation @debug @module @mount @obsolete @privileged @raw-io @reboot @resources @swap' \
    --property=RestrictAddressFamilies='AF_UNIX AF_INET AF_INET6 AF_NETLINK' \
    --property=UMask=0022 --property=TasksMax=64 --property=LimitCORE=0 ||
    start
) </dev/null >/dev/null 2>&1 || :

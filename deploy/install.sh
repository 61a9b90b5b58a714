#!/bin/sh
# Installs, upgrades or removes the EKS bootstrap analyzer on this machine (Linux with systemd, as root).
#
#   sh install.sh --from FROM --sha256 HEX [--now] [--user-data]
#   sh install.sh --uninstall [--purge]
#
#   --from        a release's .tar.zst, .tar.gz or .tar.xz: https://…, s3://BUCKET/KEY (by the AWS CLI and the node's role) or a file
#   --sha256      its sum in SHA256SUMS; with another sum nothing is changed
#   --now         start it now too; else it starts with the next boot
#   --user-data   start it now, exit with 0 whatever happens, and say on the console in one line when it could not be started
#   --uninstall   stop it and remove all but the verdicts; with --purge these too
#
# Everything happens in a private folder beside the install path, and one rename of a link makes it appear: whatever fails before
# leaves the installed version as it is, and running. curl honours proxy variables, CURL_CA_BUNDLE and SSL_CERT_FILE; aws AWS_CA_BUNDLE.

set -u
umask 022

NAME=eks-bootstrap-analyzer
FOLDER=/opt/$NAME
PROGRAM=/usr/local/bin/$NAME
UNITS=/etc/systemd/system
UNIT=$NAME.service
STATE=/var/lib/$NAME
VERDICTS=/var/log/$NAME
LOCK=/run/$NAME.lock
TRIES=6
# Of all tries together: 33 MB at 100 KB/s.
FETCH_SECONDS=360
BYTES_MAX=209715200
# The first systemd that knows all of the unit; for older ones the release holds al2.conf.
SYSTEMD=240

fail() {
  echo "$NAME: $*" >&2
  exit 1
}

# The last line of what a program said, in $stage/said, printable and short; of curl the one that is no advice.
said() { { grep '^curl: ' "$stage/said" || cat "$stage/said"; } 2>/dev/null | tail -n 1 | tr -cd '[:print:]' | cut -c 1-300; }

need() { command -v "$1" >/dev/null 2>&1 || fail "$1 is not installed here${2:+, $2}"; }

# Without what a link may carry as proof of identity.
shown() { echo "${from%%\?*}" | sed 's,//[^/@]*@,//,'; }

fetch() {
  case $from in
    https://* | s3://*)
      case $from in *[![:graph:]]*) fail '--from holds a blank or control character' ;; esac
      ;;
  esac
  case $from in
    https://*) fetch_https ;;
    s3://*) fetch_s3 ;;
    *://*) fail "--from takes https://, s3:// or a file, not ${from%%:*}://" ;;
    *)
      [ -f "$from" ] || fail "there is no file $from"
      cp -- "$from" "$stage/archive" 2>"$stage/said" || fail "cannot copy $from: $(said)"
      ;;
  esac
}

# At most TRIES times, each going on where the last one stopped, longer and longer apart, all within FETCH_SECONDS.
fetch_https() {
  need curl 'so use s3:// or a file'
  end=$(($(date +%s) + FETCH_SECONDS)) try=1 pause=1
  while :; do
    status=$(curl --proto '=https' --proto-redir '=https' --max-redirs 5 --fail --silent --show-error --location \
      --connect-timeout 10 --speed-limit 1000 --speed-time 30 --max-time $((end - $(date +%s))) --max-filesize $BYTES_MAX \
      --continue-at - --write-out '%{http_code}' --output "$stage/archive" --url "$from" 2>"$stage/said")
    code=$?
    [ $code -ne 0 ] || return 0
    case $code:$status in
      # Another scheme, no address at all, redirects without end, too large; a request that will be as wrong the next time.
      1:* | 3:* | 47:* | 63:* | 22:4*) break ;;
      # The server cannot go on in the middle.
      33:*) rm -f "$stage/archive" ;;
    esac
    if [ $try -ge $TRIES ] || [ $(($(date +%s) + pause + 1)) -ge $end ]; then break; fi
    sleep $pause
    try=$((try + 1)) pause=$((pause * 2))
  done
  fail "cannot fetch $(shown) ($try of $TRIES tries): $(said)"
}

fetch_s3() {
  need aws 's3:// needs the AWS CLI; use https:// or a file'
  region=${AWS_REGION:-${AWS_DEFAULT_REGION:-$(region_of_instance)}}
  timeout $FETCH_SECONDS aws ${region:+--region "$region"} s3 cp --only-show-errors "$from" "$stage/archive" \
    </dev/null >"$stage/said" 2>&1 || fail "cannot fetch $from as this node's role: $(said)"
}

# The CLI does not ask for it itself, and would look for the bucket in another region.
region_of_instance() {
  imds() { curl --noproxy '*' --fail --silent --max-time 2 "$@"; }
  token=$(imds --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' http://169.254.169.254/latest/api/token) || return 0
  imds --header "X-aws-ec2-metadata-token: $token" http://169.254.169.254/latest/meta-data/placement/region | grep -x '[a-z0-9-]*'
}

unpack() {
  [ "$(sha256sum <"$stage/archive" | cut -d ' ' -f 1)" = "$sum" ] ||
    fail "$(shown) does not have the SHA-256 that was given, nothing was changed"
  case $(dd if="$stage/archive" bs=4 count=1 2>/dev/null | od -An -tx1 | tr -d ' \n') in
    1f8b*) unpacker=gzip ;;
    28b52ffd) unpacker=zstd ;;
    fd377a58) unpacker=xz ;;
    *) fail "$(shown) is no .tar.zst, .tar.gz or .tar.xz" ;;
  esac
  need $unpacker 'take the .tar.gz of the same release'
  mkdir "$stage/new" || fail "cannot write to $stage"
  { $unpacker -dc <"$stage/archive" | tar -xf - -C "$stage/new" --strip-components=1 --no-same-owner; } 2>"$stage/said"
  # They tell what a full disk or the pipe would hide.
  (cd "$stage/new" && sha256sum -c SHA256SUMS) >/dev/null 2>&1 || fail "cannot unpack into ${stage%/*}: $(said)"
  rm -f "$stage/archive"
}

about() { sed -n "s/^$1=//p" "$stage/new/release"; }

# What was unpacked runs here.
try_out() {
  [ "$(about machine)" = "$(uname -m)" ] ||
    fail "this release is for $(about machine) ($(about flavour)), and this machine is $(uname -m): take the release for that"
  needed=$(about glibc) here=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)
  if [ -n "$needed" ] && [ -n "$here" ] && [ "$(printf '%s\n%s\n' "$needed" "$here" | sort -t . -k 1,1n -k 2,2n | head -n 1)" != "$needed" ]; then
    fail "this release ($(about flavour)) needs glibc $needed, and this machine has $here: take the release linux-x64-al2"
  fi
  set -- "$stage/new/bin/$NAME" --version
  # With a loader of its own, which is named by the path where it is to stand.
  for loader in "$stage"/new/lib/ld-linux-*; do [ ! -f "$loader" ] || set -- "$loader" "$@"; done
  env -i PATH="$PATH" timeout 30 "$@" </dev/null >/dev/null 2>"$stage/said" || fail "the release does not run on this machine: $(said)"
}

# place FILE TARGET: whole or not at all. Sets `changed` if it was not there as it is.
place() {
  ! cmp -s "$1" "$2" || return 0
  { mkdir -p "${2%/*}" && cp "$1" "$2.part" && chmod 0644 "$2.part" && mv -f "$2.part" "$2"; } 2>"$stage/said" || fail "cannot write $2: $(said)"
  changed=yes
}

# link TARGET PATH: by one rename.
link() {
  [ "$(readlink "$2")" != "$1" ] || return 0
  [ ! -d "$2" ] || [ -L "$2" ] || fail "$2 is a folder"
  { mkdir -p "${2%/*}" && ln -sfn "$1" "$2.part" && mv -fT "$2.part" "$2"; } 2>"$stage/said" || fail "cannot make the link $2: $(said)"
  changed=yes
}

relabel() { ! command -v restorecon >/dev/null 2>&1 || restorecon -R "$@" >/dev/null 2>&1 || :; }

put_in_place() {
  version=.$NAME-$short.${stage##*.}
  { chmod 0755 "$stage/new" && mv "$stage/new" "/opt/$version"; } 2>"$stage/said" || fail "cannot write to /opt: $(said)"
  relabel "/opt/$version"
  link "$version" $FOLDER
}

# One that user data made for this boot hides the installed one as long as it runs.
end_transient() {
  case $(systemctl show -p FragmentPath $UNIT 2>/dev/null) in
    */transient/*)
      [ $now = yes ] || fail 'user data started one for this boot: wait for its end, or use --now to run this one instead'
      timeout 30 systemctl stop $UNIT
      ;;
  esac
}

put_units() {
  link $FOLDER/bin/$NAME $PROGRAM
  is_new=no
  [ -e "$UNITS/$UNIT" ] || is_new=yes
  place "$FOLDER/systemd/$UNIT" "$UNITS/$UNIT"
  if systemd_before $SYSTEMD; then place "$FOLDER/systemd/al2.conf" "$UNITS/$UNIT.d/al2.conf"; fi
  relabel $FOLDER $PROGRAM "$UNITS/$UNIT" "$UNITS/$UNIT.d"
  # For a /var that comes up read-only; the unit makes them too.
  for folder in $STATE $VERDICTS; do [ -d "$folder" ] || mkdir -m 0700 "$folder" 2>/dev/null; done
  reload
  # Once: who disables it later has a reason.
  [ "$is_new" = no ] || systemctl enable $UNIT >"$stage/said" 2>&1 || fail "cannot enable $UNIT: $(said)"
}

systemd_before() { [ "$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')" -lt "$1" ] 2>/dev/null; }

runs_systemd() { [ -d /run/systemd/system ]; }

reload() { ! runs_systemd || timeout 30 systemctl daemon-reload || :; }

start() {
  runs_systemd || fail 'installed, but not started: systemd does not run here'
  if [ "$changed" = no ] && systemctl is-active --quiet $UNIT; then return 0; fi
  timeout 30 systemctl restart $UNIT >"$stage/said" 2>&1 || fail "installed, but it did not start: $(said)"
}

# Folders of versions that no link leads to: what was replaced, and what a power cut left behind.
sweep() {
  for folder in "/opt/.$NAME-"*; do
    [ "/opt/$(readlink $FOLDER)" = "$folder" ] || [ "$folder" = "${stage:-}" ] || rm -rf "$folder"
  done
}

be_alone() {
  [ "$(id -u)" -eq 0 ] || fail 'run this as root'
  [ -L $FOLDER ] || [ ! -e $FOLDER ] || fail "a package has installed it ($FOLDER): use the package manager"
  exec 9>$LOCK || fail "cannot write $LOCK"
  ! command -v flock >/dev/null 2>&1 || flock -w $FETCH_SECONDS 9 || fail 'another installation is running'
}

install() {
  case $sum in *[!0-9a-f]* | '') fail '--sha256 takes 64 hexadecimal digits' ;; esac
  [ ${#sum} -eq 64 ] || fail '--sha256 takes 64 hexadecimal digits'
  [ -n "$from" ] || fail '--from is missing'
  for tool in tar sha256sum systemctl; do need $tool; done
  be_alone
  is_here=no changed=no short=$(echo "$sum" | cut -c 1-16)
  mkdir -p /opt
  stage=$(mktemp -d "/opt/.$NAME-stage.XXXXXX") || fail 'cannot make a folder in /opt'
  trap 'rm -rf "$stage"' EXIT
  trap 'exit 1' HUP INT TERM
  case $(readlink $FOLDER) in
    .$NAME-"$short".*) if (cd $FOLDER && sha256sum -c SHA256SUMS) >/dev/null 2>&1; then is_here=yes; fi ;;
  esac
  [ $now = yes ] || end_transient
  if [ "$is_here" = no ]; then
    fetch
    unpack
    try_out
    put_in_place
  fi
  end_transient
  put_units
  sweep
  [ $now = no ] || start
  echo "$NAME: version $(sed -n 's/^version=//p' $FOLDER/release) is installed"
}

uninstall() {
  be_alone
  if runs_systemd; then
    timeout 60 systemctl stop $UNIT >/dev/null 2>&1
    systemctl reset-failed $UNIT >/dev/null 2>&1
  fi
  [ ! -e "$UNITS/$UNIT" ] || systemctl disable $UNIT >/dev/null 2>&1
  rm -f $UNITS/$UNIT $PROGRAM $FOLDER
  rm -rf $UNITS/$UNIT.d /run/$NAME
  sweep
  reload
  # Undelivered verdicts stand in the spool.
  if [ $purge = yes ]; then
    rm -rf $STATE $VERDICTS
  elif [ -d $STATE ]; then
    find $STATE -mindepth 1 -maxdepth 1 ! -name spool -exec rm -rf {} +
    rmdir $STATE/spool $STATE 2>/dev/null
  fi
  rm -f $LOCK
  echo "$NAME: removed"
}

main() {
  from='' sum='' now=no action=install purge=no
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --sha256) [ $# -gt 1 ] || fail "$1 needs a value" ;;
    esac
    case $1 in
      --from) from=$2 && shift ;;
      --sha256) sum=$(echo "$2" | tr A-F a-f) && shift ;;
      --now | --user-data) now=yes ;;
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      *) fail "there is no option $1, see the head of this file" ;;
    esac
    shift
  done
  [ $purge = no ] || [ $action = uninstall ] || fail '--purge goes with --uninstall'
  $action
}

# Nothing was done if this file ends before its last line.
case " $* " in
  *' --user-data '*)
    told=$(main "$@" 2>&1) || printf '%s\n' "$told" | tail -n 1 | timeout 5 sed "s/^$NAME:/$NAME: not started:/" >/dev/console 2>/dev/null
    exit 0
    ;;
  *) main "$@" && exit 0 || exit 1 ;;
esac

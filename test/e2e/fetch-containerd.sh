#!/usr/bin/env bash
# Puts Debian's containerd of the suite $2 into the folder $1, unless it is there: the program alone, nothing is installed.
set -euo pipefail

folder=$1 suite=$2
[ ! -d "$folder" ] || exit 0

work=$folder.part
rm -rf "$work"
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/usr"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$work/sources.list"
options=(
  -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State=$work/state"
  -o Dir::State::status=/dev/null -o "Dir::Cache=$work/cache" -o Acquire::Languages=none -o APT::Sandbox::User=root
)
apt-get "${options[@]}" -qq update
cd "$work"
apt-get "${options[@]}" -qq download containerd
dpkg-deb --fsys-tarfile containerd_*.deb | tar -x ./usr/bin/containerd
mkdir "$work.done"
mv usr/bin/containerd "$work.done/"
rm -rf "$work"
mv "$work.done" "$folder"

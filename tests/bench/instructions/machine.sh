#!/bin/sh
# SPDX-License-Identifier: MIT
# machine.sh - fetches an emulator of x86-64, Debian's kernel for it, and a shell: what tests/arm64/machine.sh does for arm64.
#
#   tests/bench/instructions/machine.sh DIR
set -eu
dir=${1:?usage: tests/bench/instructions/machine.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd) here=$(cd "${0%/*}" && pwd)
log=$dir.log
tests=$here/../..
. "$here/../../arm64/packages.sh"
script=$(cat "$here/machine.sh" "$here/../../arm64/packages.sh" | cksum)
[ "$(cat "$dir/complete" 2>/dev/null)" = "$script" ] && exit 0
rm -rf "$dir"
echo "x86-64: fetching packages for a machine into $dir" >&2
mkdir -p "$dir/debs"
cd "$dir"
: >"$log"
fetch_lacking "$dir/state" emulator qemu-system-x86 seabios
kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p')
(cd debs && apt-get -q -o APT::Sandbox::User=root download busybox-static "$kernel" >>"$log" 2>&1) || fail "apt-get download failed: $log"
unpack debs kernel
cp kernel/boot/vmlinuz-* linux
cp kernel/bin/busybox busybox
rm -rf debs kernel state
echo "$script" >complete

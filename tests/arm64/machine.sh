#!/bin/sh
# SPDX-License-Identifier: MIT
# machine.sh - adds to a folder that tests/arm64/folder.sh has made what a whole machine of arm64 needs: an emulator, Debian's kernel, and
# a disk with a shell, a compiler, and programs that tests call.
#
#   tests/arm64/machine.sh DIR
#
# Nothing is installed, and no user but root of the machine inside is needed. Exits with 3, and says why, where packages cannot be had.
#
#   DIR/machine/emulator  of this machine: qemu-system-aarch64, and libraries that this machine lacks
#   DIR/machine/linux     the kernel
#   DIR/machine/busybox   a shell, and programs for it
#   DIR/machine/start.gz  what the kernel starts: a shell, the modules that disks need, and tests/arm64/init.sh
#   DIR/machine/disk      a file system with Debian's programs
set -eu
folder=$(cd "${1:?usage: tests/arm64/machine.sh DIR}" && pwd)
here=$(cd "${0%/*}" && pwd) tests=${here%/*}
dir=$folder/machine log=$folder/machine.log
. "$here/packages.sh"
programs="bash dash ncurses-base coreutils grep sed gawk findutils diffutils procps util-linux bsdextrautils bsdutils libxml2-utils jq gzip xz-utils file gcc g++ libc-bin strace tmux
	libelf1 libdw-dev libinih1 libcurl4 libjansson-dev libcapstone4 libncurses6 libprotobuf-c1 libedit2 libcmocka0 libunwind-dev"
modules="virtio_ring virtio virtio_mmio virtio_blk"

script=$(cat "$here/machine.sh" "$here/packages.sh" "$here/init.sh" | cksum)
[ "$(cat "$dir/complete" 2>/dev/null)" = "$script" ] && exit 0
rm -rf "$dir"
echo "arm64: fetching packages for a machine into $dir" >&2
mkdir -p "$dir/start/modules" "$dir/debs"
: >"$log"
cd "$dir"

# The emulator, with what it needs beside what this machine has.
fetch_lacking "$dir/state" emulator qemu-system-arm cpio

foreign "$dir/apt" apt-get update >>"$log" 2>&1 || fail "apt-get update failed: $log"
# shellcheck disable=SC2086
fetch_whole "$dir/apt" system $programs
kernel=$(foreign "$dir/apt" apt-cache depends linux-image-cloud-arm64 | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p')
(cd debs && foreign "$dir/apt" apt-get download busybox-static "$kernel" >>"$log" 2>&1) || fail "apt-get download failed: $log"
unpack debs kernel

cp kernel/boot/vmlinuz-* linux
cp kernel/bin/busybox busybox
cp busybox start
cp "$here/init.sh" start/init
for module in $modules; do find kernel/lib/modules -name "$module.ko" -exec cp {} start/modules/ ';'; done
(cd start && find . | ../emulator/bin/cpio --quiet -o -H newc | gzip) >start.gz

# What packages do as they are installed, as far as tests need it.
ln -sf gawk system/usr/bin/awk
printf '%s\n' root:x:0:0:root:/root:/bin/sh nobody:x:65534:65534:nobody:/:/bin/false >system/etc/passwd
printf '%s\n' root:x:0: nogroup:x:65534: >system/etc/group
rm -rf system/usr/share/doc system/usr/share/man system/usr/share/locale system/usr/share/info
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -L system -d system disk 1500M >/dev/null
rm -rf apt state debs kernel start system
echo "$script" >complete

#!/bin/sh
# SPDX-License-Identifier: MIT
# inside.sh - runs a command where programs of arm64 run like those of this machine, and the compilers are those for arm64.
#
#   tests/arm64/inside.sh FOLDER COMMAND...      FOLDER: made by tests/arm64/folder.sh
#
# A kernel begins programs of another processor by an emulator that it is told of (binfmt_misc). That is done in a user namespace of the
# command's own, which Linux 6.7 and later allow: nothing of it is seen outside, and it ends with the command. Exits with 3, and says
# why, where that cannot be had.
set -u
folder=${1:?usage: tests/arm64/inside.sh FOLDER COMMAND...}
shift
export QEMU_LD_PREFIX="$folder/system" PATH="$folder/bin:$PATH"
program=$folder/system/lib/ld-linux-aarch64.so.1 # any program of arm64

if "$program" --version >/dev/null 2>&1; then
	exec "$@"
fi
# The first bytes of an ELF file of arm64, and which bits of them count.
rule=":arm64:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:\
\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:$folder/tools/usr/bin/qemu-aarch64-static:PF"
# shellcheck disable=SC2016
unshare --user --map-root-user --mount sh -c 'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf %s "$0" >/proc/sys/fs/binfmt_misc/register &&
	"$1" --version >/dev/null' "$rule" "$program" 2>"$folder/log" || {
	echo "arm64: this kernel begins no programs of arm64 in a namespace (that needs Linux 6.7 and user namespaces): $(tail -1 "$folder/log")" >&2
	echo "arm64: with the packages qemu-user-static and binfmt-support it begins them everywhere" >&2
	exit 3
}
# shellcheck disable=SC2016
exec unshare --user --map-root-user --mount sh -c 'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf %s "$0" >/proc/sys/fs/binfmt_misc/register &&
	exec "$@"' "$rule" "$@"

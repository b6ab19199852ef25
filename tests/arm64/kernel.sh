#!/bin/sh
# SPDX-License-Identifier: MIT
# kernel.sh - runs tests on a kernel of arm64, in an emulated machine, and ends as tests/run does.
#
#   tests/arm64/kernel.sh FOLDER BUILD_DIR TABLE [NAME-GLOB]
#
# FOLDER is one that tests/arm64/machine.sh was called for; BUILD_DIR has zprof and the tests, built for arm64; TABLE is as tests/run wants it.
# The machine gets a disk with copies of the tree and of BUILD_DIR, at the same places, and all that it writes is forgotten.
#
# Without random places in memory (norandmaps), the emulator need not translate each program anew, and begins one five times as fast.
set -u
folder=$1 built=$2 table=$3 glob=${4:-*}
machine=$folder/machine
export LD_LIBRARY_PATH="$machine/emulator/usr/lib/x86_64-linux-gnu:$machine/emulator/lib/x86_64-linux-gnu"
work=$(mktemp -d "${TMPDIR:-/tmp}/zprof-machine.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

mkdir -p "$work/tree/$built"
git ls-files -z | xargs -0 cp -P --parents -t "$work/tree"
cp -r "$built/." "$work/tree/$built"
cp "$table" "$work/tree/build/table"
{
	for name in CI TEST_JOBS TEST_MINUTES TEST_VERBOSE STRESS_SECONDS VARIANTS KILLS FORKS CROWD THREADS CHURN SHARED STRIDE TENTHS RING_THREADS; do
		eval "[ -z \"\${$name+x}\" ] || echo \"export $name='\${$name}'\""
	done
	echo "TEST_TABLE=build/table exec tests/run '$built' '$glob'"
} >"$work/tree/build/in-machine"
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -d "$work/tree" "$work/disk" 1G >/dev/null || exit 2
rm -rf "$work/tree"

disk() { echo "-drive file=$1,if=none,id=$2,format=raw,snapshot=on,cache=unsafe -device virtio-blk-device,drive=$2"; }
# shellcheck disable=SC2046
timeout "${MACHINE_SECONDS:-3600}" "$machine/emulator/usr/bin/qemu-system-aarch64" -L "$machine/emulator/usr/share/qemu" -M virt -cpu cortex-a72 -smp 2 \
	-m 3072 -nodefaults -display none -serial stdio -no-reboot -kernel "$machine/linux" -initrd "$machine/start.gz" \
	-append "console=ttyAMA0 quiet panic=-1 norandmaps nokaslr kpti=off mitigations=off init_on_alloc=0 TREE=$PWD" \
	$(disk "$machine/disk" system) $(disk "$work/disk" tree) </dev/null 2>&1 | sed -u 's/\r$//' | tee "$work/said" | grep --line-buffered -v -e '^status: ' -e 'reboot: Power down'
status=$(sed -n 's/^status: \([0-9]*\)$/\1/p' "$work/said")
[ -n "$status" ] || echo "kernel.sh: the machine did not come to its end within ${MACHINE_SECONDS:-3600} seconds" >&2
exit "${status:-1}"

#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh - counts the instructions that the hooks of one call take, in emulated machines of x86-64 and arm64 whose clocks count instructions
# (-icount), and compares them with tests/bench/instructions/table. See `make bench-instructions`.
#
# An instruction takes two nanoseconds of the machine's clock, whatever this machine does meanwhile, so numbers are the same each time. The
# status is 1 if one has grown by more than 2 % and its line in the table has not. A compiler of another version has lines of its own:
# where there are none, nothing is compared, and the lines are printed.
set -u
cd "$(dirname "$0")/../../.." || exit 2
here=tests/bench/instructions out=$PWD/build/instructions folder=$PWD/build/arm64-folder
machine=$folder/machine

tests/arm64/folder.sh "$folder" && tests/arm64/machine.sh "$folder" && $here/machine.sh "$out/machine"
case $? in
0) ;;
3)
	# Packages cannot be had everywhere, in CI neither.
	echo "bench-instructions: SKIPPED, no instruction was counted (see above)" >&2
	exit 0
	;;
*) exit 2 ;;
esac

pair() { # NAME COMPILER FLAG...
	compiler=$2
	name=$out/$processor/pair-$1
	shift 2
	"$compiler" -std=gnu11 -O2 -I. $here/pair.c "$@" -o "$name" || exit 1
}

# with_libraries TO FROM FILE...: files that programs are linked with, at their places
with_libraries() {
	to=$1 from=$2
	shift 2
	for file in "$@"; do
		mkdir -p "$to/${file%/*}"
		cp -L "$from/$file" "$to/$file"
	done
}

run() { # EMULATOR KERNEL LIBRARIES ARGUMENT...: prints the rows of $processor
	emulator=$1 kernel=$2 libraries=$3
	shift 3
	cp $here/init.sh "$out/$processor/init"
	(
		cd "$out/$processor" || exit
		export LD_LIBRARY_PATH="$machine/emulator/usr/lib/x86_64-linux-gnu:$machine/emulator/lib/x86_64-linux-gnu:$libraries"
		find . | "$machine/emulator/bin/cpio" --quiet -o -H newc | gzip -1 >"$out/$processor.gz"
		timeout 300 "$emulator" -icount shift=1,sleep=off -smp 1 -m 512 -nodefaults -display none -serial stdio -no-reboot -kernel "$kernel" \
			-initrd "$out/$processor.gz" "$@" </dev/null 2>&1 | tr -d '\r' >"$out/$processor.said"
	)
	sed -n "s/^row /$processor $($compiler -dumpfullversion) /p" "$out/$processor.said"
}

prepare() { # PROCESSOR BUSYBOX LIBRARY
	processor=$1
	rm -rf "${out:?}/$processor"
	mkdir -p "$out/$processor"
	cp "$2" "$out/$processor/busybox"
	cp "$3" "$out/$processor/libzprof.so"
}

# The emulator counts instructions as ticks of the time stamp counter, but does not say that it is a clock.
measure_x86_64() {
	prepare x86_64 "$out/machine/busybox" build/tests/libzprof-trusted.so
	pair functions gcc -finstrument-functions
	pair fentry gcc -pg -mfentry -minstrument-return=call -Lbuild -lzprof
	pair entries gcc -Wp,-p -mfentry
	with_libraries "$out/x86_64" / lib64/ld-linux-x86-64.so.2 lib/x86_64-linux-gnu/libc.so.6
	mkdir -p "$out/x86_64/lib"
	run "$out/machine/emulator/usr/bin/qemu-system-x86_64" "$out/machine/linux" "$out/machine/emulator/usr/lib/x86_64-linux-gnu" \
		-L "$out/machine/emulator/usr/share/qemu" -L "$out/machine/emulator/usr/share/seabios" -M pc -cpu qemu64 \
		-append "console=ttyS0 quiet panic=-1 norandmaps nokaslr mitigations=off CLOCKS=count,exact"
}

measure_aarch64() {
	PATH=$folder/bin:$PATH ${MAKE:-make} -s B=build/arm64-instructions CC=cc AR=ar LD=ld NEED_BUILD= NEED_TEST= build/arm64-instructions/libzprof.so || exit 1
	prepare aarch64 "$machine/busybox" build/arm64-instructions/libzprof.so
	pair functions "$folder/bin/gcc" -finstrument-functions
	with_libraries "$out/aarch64" "$folder/system" lib/ld-linux-aarch64.so.1 lib/aarch64-linux-gnu/libc.so.6
	run "$machine/emulator/usr/bin/qemu-system-aarch64" "$machine/linux" "" -L "$machine/emulator/usr/share/qemu" -M virt -cpu cortex-a72 \
		-append "console=ttyAMA0 quiet panic=-1 norandmaps nokaslr kpti=off mitigations=off CLOCKS=count,exact"
}

{ measure_x86_64 && measure_aarch64; } >"$out/rows" || exit 1
awk '
	function key() { return $1 " " $2 " " $3 " " $4 }
	/^#/ || !NF { next }
	NR == FNR { known[key()] = $5; next }
	{ rows++ }
	!($5 > 0) { print "no number: " $0; failed++; next }
	!(key() in known) { print "not in the table: " $0; next }
	$5 > known[key()] * 1.02 { print "more than " known[key()] ": " $0; failed++; next }
	$5 < known[key()] * 0.98 { print "less than " known[key()] ": " $0; passed++; next }
	{ print; passed++ }
	END {
		if (!rows) failed++
		print passed + 0 " passed, " failed + 0 " failed"
		exit failed > 0
	}' $here/table "$out/rows"

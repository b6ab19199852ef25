#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh - on systems with pages of 16 and 64 KiB, counts equal the program's own, and nothing is mapped at a part of a page: run by
# tests/arm64/run.sh. (The emulator tells programs of such pages, and lets them map parts of one, which a kernel would not.)
. "${0%/*}/../lib/check.sh"

mapped_apart() { # END: of a trace of system calls, those whose address, or offset in a file, does not end like a page's, in hexadecimal
	awk -v page="^(NULL|0|0x0+|0x[0-9a-f]*$1)\$" '
		match($0, /(mmap|munmap|mprotect|madvise|mremap)\(.*\)/) {
			calls++
			split(substr($0, RSTART, RLENGTH), words, /[(),]/)
			if (words[2] !~ page || (words[1] == "mmap" && words[7] !~ page)) print
		}
		END { if (calls < 20) print calls + 0, "calls" }' "$2"
}

for page in 16384 65536; do
	export QEMU_PAGESIZE=$page
	case $page in 16384) ends=[048c]000 ;; *) ends=0000 ;; esac
	check "pages of $page bytes: a chain of calls" only='*-O2' chain
	check "pages of $page bytes: a shared library" only=gcc-O2 shared
	check "pages of $page bytes: two threads" only=gcc-O2 threads
	check "pages of $page bytes: a million contexts" only=gcc-O2 contexts
	check "pages of $page bytes: threads that end" only=gcc-O2 may_repair=1 threads_end
	check "pages of $page bytes: clock=exact" only=gcc-O2 options=clock=exact recurse
	(cd "$TEST_TMP" && QEMU_STRACE=1 TRUTH=$TEST_TMP LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=profile \
		"$ZPROF_BUILD/tests/programs/gcc-O2/contexts" 4 2>trace >out)
	mapped_apart "$ends" "$TEST_TMP/trace" >"$TEST_TMP/apart"
	same "pages of $page bytes: whole pages alone are mapped" /dev/null "$TEST_TMP/apart"
done
finish

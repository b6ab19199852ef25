#!/bin/sh
# SPDX-License-Identifier: MIT
# entries.sh - the compiler has put nothing before the code of preload/base/cpu/aarch64_entry.h: run by tests/arm64/run.sh, which sets OBJDUMP.
. "${0%/*}/../lib/tap.sh"

"${OBJDUMP:?is set by tests/arm64/run.sh}" -d --no-show-raw-insn "$ZPROF_BUILD/libzprof.so" |
	awk '/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); next } name != "" { $1 = ""; sub(/^ /, ""); print name, $0; name = "" }' >first

begins() { # WITH NAME...
	with=$1
	shift
	for name in "$@"; do printf '%s\n' "$name"; done | sort >wanted
	awk -v with="$with" 'NR == FNR { wanted[$1]; next } $1 in wanted && index($0, $1 " " with) == 1 { print $1 }' wanted first | sort >found
	same "first instruction: $with" wanted found
}
begins "adrp x16," __cyg_profile_func_enter __cyg_profile_func_exit
begins "mov x0, x30" __sanitizer_cov_trace_pc
begins "stp x29, x30, [sp, #-176]!" dlopen makecontext prctl syscall chroot setuid seteuid setreuid setresuid \
	signalfd bsd_signal ssignal sysv_signal __sysv_signal sigset sigignore siginterrupt handler
finish

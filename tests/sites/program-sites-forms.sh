#!/bin/sh
# SPDX-License-Identifier: MIT
# Every form of a hook's call, as compilers and their flags make them: switched off and on in memory and in the file. What cannot
# be switched is left alone, and still counted. (-O2 alone is with a prefix, below.) SITES_FORMS=all: each compiler with all flags at all levels.
. "${0%/*}/../lib/sites.sh"

forms() { # NAME COMPILER FLAGS...
	build "$2" $3
	run ,start=off spans
	counted "$1: spans while hooks are on are counted, and nothing else"
	run "" frames
	counted "$1: functions that were open when hooks went off, and have ended"
	run "" again
	counted "$1: the first function that is entered then is the one that was open"
	unbroken "$1"
	run "" jumps
	counted "$1: the same as before with longjmp"
	"$zprof" sleep sites >said 2>&1
	is "$1: zprof sleep finds what the disassembler finds" \
		"$(cp sites asleep; "$zprof" wake sites 2>/dev/null; objdump -d -j .text sites | grep -cE "(call|jmp) .*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@plt>$|(call|jmp) +\*.*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@")" \
		"$(sed -n "s/.*: \([0-9]*\) calls.*/\1/p" said)"
}

stays_on() { # NAME COMPILER FLAGS...
	build "$2" $3
	expect 1 "no call of a hook has been found" "$zprof" sleep sites
	run ,start=off pauses
	counted "$1: hooks that cannot be switched stay on, and count what they should"
}

if [ "${SITES_FORMS:-}" = all ]; then
	for level in -O0 -O1 -O2 -O3; do
		for more in "" "-fno-pie" "-fPIE -fno-plt" "-fcf-protection=full" "-fPIE -fno-plt -fcf-protection=full"; do
			forms "fentry $level $more" gcc "$fentry $level $more"
			forms "hooks $level $more" gcc "$hooks $level $more"
			forms "clang $level $more" clang "$hooks $level $more"
			forms "clang after inlining $level $more" clang "$hooks-after-inlining $level $more"
		done
		forms "hooks $level -flto" gcc "$hooks $level -flto"
		forms "clang $level -flto" clang "$hooks $level -flto -fuse-ld=lld"
	done
else
	forms "fentry -O0" gcc "$fentry -O0"
	forms "fentry -O3, CET, no PIE" gcc "$fentry -O3 -fcf-protection=full -fno-pie"
	forms "fentry -O2 -fno-plt" gcc "$fentry -O2 -fPIC -fno-plt"
	forms "hooks -O0" gcc "$hooks -O0"
	forms "hooks -O3 -fno-plt, which jumps through memory" gcc "$hooks -O3 -fPIC -fno-plt -fcf-protection=full"
	forms "hooks -O2 -flto" gcc "$hooks -O2 -flto"
	forms "clang -O0" clang "$hooks -O0"
	forms "clang -O1 -flto, CET, no PIE" clang "$hooks -O1 -flto -fuse-ld=lld -fcf-protection=full -fno-pie"
	forms "clang after inlining" clang "-finstrument-functions-after-inlining -O2"
fi

prefix=0x67
forms "fentry -O2, with a prefix" gcc "$fentry -O2"
forms "hooks -O2, with a prefix" gcc "$hooks -O2"
objdump -d -j .text sites >code
grep -qE '67 e8.*addr32 call .*<__cyg_profile_func_enter@' code
tap $? "it is there"
unset prefix
build gcc $hooks -O2 -fcf-protection=full
objdump -d -j .plt.sec sites 2>/dev/null >stubs
is "with CET, stubs begin with endbr64" "2" "$(grep -A1 '<__cyg_profile_func_.*>:$' stubs | grep -c endbr64)"

# ---- calls that are not sites

for level in -O0 -O2; do
	stays_on "-mcmodel=large $level" gcc "$hooks $level -mcmodel=large -fno-pie"
	stays_on "retpolines $level" gcc "$hooks $level -fPIE -fno-plt -fcf-protection=none -mindirect-branch=thunk"
	build gcc $fentry $level -mcmodel=large -fno-pie
	run ,start=off spans
	counted "fentry $level -mcmodel=large: only entries go off, and counts are right"
done
gcc -w $hooks -O2 -static-pie -I"$root" "$root/tests/programs/sites.c" -o static || exit 1
expect 1 "not static" "$zprof" sleep static
expect 125 "statically" "$zprof" record ./static spans
gcc -w -O2 -flto -Wp,-p -mfentry -minstrument-return=call -I"$root" "$root/tests/programs/sites.c" -o lto || exit 1
expect 1 "without -flto" "$zprof" sleep lto

finish

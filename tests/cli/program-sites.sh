#!/bin/sh
# SPDX-License-Identifier: MIT
# Hooks that are switched off and on while the program runs, or in its file: what is called is never
# anything else than the program, and what is counted is what was called while hooks were on.
. "$(dirname "$0")/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "$(dirname "$0")/../.." && pwd)
export LD_LIBRARY_PATH=$ZPROF_BUILD
unset ZPROF_RUN ZPROF_OPTIONS
fentry="-pg -mfentry -minstrument-return=call"
hooks=-finstrument-functions

is() { # WHAT EXPECTED GOT
	if [ "$2" = "$3" ]; then golden_result 0 "$1"; else golden_result 1 "$1"; echo "# expected '$2', got '$3'" | tr '\n' ' '; echo; fi
}
build() { # COMPILER FLAGS...: makes ./sites
	compiler=$1; shift
	link=; case "$*" in *no-pie*) link=-no-pie ;; esac
	case "$*" in *flto*) link="$link -flto" ;; esac
	"$compiler" -w -g "$@" -I"$root" -c "$root/tests/programs/sites.c" -o sites.o &&
		"$compiler" $link sites.o -o sites -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
}
run() { # OPTIONS ARGUMENT...: makes `got`, and `status`
	options=$1; shift
	rm -f profile*
	ZPROF_OPTIONS=output=profile$options timeout 100 ./sites "$@" >got 2>errors
	status=$?
}
calls() { # NAME [PROFILE]
	"$zprof" report --json "${2:-profile}" | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}
counted() { # WHAT [PROFILE]: status 0, nothing said, and each line of `got` is what the profile says
	while read -r name count; do echo "$name $(calls "$name" "${2:-profile}")"; done <got >profiled
	if [ "$status" = 0 ] && [ -s got ] && [ ! -s errors ] && cmp -s got profiled; then
		golden_result 0 "$1"
	else
		golden_result 1 "$1"
		echo "# status $status; of the program: $(tr '\n' ' ' <got); of the profile: $(tr '\n' ' ' <profiled)"
		sed 's/^/# /' errors
	fi
}
unbroken() { # WHAT
	"$zprof" report profile >text
	is "$1: where nothing jumped, nothing is put down to jumps" "" "$(grep 'left without returning' text)"
}

# ---- forms of calls, by compilers and their flags

forms() { # NAME COMPILER FLAGS...
	build "$2" $3
	run ,start=off spans
	counted "$1: spans while hooks are on are counted, and nothing else"
	run "" frames
	counted "$1: what was open when hooks went off, and has ended"
	run "" again
	counted "$1: the first function that is entered then is the one that was open"
	unbroken "$1"
	run "" jumps
	counted "$1: the same as before with longjmp"
	"$zprof" sleep sites >said 2>&1
	is "$1: zprof sleep finds what the disassembler finds" \
		"$(cp sites asleep; "$zprof" wake sites 2>/dev/null; objdump -d sites | grep -cE "(call|jmp) .*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@plt>$|call +\*.*<(__cyg_profile_func_(enter|exit)|__fentry__|__return__)@")" \
		"$(sed -n "s/.*: \([0-9]*\) calls.*/\1/p" said)"
}
forms "fentry -O0" gcc "$fentry -O0"
forms "fentry -O2" gcc "$fentry -O2"
forms "fentry -O3, CET, no PIE" gcc "$fentry -O3 -fcf-protection=full -fno-pie"
forms "fentry -O2 -fno-plt" gcc "$fentry -O2 -fPIC -fno-plt"
forms "hooks -O0" gcc "$hooks -O0"
forms "hooks -O2" gcc "$hooks -O2"
forms "hooks -O3, CET" gcc "$hooks -O3 -fcf-protection=full"
forms "hooks -O2 -flto" gcc "$hooks -O2 -flto"
forms "clang -O0" clang "$hooks -O0"
forms "clang -O2" clang "$hooks -O2"
forms "clang after inlining" clang "-finstrument-functions-after-inlining -O2"

# ---- functions that are left out

for flags in "-O0" "-O2" "-O2 -fcf-protection=full" "-O2 -fPIC -fno-plt"; do
	build gcc $fentry $flags
	run ,only=leaf only
	counted "only=leaf: hooks are on in leaf alone (fentry $flags)"
	is "and no other is recorded" "" "$(calls middle)$(calls outer)"
done

# ---- who lets nobody write to /proc/self/mem

build gcc $fentry -O2
rm -f profile
gcc -w "$root/tests/programs/refuse.c" -o refuse || exit 1
ZPROF_OPTIONS=output=profile,start=off ./refuse 1 18 ./sites spans >got 2>errors
status=$?
counted "where /proc/self/mem may not be written, pages are"

# ---- contexts

build gcc $fentry -O2
run "" frames
"$zprof" report --tree profile >tree
is "a zone that has ended has no callees" "" "$(awk '/ before/ {inside = 1; next} / (late|stays|outer|main)/ {inside = 0} inside && /middle/' tree)"

# ---- processes, libraries, threads

run ,start=off fork
counted "a child of a sleeping process wakes up alone" "$(ls profile.* 2>/dev/null | head -1)"
gcc -shared -fPIC $fentry -O2 -x c - -o plugin.so -L"$ZPROF_BUILD" -lzprof <<'EOF' || exit 1
__attribute__((noinline)) int plugin_work(int x) { return x + 1; }
EOF
run ,start=off plugin ./plugin.so
counted "a library that is loaded while hooks are off sleeps too, and wakes up"
rounds=${SITES_ROUNDS:-300}
for flags in "$fentry" "$hooks"; do
	build gcc $flags -O2
	run ,start=off threads "$rounds"
	counted "$rounds switches with four threads running through (${flags%% *})"
	unbroken "threads (${flags%% *})"
	run ,start=off stepped
	counted "a handler at every instruction of a switch (${flags%% *})"
done

# ---- who is left alone

build gcc $fentry -O2
cp sites marked
"$zprof" sleep marked 2>/dev/null
"$zprof" wake marked 2>/dev/null
is "zprof wake undoes zprof sleep to the byte" "" "$(cmp sites marked 2>&1)"
"$zprof" sleep marked 2>/dev/null
is "asleep in its file it runs as ever" "0" "$(./marked nothing >/dev/null; echo $?)"
cp sites awake; mv marked sites
run "" fork
is "recorded, it is woken up" "hooks are on at the start" "$(head -1 got)"
is "and counted" "1 2" "$(child=$(ls profile.*); echo $(calls outer "$child") $(calls middle "$child"))"
mv awake sites

expect 1 "calls no hooks" "$zprof" sleep /bin/true
printf 'no program' >text
expect 1 "is no program" "$zprof" sleep text
expect 0 "switched off" "$zprof" sleep sites
expect 0 "sleeps already" "$zprof" sleep sites
"$zprof" wake sites 2>/dev/null

cat >own.c <<'EOF'
#include <stdio.h>
static int n;
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *s) { n++; }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *s) { n++; }
__attribute__((noinline)) int f(int x) { return x + 1; }
__attribute__((no_instrument_function)) int main(void) { f(1); f(2); printf("%d\n", n); return 0; }
EOF
gcc -w $hooks -O0 -rdynamic own.c -o own || exit 1
is "a program with hooks of its own keeps them" 4 "$(LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=start=off,output=own.profile ./own)"

build gcc $fentry -O2
rm -f profile
gdb -q -batch -ex "set environment ZPROF_OPTIONS=start=off,output=profile" -ex "break *leaf" -ex "ignore 1 100000" -ex "run spans" ./sites >gdb.out 2>&1
is "a breakpoint on a site is left alone, and the program runs on" 1 "$(grep -c 'exited normally\|exited with code 01' gdb.out)"

echo "1..$golden_count"

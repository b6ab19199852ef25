#!/bin/sh
# SPDX-License-Identifier: MIT
# Hooks that are switched off and on while the program runs, or in its file: the code stays the
# program's own, and what is counted is what was called while hooks were on.
. "${0%/*}/../lib/sites.sh"

# ---- functions that are left out

for flags in "-O0" "-O2" "-O2 -fcf-protection=full" "-O2 -fPIC -fno-plt"; do
	build gcc $fentry $flags
	run ,only=leaf only
	counted "only=leaf: hooks are on in leaf alone (fentry $flags)"
	is "and no other is recorded" "" "$(calls middle)$(calls outer)"
done

# ---- a system that does not allow writing to /proc/self/mem

build gcc $fentry -O2
rm -f profile
gcc -w "$root/tests/programs/refuse.c" -o refuse || exit 1
ZPROF_OPTIONS=output=profile,start=off ./refuse 1 pwrite64 ./sites spans >got 2>errors
status=$?
counted "if /proc/self/mem may not be written, pages are made writable"

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
# `make test-long` makes 3,000: a fault that shows once in thousands of switches is found there alone.
rounds=${SITES_ROUNDS:-60}
seconds=$((100 + rounds)) # a round takes 4 ms, and a hundred times that with fifty processes waiting for the processor
for flags in "$fentry" "$hooks"; do
	build gcc $flags -O2
	run ,start=off threads "$rounds"
	counted "$rounds switches with four threads running through (${flags%% *})"
	unbroken "threads (${flags%% *})"
	run ,start=off threads "$rounds" ./plugin.so
	counted "$rounds switches while a library comes and goes (${flags%% *})"
	run ,start=off stepped
	counted "a handler at every instruction of two switches (${flags%% *})"
done

# ---- C++

for flags in "$fentry -O0" "$fentry -O2" "$hooks -O0" "$hooks -O2 -fPIC -fno-plt"; do
	# shellcheck disable=SC2086
	g++ -w -g -std=c++20 $flags -I"$root" -c "$root/tests/sites/sites_cxx.cc" -o sites.o &&
		g++ sites.o -o sites -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
	for what in coroutines exceptions handlers; do
		run "" $what
		counted "$what, with hooks that go off and on meanwhile ($flags)"
	done
done

# ---- tools that look at code, too

build gcc $fentry -O2 -fsanitize=address
run ,start=off spans
counted "with AddressSanitizer"
run "" frames
counted "with AddressSanitizer, with functions open"

build gcc $fentry -O2
ZPROF_OPTIONS=output=profile valgrind -q ./sites pauses >got 2>errors
is "under valgrind it runs unprofiled, and says so" "0 1" "$? $(grep -c 'valgrind leaves no room, either); running unprofiled' errors)"

# ---- programs that are left alone

build gcc $fentry -O2
cp sites marked
"$zprof" sleep marked 2>/dev/null
"$zprof" wake marked 2>/dev/null
is "zprof wake undoes zprof sleep to the byte" "" "$(cmp sites marked 2>&1)"
"$zprof" sleep marked 2>/dev/null
is "asleep in its file, it runs as before" "0" "$(./marked nothing >/dev/null; echo $?)"
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
gdb -q -batch -ex "set environment ZPROF_OPTIONS=start=off,output=profile" -ex "break deep" -ex "run spans" -ex "delete" \
	-ex "break *leaf" -ex "ignore 2 1000000" -ex "continue" ./sites >gdb.out 2>&1
is "a breakpoint on a site is left alone, and the program runs on" 1 "$(grep -c 'exited normally\|exited with code 01' gdb.out)"
"$zprof" report profile >text
is "and is counted" 1 "$(grep -c 'calls of hooks that could not be switched off or on' text)"

finish

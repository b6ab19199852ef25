#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof record --native`: calls and contexts of one run, times of a second one with all hooks off.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "$(dirname "$0")/../.." && pwd)
unset ZPROF_RUN ZPROF_OPTIONS
build() { # FLAGS OF ZPROF CFLAGS...
	# shellcheck disable=SC2046
	gcc -w -g -O2 $("$zprof" cflags "$@") -I"$root" "$root/tests/programs/native.c" -o native || exit 1
}
record() { # ARGUMENT...: makes run.zp, contexts, said, status
	rm -f run.zp
	"$zprof" record --native -o run.zp "$@" >out 2>said
	status=$?
	"$zprof" export --format folded run.zp >contexts 2>&1
}
# What contexts whose path ends so have of all, in points of 100; of a zone by hand and its function, the sum is known.
share() { # PATTERN
	awk -v end="$1" '{ all += $NF; path = $0; sub(/ [0-9]+$/, "", path); if (path ~ end "$") its += $NF } END { printf "%.1f", all ? 100 * its / all : -1 }' contexts
}
# A share of n samples is off by d or more at most so often (Bernstein; p is what is expected):
#
#     2 exp(-n d^2 / (2 p (1 - p) + 2 d / 3))
#
# The d below makes that once in 10^8, for any n: 8.5 points for a share of 30 of 1,250 samples. A function that takes next to nothing takes
# less than one point.
near() { # WHAT EXPECTED VALUE: in points
	samples=$("$zprof" report run.zp | sed -n 's/^times: .* from \([0-9,]*\) samples of a second run.*/\1/p' | tr -d ,)
	awk -v expected="$2" -v value="$3" -v n="${samples:-0}" 'BEGIN {
		if (!n) exit 1
		p = expected ? expected / 100 : 0.01; l = log(2e8); t = l / 3 / n
		d = 100 * (t + sqrt(t * t + 2 * p * (1 - p) * l / n)) + !expected
		printf "# within %.1f points, of %d samples\n", d, n
		exit !(value > expected - d && value < expected + d) }'
	tap $? "$1 ($2, got $3)"
}
build --fentry
record ./native 100
if grep 'cannot take samples' said; then
	skip "record --native" "the system does not allow samples"
	finish
	exit
fi

for flags in --fentry ""; do
	# shellcheck disable=SC2086
	build $flags
	record ./native 2500
	front="hooks${flags:+ by }$flags"
	is "$front: the program's output and status are those of its first run" "0 done" "$status $(cat out)"
	near "$front: few calls of a shared function" 30 "$(share 'few;work')"
	near "$front: many calls of it" 10 "$(share 'many;work')"
	near "$front: a function that was jumped to" 20 "$(share 'work_behind')"
	near "$front: a recursion" 10 "$(share 'descend')"
	near "$front: a zone marked by hand, and its function" 30 "$(awk "BEGIN { print $(share marked) + $(share host) }")"
	near "$front: a function that takes next to nothing" 0 "$(share busy)"
	"$zprof" report --json run.zp >json
	is "$front: calls are the first run's" "252500 750000 25000" \
		"$(for f in work busy descend; do sed -n "s/.*\"name\":\"$f\".*\"calls\":\([0-9]*\),.*/\1/p" json; done | tr '\n' ' ' | sed 's/ $//')"
	is "$front: the head says whose times these are" 1 "$("$zprof" report run.zp | grep -c '^times: on a processor, from [0-9,]* samples of a second run, with all hooks off; calls are of the first')"
	is "$front: so does JSON" 1 "$(grep -c '"second_run":true' json)"
	is "$front: raw times are the first run's" 0 "$("$zprof" report --raw run.zp | grep -c 'second run')"
done

# Functions that nobody built with hooks: the second run displaces none. In a stripped file they have no names, and plans tell them apart.
export XDG_CACHE_HOME="$PWD/cache"
gcc -w -O2 -I"$root" "$root/tests/programs/native.c" -o native || exit 1
cat >small.c <<'END'
static unsigned __attribute__((noinline)) small(unsigned x) { return x * 1664525u + 1013904223u; }
int main(void) { unsigned x = 0; for (int i = 0; i < 20000000; i++) x = small(x); return x == 1; }
END
gcc -O2 small.c -o small && "$zprof" record --any -o any.zp ./small >out 2>said
is "a profile of such a program recommends the flag for it" "1 0" \
	"$("$zprof" report any.zp | grep -c "'zprof record --any --native' runs") $("$zprof" report any.zp | grep -c "zprof tune\|zprof cflags")"
record --any ./native 2500
is "without hooks: the times are a second run's" "0 1" "$status $("$zprof" report run.zp | grep -c '^times: .* of a second run')"
is "without hooks: calls are the first run's" "252500 750000" \
	"$("$zprof" report --json run.zp >json; for f in work busy; do sed -n "s/.*\"name\":\"$f\".*\"calls\":\([0-9]*\),.*/\1/p" json; done | tr '\n' ' ' | sed 's/ $//')"
near "without hooks: few calls of a shared function" 30 "$(share 'few;work')"
near "without hooks: many calls of it" 10 "$(share 'many;work')"
near "without hooks: a function that was jumped to" 20 "$(share work_behind)"
near "without hooks: a recursion" 10 "$(share descend)"
near "without hooks: a function that takes next to nothing" 0 "$(share busy)"
nameless() { printf 'native.0x%x' "0x$(nm native | sed -n "s/^\([0-9a-f]*\) t $1$/\1/p")"; }
few=$(nameless few) many=$(nameless many) work=$(nameless work) jumped=$(nameless work_behind)
strip native
record --any ./native 2500
near "without names: few calls of a shared function" 30 "$(share "$few;$work")"
near "without names: many calls of it" 10 "$(share "$many;$work")"
near "without names: a function that was jumped to" 20 "$(share "$jumped")"
"$zprof" record --any --verify -o run.zp ./native 2500 >said 2>&1
is "--verify knows them, too" 1 "$(grep -c "^ *[1-9][0-9.]* .* $work\$" said)"
build

expect 0 "zprof: now the second run, with all hooks off" script -qec "$zprof record --native -o run.zp ./native 100" /dev/null
script -qec "$zprof record --native --quiet -o run.zp ./native 100" /dev/null >said </dev/null
is "with --quiet, a terminal is not told of the second run" "0 1" "$(grep -c 'second run' said) $("$zprof" report run.zp | grep -c 'second run')"

record ./native 2500
is "nor is a file" 0 "$(grep -c 'second run' said)"
"$zprof" report run.zp | sed 1,3d >before
"$zprof" archive run.zp 2>said && "$zprof" report run.zp | sed 1,3d | cmp -s - before
tap $? "an archived profile reads the same"
"$zprof" merge -o merged.zp run.zp 2>said && "$zprof" export --format folded merged.zp >contexts
near "a merged profile has these times, too" 30 "$(share 'few;work')"
# The first run's times would give few() a hundredth of what many() has: stacks tell.
record --clock=count --sample=0 ./native 2500
near "the first run needs no times of its own" 30 "$(share 'few;work')"
record --clock=exact ./native 2500
near "nor does it matter that it read the clock" 10 "$(share 'many;work')"

# Without random addresses, a program that becomes this one has had its own code where this one's is.
# So the kernel tells of both in the rings of two processors, the second program in the ring that is read first.
cat >become.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>
int main(void)
{
	char *words[] = {"./native", "2500", NULL};
	cpu_set_t first;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	return execv(words[0], words);
}
END
gcc -O2 become.c -o become || exit 1
taskset -c 1 true 2>/dev/null && elsewhere='taskset -c 1' || elsewhere=''
# shellcheck disable=SC2086
record --clock=count --sample=0 $elsewhere setarch -R ./become
near "a program that another one has become, at the same addresses" 30 "$(share 'few;work')"
is "and these are a second run's times" 1 "$("$zprof" report run.zp | grep -c 'second run')"

# A program that finds what the first run has written, and ends in another way.
printf '#!/bin/sh\n[ ! -f there ] || exit 3\ntouch there\nexec ./native 100\n' >once && chmod +x once
record ./once
is "a second run that ends with another status gives no times" "1 0 0" \
	"$(grep -c 'the second run ended with status 3, and the first with 0' said) $("$zprof" report run.zp | grep -c 'second run') $status"
cat >killed.c <<'END'
#include <signal.h>
int main(void) { raise(SIGTERM); }
END
gcc -O2 -finstrument-functions killed.c -o killed && record ./killed
is "a program that a signal ended is not run again" "143 1" "$status $(grep -c 'ended by a signal, so it is not run again' said)"

# A program that a signal sent to zprof ends in its second run, or that notices what zprof leaves in it.
printf '#!/bin/sh\n[ ! -f there ] || { touch second; exec sleep 20; }\ntouch there\nexec ./native 100\n' >once
rm -f there second run.zp
"$zprof" record --native --report=report.txt -o run.zp ./once >out 2>said &
pid=$!
until [ -f second ]; do sleep 0.05; done
kill -TERM $pid
wait $pid
is "a signal that is sent to zprof ends the second run, too" "0 1 0" \
	"$? $(grep -c 'the second run was ended by signal 15: did it find what' said) $("$zprof" report run.zp | grep -c 'second run')"
is "and the report is of the first run" 1 "$(grep -c '^index  % time' report.txt)"
cat >descriptors.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
volatile unsigned sink;
static void __attribute__((noinline)) work(void) { for (int i = 0; i < 10000; i++) sink += i; }
int main(int argc, char **argv)
{
	int open = 0;
	for (int i = 0; i < 100; i++)
		open += fcntl(i, F_GETFD) >= 0;
	for (int i = 0; i < 3000; i++)
		work();
	return argc > 1 ? atoi(argv[1]) : open;
}
END
# shellcheck disable=SC2046
gcc -O2 $("$zprof" cflags --fentry) descriptors.c -o descriptors || exit 1
record ./descriptors
is "the second run has no descriptor that the first had not" 1 "$("$zprof" report run.zp | grep -c 'second run')"
record ./descriptors 255
is "a large status is not taken for a signal" "255 1" "$status $("$zprof" report run.zp | grep -c 'second run')"
rm -f run.zp
env --ignore-signal=CHLD "$zprof" record --native -o run.zp ./descriptors 5 >out 2>said
is "whoever started zprof may ignore SIGCHLD" "5 1" "$? $("$zprof" report run.zp | grep -c 'second run')"
rm -f run.zp
"$zprof" record --native -o run.zp ./descriptors 5 >out 2>said <&-
is "standard input may be closed" "5 1" "$? $("$zprof" report run.zp | grep -c 'second run')"

# lld lets code begin in the page of the file where what is only read ends.
# shellcheck disable=SC2046
gcc -w -g -O2 -fuse-ld=lld $("$zprof" cflags --fentry) -I"$root" "$root/tests/programs/native.c" -o native || exit 1
record ./native 2500
near "linked by lld: few calls of a shared function" 30 "$(share 'few;work')"
near "linked by lld: many calls of it" 10 "$(share 'many;work')"

expect 2 "give one of them" "$zprof" record --native --verify ./native 1
expect 2 "leave out --start=off" "$zprof" record --native --start=off ./native 1
ZPROF_OPTIONS=start=off expect 125 "take start=off out of ZPROF_OPTIONS" "$zprof" record --native ./native 1
ZPROF_OPTIONS=start=off expect 0 "zprof: the profile is in" "$zprof" record --native --start=on ./native 1

# Calls through registers are no sites.
gcc -w -g -O2 -finstrument-functions -mcmodel=large -I"$root" "$root/tests/programs/native.c" -o native || exit 1
record ./native 100
is "where no hook can be switched off, the command says so, and keeps the first run's times" "0 1 0" \
	"$status $(grep -c 'none of its hooks can be switched off' said) $("$zprof" report run.zp | grep -c 'second run')"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof attach` and `zprof detach` on a running program: it never notices, and the profile has what it called in
# between.
. "${0%/*}/../lib/attached.sh"

sleeps() { # WHAT: all calls of hooks in the code of the process are off
	before=$(calls serve)
	sleep 0.6
	is "$1: nothing is recorded after that" "$before" "$(calls serve)"
}

for flags in "$fentry" "$hooks" "$fentry -fPIC -fno-plt" "$fentry -fcf-protection=full"; do
	build $flags
	start
	expect 0 "recording process $pid" "$zprof" attach --for 200ms $pid
	sleeps "$flags"
	counts_agree "$flags" 2
	stop "$flags"
	samples=$("$zprof" report "zprof.out.$pid" | sed -n 's/.* from \([0-9,]*\) samples.*/\1/p' | tr -d ,)
	[ "${samples:-0}" -lt 100000 ]
	tap $? "$flags: its time unrecorded, until its end, has left no samples"
done

build $fentry
start
(until [ -s "zprof.out.$pid" ]; do sleep 0.05; done; sleep 1; kill $pid) &
expect 0 "process $pid has ended; it was recorded until then" timeout 60 "$zprof" attach --for 1m $pid
wait $pid
is "a program that ends before the time is over has its profile" 1 "$([ "$(calls serve)" -gt 0 ] && echo 1)"

# ---- after zprof wake, its hooks return at once

"$zprof" wake attached 2>errors
program=attached.$$ # by its name; no other that runs has it
cp attached $program
start
expect 0 "until 'zprof detach" "$zprof" attach $program
expect 1 "being recorded already" "$zprof" attach $pid
until [ "$(calls serve)" -gt 0 ]; do sleep 0.05; done
expect 0 "runs at its own speed" "$zprof" detach $program
expect 1 "is not being recorded" "$zprof" detach $pid
counts_agree "awake" 2
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$zprof" attach $pid 2>errors && "$zprof" detach $pid 2>errors || echo "# $i: $(cat errors)"
done
counts_agree "eleven times" 22
stop "eleven times"
program=attached

# ---- what is recorded

build $fentry
start
expect 0 "recording" "$zprof" attach --for=200ms --only leaf $pid
is "--only leaf: no other is recorded" "" "$(calls middle)$(calls serve)"
is "--only leaf: leaf is" "yes" "$([ "$(calls leaf)" -gt 0 ] && echo yes)"
stop "--only"
start
expect 0 "own.out" "$zprof" attach --for 0.1s -o own.out $pid
is "-o: the profile is there" "own.out" "$(ls own.out)"
stop "-o"

# ---- a program that a shell is about to become

rm -f zprof.out* said
(
	sleep 0.3
	exec ./attached >said 2>complaints
) &
pid=$!
expect 0 "recording process $pid" "$zprof" attach --for 200ms $pid
counts_agree "just begun" 2
stop "just begun"

# ---- a program that begins with a pause, and is recorded from its start

export ZPROF_OPTIONS=start=off
start
unset ZPROF_OPTIONS
expect 1 "cannot be changed" "$zprof" attach --only leaf $pid
expect 0 "recording" "$zprof" attach --for 200ms $pid
counts_agree "start=off" 2
stop "start=off"

# ---- entries that are switched off again before a call has found them on

code() { # COPY-COMMAND...: with the program's code in memory
	sed -n 's|^\([0-9a-f]*\)-\([0-9a-f]*\) r-xp .*/attached$|\1 \2|p' "/proc/$pid/maps" | (
		read -r from to
		"$@" $((0x$from)) $((0x$to - 0x$from)) 2>/dev/null
	)
}
take() { dd if="/proc/$pid/mem" bs=64k iflag=skip_bytes,count_bytes skip="$1" count="$2"; }
put() { dd if=asleep of="/proc/$pid/mem" bs=64k oflag=seek_bytes conv=notrunc seek="$1"; }

start
expect 0 "recording" "$zprof" attach --for 100ms $pid
code take >asleep
kill -STOP $pid
timeout 100 "$zprof" attach --for 100ms $pid 2>told &
attaching=$!
while code take | cmp -s asleep -; do sleep 0.005; done
code put
kill -CONT $pid
wait $attaching
is "zprof switches them on again" "0 1" "$? $(grep -c 'recording process' told)"
stop "knocked twice"

# ---- a request that comes while a pause that lasts is switching all hooks off

cat >lasting.c <<'END'
#include <time.h>
#include <zprof.h>
__attribute__((noinline)) void early(void) { __asm__ volatile(""); }
__attribute__((noinline)) void late(void) { __asm__ volatile(""); }
__attribute__((no_instrument_function)) int main(void)
{
	early();
	zprof_pause();
	for (clock_t end = clock() + CLOCKS_PER_SEC / 5; clock() < end;)
		early();
	for (int i = 0; i < 1000; i++)
		late();
	return 0;
}
END
# shellcheck disable=SC2086
gcc -w -g -O2 $hooks -I"$root/preload" lasting.c -o lasting -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD" || exit 1
timeout 300 gdb -q -batch -ex "set environment ZPROF_OPTIONS=output=lasting.profile" -ex "break main" -ex run -ex "break patch_begin" -ex continue \
	-ex backtrace -ex "set var zprof_request.what = 1" -ex "set var zprof_request.asked = zprof_request.claimed + 1" -ex delete -ex continue \
	./lasting >gdb.out 2>&1
is "a request that comes while hooks are switched off is answered by the thread that switches" "1 1000" \
	"$(grep -c ' sites_sleep ' gdb.out) $(calls late lasting.profile)"

# ---- a thread that looks whether it should begin, just as another does what was asked for

cat >beginning.c <<'END'
#include <pthread.h>
#include <stddef.h>
#define QUIET __attribute__((no_instrument_function))
volatile int turn;
__attribute__((noinline)) void early(void) { __asm__ volatile(""); }
QUIET __attribute__((noinline)) void done(void) { __asm__ volatile(""); }
QUIET static void work(void)
{
	for (int i = 0; i < 1000; i++)
		early();
}
QUIET static void *begins(void *unused)
{
	while (!turn)
		;
	work();
	done();
	return unused;
}
QUIET static void *looks(void *unused)
{
	work();
	return unused;
}
QUIET int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, begins, NULL);
	pthread_create(&threads[1], NULL, looks, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
# shellcheck disable=SC2086
gcc -w -g -O2 $hooks beginning.c -o beginning -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread -Wl,-rpath,"$ZPROF_BUILD" || exit 1
rm -f zprof.out*
# The second thread is held while it reads the request; the first does all that is asked; the second goes on.
timeout 300 gdb -q -batch -ex "break main" -ex run -ex "set var zprof_request.what = 1" -ex "set var zprof_request.asked = 1" \
	-ex "tbreak process_begin" -ex continue -ex "rwatch zprof_request.asked" -ex continue -ex delete \
	-ex "set scheduler-locking on" -ex "set var turn = 1" -ex "thread 2" -ex "tbreak done" -ex continue \
	-ex "print zprof_request.answered" -ex "set scheduler-locking off" -ex continue ./beginning >gdb.out 2>&1
is "a thread that looks whether to begin, while another does, is recorded too" "1 2000" \
	"$(sed -n 's/^\$1 = //p' gdb.out) $(calls early "$(echo zprof.out*)")"

# ---- a program that calls nothing

taken_back() { # COMMAND: interrupted while it waits
	env --default-signal=INT "$zprof" "$1" $pid >actual 2>&1 &
	asking=$!
	until grep -q 'waiting until process' actual; do sleep 0.05; done
	kill -INT $asking
	wait $asking
}

start idle
taken_back attach
is "a request to a program that calls nothing can be taken back" "1 goes on as before" "$? $(grep -o 'goes on as before' actual)"
kill -USR1 $pid
sleep 0.2
is "then it is not recorded" "" "$(ls zprof.out* 2>/dev/null)"
"$zprof" attach $pid >actual 2>&1 &
attaching=$!
while kill -0 $attaching 2>/dev/null; do
	kill -USR1 $pid
	sleep 0.1
done
wait $attaching
is "its next call begins the recording" "0" "$?"
while [ "$(calls serve)" = "" ]; do
	kill -USR1 $pid
	sleep 0.1
done
threads=1 counts_agree "idle" 2
before=$(calls serve)
taken_back detach
is "a request to end can be taken back, too" "1 goes on as before" "$? $(grep -o 'goes on as before' actual)"
while [ "$(calls serve)" = "$before" ]; do
	kill -USR1 $pid
	sleep 0.1
done
expect 1 "being recorded already" "$zprof" attach $pid
stop "idle"

# ---- programs that cannot be attached to

sleep 100 &
other=$!
expect 1 "does not run with libzprof.so" "$zprof" attach $other
kill $other
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
# shellcheck disable=SC2086
if [ "$(id -u)" = 0 ] && $nobody test -x "$zprof"; then
	less="setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace" # as root of a container is
	start_as() { # COMMAND...: one that starts ./attached by another user, or with other rights
		chmod 711 . && rm -f said
		# shellcheck disable=SC2016
		"$@" >said 2>complaints &
		while [ ! -s said ]; do sleep 0.02; done
		pid=$!
	}
	# A kernel with Yama, as far as zprof sees it: the refusal is of who has fewer rights than the process.
	yama() { # SCOPE COMMAND...
		# shellcheck disable=SC2016
		unshare -m sh -c 'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama &&
			echo "$0" >/proc/sys/kernel/yama/ptrace_scope && exec "$@"' "$@"
	}
	start
	expect 1 "another user's: attach as that user, or as root" $nobody "$zprof" attach $pid
	expect 1 "in a container, this takes the capability SYS_PTRACE" $less "$zprof" attach $pid
	stop "refused"
	start_as $nobody ./attached
	expect 1 "in a container, this takes the capability SYS_PTRACE" $less "$zprof" attach $pid
	kill $pid
	wait $pid
	start_as $nobody ./attached private
	expect 1 "process $pid lets only root reach into it: it has, or had, more rights than its user" $nobody "$zprof" attach $pid
	open=$(mktemp -d /tmp/zprof-open-XXXXXX) && chmod 777 "$open" # where others reach it
	expect 0 "recording process $pid" "$zprof" attach --for 100ms -o "$open/profile" $pid
	rm -r "$open"
	kill $pid
	wait $pid
	start_as $nobody --inh-caps +net_raw --ambient-caps +net_raw ./attached
	expect 1 "process $pid: Permission denied; in a container, this takes the capability SYS_PTRACE" $nobody "$zprof" attach $pid
	if yama 1 true 2>/dev/null; then
		expect 1 "ptrace_scope is 1; attach as root, set it to 0 (sysctl kernel.yama.ptrace_scope=0), or let the program call prctl(PR_SET_PTRACER, " \
			yama 1 $nobody "$zprof" attach $pid
		expect 1 "ptrace_scope is 2; attach as root, or set it to 0 (sysctl kernel.yama.ptrace_scope=0)" yama 2 $nobody "$zprof" attach --stopped $pid
		expect 1 "ptrace_scope is 3 until the system starts anew; 'zprof record' works all the same" yama 3 $nobody "$zprof" detach $pid
		expect 1 "ptrace_scope is 2; attach with the capability SYS_PTRACE, or set it to 0" yama 2 $less "$zprof" attach $pid
		expect 1 "another user's: attach as that user, or as root" yama 1 setpriv --reuid 65533 --clear-groups "$zprof" attach $pid
	else
		skip "what zprof says of Yama" "nothing can be mounted here"
	fi
	kill $pid
	wait $pid
else
	skip "what other users may not do" "only root can become another user, who must be able to run zprof"
fi
expect 1 "there is no process" "$zprof" attach 999999999
expect 1 "no program 'nothing' of yours" "$zprof" attach nothing
expect 2 "no process" "$zprof" attach
expect 2 "--for takes a time" "$zprof" attach --for x 1
expect 2 "one process is needed" "$zprof" detach

finish

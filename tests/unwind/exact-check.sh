#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-check.sh - the zone stack agrees with the real one, as libunwind walks it, at the events of every test program; a zone
# stack made to disagree is found; if libunwind is missing, one line says so and the program runs on.
. "${0%/*}/../lib/check.sh"
programs=$(cd "${0%/*}/../programs" && pwd)

# In place of check.sh's: the same counts as without check=, some events compared, and none that
# disagreed.
compare() {
	bad=0
	for truth in "$1"/truth.*; do
		profile=$1/profile.${truth##*/truth.}
		"$ZPROF_BUILD/zprof" graph --json "$profile" >"$1/json" || bad=1
		"$ZPROF_BUILD/tests/check_counts" "$truth" <"$1/json" >"$1/said" 2>&1 || { bad=1; sed 's/^/# /' "$1/said" | head; }
		grep -q '"checked":[1-9]' "$1/json" || { bad=1; echo "# nothing was compared"; }
		! grep -o '"disagreed":[0-9]*' "$1/json" || { bad=1; "$ZPROF_BUILD/zprof" info "$profile" | sed -n 's/.*check:/# check:/p'; }
	done
	return $bad
}

# At every N-th event. (Programs that single-step the library cannot be here: libunwind blocks
# signals.)
while read -r n variant status program arguments; do
	case $n in ''|'#'*) continue ;; esac
	# shellcheck disable=SC2086
	check "check=$n $program${arguments:+ $arguments}" only="$variant" status="$status" may_repair=1 options=check="$n" "$program" $arguments
done <<'END_TABLE'
# N   builds     exit  program
1     *          0     chain
1     *          0     diamond
1     gcc-*      0     recurse
1     *          0     mutual
97    *-O2       0     fan
1     *          0     statics
1     *          0     shared
1     *          0     virtual
1     *          0     tails
1     *-O2       0     jumps
1     *          0     split
1     *-O2       0     split jumps
1     *          0     split signals
1     *          0     exceptions
1     *          0     threads_end
7     *-O2       0     threads_end destructors
1     gcc-*      0     coroutines20
9973  *-O2       0     threads 200000
997   gcc-O2     0     deep 20000
13    clang-O2   0     contexts 3
3     *-O2       0     churn 500
1     *          3     deaths exit
1     gcc-*      3     deaths quick_exit
1     clang-*    139   deaths segv
1     *-O2       134   deaths abort
1     *-O2       0     forks fork
7     gcc-O2     0     forks vfork
211   *-O2       0     signals normal 2
211   gcc-*      0     signals alternate 2
31    *          0     stacks contexts
31    *          0     stacks assembly
31    *-O2       0     stacks carved
31    *-O2       0     stacks abandoned
31    *-O2       0     stacks migrating
1     *          0     stacks arrays
1     *          0     dl
END_TABLE

# A library that is wrong: the program runs as before, disagreements are counted, and the report names the place of the first.
cd "$TEST_TMP" || exit 2
diamond=$ZPROF_BUILD/tests/programs/gcc-O2/diamond
mkdir plain wrong
TRUTH=$TEST_TMP/plain "$diamond" >plain.out 2>&1
TRUTH=$TEST_TMP/wrong ZPROF_OPTIONS=output=wrong.profile,check=1 LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-wrong.so "$diamond" >wrong.out 2>&1
test $? = 0 && cmp plain.out wrong.out >&2 && cat plain/truth.* | cmp - wrong/truth.* >&2
tap $? "a library that errs about frames does not harm the program"
"$ZPROF_BUILD/zprof" report --json wrong.profile | grep -q '"disagreed":[1-9]'
tap $? "the disagreements are counted"
"$ZPROF_BUILD/zprof" report wrong.profile >report
grep -q '^note: check: first open zone found in no real frame: address [1-9]' report && grep -q '[1-9].*  of those, zone stacks that did not agree with it' report
tap $? "and the report says so"

# A thread that is cancelled while libunwind holds its lock ends later. The libunwind here sends the signal of pthread_cancel() then, as
# another thread may that has found cancellation enabled just before. Whoever walks next would wait for ever.
mkdir locking
machine=$(uname -m)
cat >locking.c <<END
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { CANCEL = 32 }; /* SIGCANCEL of nptl/descr.h */
int walks, locked;
int _U${machine}_getcontext(void *context) { return 0; }
int _UL${machine}_init_local(void *cursor, void *context) { return 0; }
int _UL${machine}_get_reg(void *cursor, int reg, unsigned long *value) { return -1; }
int _UL${machine}_step(void *cursor)
{
	walks++;
	locked = 1;
	if (gettid() != getpid())
		syscall(SYS_tgkill, getpid(), gettid(), CANCEL);
	locked = 0;
	return 0;
}
END
cat >cancelled.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define QUIET __attribute__((no_instrument_function))
__attribute__((noinline)) void called(void) { __asm__ volatile(""); }
QUIET static void *waits(void *unused)
{
	for (;;)
		pause();
	return unused;
}
QUIET static void *ends(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	called();
	return waits(unused);
}
QUIET int main(void)
{
	void *library = dlopen("libunwind.so.8", RTLD_NOW), *result = NULL;
	pthread_t thread;
	pthread_create(&thread, NULL, waits, NULL); /* glibc handles the signal from its first use on */
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, ends, NULL);
	pthread_join(thread, &result);
	printf("%d %d %d\n", result == PTHREAD_CANCELED, *(int *)dlsym(library, "walks") > 0, *(int *)dlsym(library, "locked"));
	return 0;
}
END
gcc -w -O2 -shared -fPIC -D_GNU_SOURCE locking.c -o locking/libunwind.so.8 && gcc -w -O2 -finstrument-functions cancelled.c -o cancelled || exit 1
is "a thread that is cancelled while its stack is walked ends after the walk" "1 1 0" \
	"$(LD_LIBRARY_PATH=$PWD/locking LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=cancelled.profile,check=1 timeout 100 ./cancelled 2>&1)"

# A machine without libunwind: a folder with the program and its libraries, and nothing else.
mkdir -p bare/lib64 bare/out
${CC:-gcc} -O2 -g -finstrument-functions "$programs/limits.c" -o bare/program || exit 1
cp "$ZPROF_BUILD/libzprof.so" bare
for library in $(ldd bare/program | grep -o '/[^ ]*'); do cp -L "$library" bare/lib64; done
bare() { # OPTIONS: runs it there
	ZPROF_OPTIONS=$1 chroot bare /lib64/ld-linux-x86-64.so.2 --library-path /lib64 --preload /libzprof.so /program then >bare.out 2>bare.err
	echo $? >>bare.out
}
if chroot bare /lib64/ld-linux-x86-64.so.2 --library-path /lib64 /program then >bare.plain 2>/dev/null || [ $? = 7 ]; then
	echo 7 >>bare.plain
	bare output=/out/profile,check=1
	cmp bare.plain bare.out >&2
	tap $? "without libunwind, check= does not disturb the program"
	test "$(grep '^zprof: ' bare.err)" = "zprof: check= needs the library 'libunwind.so.8'; install the package libunwind8; running unprofiled" &&
		test ! -e bare/out/profile
	tap $? "and one line says what is missing"
	bare output=/out/profile
	cmp bare.plain bare.out >&2 && ! grep '^zprof: ' bare.err && test -s bare/out/profile
	tap $? "without check=, there and without /proc, it is recorded"
else
	skip "a machine without libunwind" "chroot is not permitted here"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-setuid.sh - a program with rights of its own (setuid, setgid), linked with the library, and run by a user who asks for a
# profile: whatever is asked, it is not recorded, and runs as without the library.
. "${0%/*}/../lib/check.sh"
unset ZPROF_OPTIONS ZPROF_RUN LD_PRELOAD
cd "$TEST_TMP" || exit 2

# A folder that every user can reach, on a file system that honours such rights.
open=$(mktemp -d "${TMPDIR:-/tmp}/zprof-setuid.XXXXXX")
trap 'rm -rf "$open"' EXIT
chmod 777 "$open"
cp "$ZPROF_BUILD/libzprof.so" "$open"
mkdir "$open/own"
chmod 777 "$open/own"
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
cat >privileged.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { return n + 1; }
int main(void)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	int n = 0, walker = 0;
	for (int i = 0; i < 1000; i++)
		n = leaf(n);
	while (maps && fgets(line, sizeof line, maps))
		walker |= strstr(line, "libunwind") != NULL;
	/* the lowest descriptor that is free: none is held */
	printf("%d calls, euid %d, egid %d, libunwind %s, next descriptor %d, run %s\n", n, (int)geteuid(), (int)getegid(),
	       walker ? "loaded" : "not loaded", dup(0), getenv("ZPROF_RUN") ? getenv("ZPROF_RUN") : "none");
	fprintf(stderr, "secure: %lu\n", getauxval(AT_SECURE));
	return 3;
}
END_C
${CC:-gcc} -O2 -g -finstrument-functions privileged.c -o "$open/linked" -L"$open" -lzprof -Wl,-rpath,"$open" || exit 1
${CC:-gcc} -O2 -g privileged.c -o "$open/plain" || exit 1

# as MODE PROGRAM [VARIABLE=VALUE]...: runs it as nobody. Leaves out, err, status.
as() {
	mode=$1 program=$2
	shift 2
	chown 0:0 "$open/$program" && chmod "$mode" "$open/$program"
	(cd "$open/own" && $nobody env "$@" "$open/$program") >out 2>err
	echo $? >status
}

if ! $nobody true 2>/dev/null || ! as 4755 plain X=x || ! grep -q 'secure: 1' err; then
	skip "a setuid program ignores all options" "needs root, and a file system that honours setuid"
	finish
	exit
fi

as 755 linked ZPROF_OPTIONS=output="$open/own/profile",check=1
test -s "$open/own/profile" && grep -q 'libunwind loaded' out
tap $? "without such rights, the program is recorded, and its stack checked"
rm -f "$open"/own/*

for mode in 4755 2755 6755; do
	as $mode plain X=x
	cp out plain.out; cp err plain.err; cp status plain.status
	for options in "" output="$open/own/profile" output="$open/own/profile",check=1,verbose=1,report=1 nonsense output=/proc/none; do
		for how in "X=x" "LD_PRELOAD=$open/libzprof.so" "ZPROF_RUN=00000000000000000000000000000000"; do
			as $mode linked "$how" ZPROF_OPTIONS="$options"
			# the run's id comes from the environment, and the plain run has none
			sed 's/run 0*$/run none/' out | cmp - plain.out >&2 && cmp err plain.err >&2 && cmp status plain.status >&2 && test -z "$(ls "$open/own")"
			tap $? "mode $mode, ${how%%=*}, ZPROF_OPTIONS='${options#"output=$open/own/"}': as without"
			rm -f "$open"/own/*
		done
	done
done
finish

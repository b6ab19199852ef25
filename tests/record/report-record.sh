#!/bin/sh
# SPDX-License-Identifier: MIT
# zprof record stays out of the program's way, says where the profile is, and refuses by name what cannot work.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
cc=${CC:-gcc}
unset ZPROF_RUN ZPROF_LIB

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>
static void work(void) { }
int main(int argc, char **argv)
{
	work();
	if (argc > 1 && !strcmp(argv[1], "env"))
		printf("%s\n%s\n", getenv("LD_PRELOAD"), getenv("ZPROF_OPTIONS"));
	if (argc > 1 && !strcmp(argv[1], "signals")) {
		struct sigaction act;
		for (int i = 1; i < 32; i++)
			if (!sigaction(i, NULL, &act) && act.sa_handler != SIG_DFL)
				printf("signal %d is not as it was\n", i);
	}
	if (argc > 1 && !strcmp(argv[1], "fork")) {
		if (!fork())
			work();
		else
			wait(NULL);
	}
	if (argc > 1 && !strcmp(argv[1], "cat")) {
		int c;
		while ((c = getchar()) != EOF)
			putchar(c);
	}
	if (argc > 1 && !strcmp(argv[1], "wait"))
		for (;;)
			pause();
	if (argc > 1 && !strcmp(argv[1], "kill"))
		kill(getpid(), atoi(argv[2]));
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
"$cc" -g -finstrument-functions prog.c -o prog || exit 1
"$cc" prog.c -o plain
"$cc" -static prog.c -o static 2>/dev/null

# exit statuses
expect 0 "zprof: the profile is in 'zprof.out." "$zprof" record ./prog
expect 7 "zprof: the profile is in" "$zprof" record ./prog 7
expect 137 "zprof: the profile is in" "$zprof" record ./prog kill 9
expect 143 "zprof: the profile is in" "$zprof" record -- ./prog kill 15
expect 127 "zprof: cannot run 'no-such-program': No such file or directory" env PATH=/usr/bin:/bin "$zprof" record no-such-program
expect 127 "zprof: cannot run './nothing': No such file or directory" "$zprof" record ./nothing
touch unrunnable && chmod 644 unrunnable
expect 126 "zprof: cannot run './unrunnable': it is not executable; name the program that is built of it, or make it executable with 'chmod +x ./unrunnable'" "$zprof" record ./unrunnable
expect 127 "zprof: cannot run 'unrunnable': no folder of PATH has a program of that name; the file of that name in this folder is not executable: name the program that is built of it" "$zprof" record unrunnable
expect 127 "zprof: cannot run 'prog': no folder of PATH has a program of that name; the one in this folder is './prog'" env PATH=/usr/bin:/bin "$zprof" record prog
expect 126 "zprof: cannot run '/usr': it is a folder; name a program in it" "$zprof" record /usr
# the system says "No such file" of files that are there: something else is missing
printf '#! /none/sh -e\n' >orphan && chmod +x orphan
expect 127 "zprof: cannot run './orphan': its interpreter '/none/sh' does not exist; name another in its first line, '#!...'" "$zprof" record ./orphan
printf '#!/bin/sh\r\n' >crlf && chmod +x crlf
expect 127 "zprof: cannot run './crlf': its first line ends with CR LF, so the interpreter '/bin/sh' is not found; end its lines with LF alone" "$zprof" record ./crlf
"$cc" prog.c -o loaderless -Wl,--dynamic-linker=/none/ld.so
expect 127 "zprof: cannot run './loaderless': the loader that it asks for, '/none/ld.so', does not exist; install the C library that it was linked with, or link it on this system" "$zprof" record ./loaderless
expect 2 "zprof: no program to run" "$zprof" record
expect 2 "zprof: unknown option '--nonsense'; see 'zprof help record'" "$zprof" record --nonsense ./prog
expect 2 "zprof: option '--output' needs a value: PATTERN" "$zprof" record --output
expect 125 "zprof: cannot read '/nonexistent/libzprof.so', which ZPROF_LIB names: No such file or directory" env ZPROF_LIB=/nonexistent/libzprof.so "$zprof" record ./prog

# what cannot work, by name; nothing has run then
expect 125 "zprof: cannot profile './static': it is linked statically" "$zprof" record ./static
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000%050d' 0 >elf32 && chmod +x elf32
expect 125 "zprof: cannot profile './elf32': it is a 32-bit program" "$zprof" record ./elf32
cp prog arm && printf '\267' | dd of=arm bs=1 seek=18 conv=notrunc 2>/dev/null
expect 125 "zprof: cannot profile './arm': it is for another processor" "$zprof" record ./arm
sed 's|/lib64/ld-linux-x86-64.so.2|/lib/ld-musl-x86_64.so.1\x00\x00\x00|' prog >musl && chmod +x musl
expect 125 "zprof: cannot profile './musl': it uses musl (/lib/ld-musl-x86_64.so.1)" "$zprof" record ./musl
if [ "$(id -u)" = 0 ]; then
	cp prog other && chown 65534 other && chmod 4755 other
	expect 125 "zprof: cannot profile './other': it is setuid" "$zprof" record ./other
	cp prog other && chgrp 65534 other && chmod 2755 other
	expect 125 "zprof: cannot profile './other': it is setgid" "$zprof" record ./other
else
	# programs that every Debian has
	expect 125 "it is setuid" "$zprof" record /usr/bin/su --version
	expect 125 "it is setgid" "$zprof" record /usr/bin/expiry
fi
printf '#!%s/static\n' "$PWD" >script && chmod +x script
expect 125 "it is linked statically" "$zprof" record ./script
"$zprof" record --any ./script >said 2>&1
is "with --any, that is all that is said" "125 1" "$? $(wc -l <said)"
expect 0 "zprof: no profile was written: no instrumented function ran in './plain'; 'zprof record --any' records its functions as they are, 'zprof record --sampled' samples them from outside, or build it with -g -finstrument-functions" "$zprof" record ./plain
printf '#!%s/plain\n' "$PWD" >script
expect 0 "no instrumented function ran in './script'; 'zprof record --any' records" "$zprof" record ./script
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: the profile is in" "$zprof" record --any -o any.zp ./script
printf '#!/usr/bin/env -S A=1 plain\n' >script
PATH=$PWD:$PATH XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: the profile is in" "$zprof" record --any -o env.zp ./script
is "of a script that env(1) finds the interpreter for, the interpreter is recorded" 1 "$("$zprof" report env.zp | grep -c ' main$')"
cat >bare.c <<'END'
unsigned __attribute__((noinline)) one(unsigned x) { return x * 1664525u + 1013904223u; }
unsigned __attribute__((noinline)) two(unsigned x) { return one(x) * 1664525u + 1013904223u; }
int main(void) { unsigned x = 0; for (int i = 0; i < 10; i++) x = one(two(x)); return x == 1; }
END
gcc -O1 bare.c -o bare || exit 1
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: --only: no function matches 'tow' (did you mean 'two'" "$zprof" record --any --only 'one tow' -o any.zp --force ./bare
is "--only chooses among functions without hooks" "one 20" "$("$zprof" report --json any.zp | sed -n 's/.*"name":"\(one\|two\|main\)".*"calls":\([0-9]*\),.*/\1 \2/p')"
is "and no other function has a trampoline" "functions recorded without hooks in their code: 1" "$("$zprof" info any.zp | sed -n 's/.*note *\(functions recorded without.*\)/\1/p')"
echo '#include <stdlib.h>
int main(int n, char **v) { return strtol(v[1], 0, 10) != 7; }' >numbers.c
gcc -O1 numbers.c -o numbers || exit 1
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: the profile is in" "$zprof" record --any --libs 'libm.so* libc.so*' -o libs.zp ./numbers 7
"$zprof" report --format calls,name libs.zp >text
is "--libs adds functions of libc" "yes" "$(grep -q '^ *1 .*strtol' text && echo yes)"
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: the profile is in" "$zprof" record --any -o libs.zp --force ./numbers 7
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: no library that './numbers' starts with has a name like 'libno*'" \
	"$zprof" record --any --libs 'libno*' -o libs.zp --force ./numbers 7
is "which are not recorded without it" "0" "$("$zprof" report --format calls,name libs.zp | grep -c strtol)"
rm libs.zp
# a library whose constructor starts a thread
cat >early.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void *wait_for_end(void *x) { for (;;) pause(); return x; }
__attribute__((constructor)) static void begin(void) { pthread_t t; pthread_create(&t, 0, wait_for_end, 0); }
int three(int x) { return x + 3; }
END
gcc -O1 -shared -fPIC early.c -o libearly.so -lpthread || exit 1
echo 'int three(int x); int main(void) { return three(-3); }' >late.c
gcc -O1 late.c -o late -L. -learly -Wl,-rpath,"$PWD" || exit 1
XDG_CACHE_HOME=$PWD/cache expect 0 "zprof: no function without hooks is recorded, as none could be displaced; a thread began before that" "$zprof" record --any -o late.zp ./late
XDG_CACHE_HOME=$PWD/cache "$zprof" record --any -o late.zp ./late 2>said
is "and nothing else is claimed" "0" "$(grep -c 'can be recorded\|profile is in' said)"
# a library that $ORIGIN finds, and a program that a symbolic link in another folder names
mkdir -p tree/bin
echo 'unsigned three(unsigned x) { return x * 1664525u + 1013904223u; }' >three.c
gcc -O1 -shared -fPIC three.c -o tree/bin/libthree.so || exit 1
echo 'unsigned three(unsigned x); int main(void) { unsigned x = 0; for (int i = 0; i < 10; i++) x = three(x); return x == 1; }' >uses.c
gcc -O1 uses.c -o tree/bin/uses -Ltree/bin -lthree -Wl,-rpath,'$ORIGIN' || exit 1
ln -s tree/bin/uses linked
XDG_CACHE_HOME=$PWD/cache "$zprof" record --any -o any.zp --force ./linked >said 2>&1
is "a program named by a symbolic link: the loader finds its libraries" "0 0" "$? $(grep -c 'error while loading' said)"
is "their functions are recorded" "three 10" "$("$zprof" report --json any.zp | sed -n 's/.*"name":"\(three\)".*"calls":\([0-9]*\),.*/\1 \2/p')"
rm -r tree linked any.zp env.zp script

# the page at the end: the program's status, its output and the environment of the browser are as without
cat >browser <<'END'
#!/bin/sh
echo "$1 $(head -c 15 "$1") ${LD_PRELOAD:-no preload}"
END
chmod +x browser
expect 7 "zprof.html <!DOCTYPE html> no preload" env BROWSER=./none:./browser "$zprof" record --open ./prog 7
BROWSER=./browser "$zprof" record --open ./prog env >said 2>/dev/null
[ "$(wc -l <said)" = 2 ]
tap $? "the browser does not print on the program's stdout"
rm -f zprof.html
expect 0 "zprof: cannot show 'zprof.html': the browser failed with status 1" env BROWSER=false "$zprof" record --open ./prog
expect 0 "zprof: cannot show 'zprof.html': neither \$BROWSER nor xdg-open can be run; open it in a browser" env PATH=/none BROWSER= "$zprof" record --open "$PWD/prog"
mkdir unwritable && ln -s /none/x unwritable/zprof.html
expect 0 "zprof: cannot make the page 'zprof.html'" env -C unwritable BROWSER=true "$zprof" record --open ../prog
expect 2 "zprof: option '--open=x' takes no value" "$zprof" record --open=x ./prog
rm -rf zprof.html unwritable

# a failure is not blamed on the program
expect 0 "zprof: no profile was written: cannot write into 'none': No such file or directory" "$zprof" record --output none/x ./prog
expect 0 "zprof: cannot create '" "$zprof" record --output none/x ./prog

# -o as other programs have it
expect 0 "zprof: the profile is in 'short.prof'" "$zprof" record -o short.prof ./prog
expect 0 "zprof: the profile is in 'shorter.prof'" "$zprof" record -oshorter.prof -- ./prog
rm -f short.prof shorter.prof

# nothing is run if the options make no sense
expect 2 "zprof: option '--output' needs a value: PATTERN; see 'zprof help record'" "$zprof" record -o
expect 2 "zprof: --clock is count or exact, not 'exakt' (did you mean 'exact'?); see 'zprof help record'" "$zprof" record --clock exakt ./prog
expect 2 "zprof: --history is off, self or full, not 'fall' (did you mean 'full'?); see 'zprof help record'" "$zprof" record --history fall ./prog
expect 2 "zprof: --start is on or off, not 'later'; see 'zprof help record'" "$zprof" record --start later ./prog
expect 2 "zprof: '--max_nodes' takes a number from 64 to 16711680, not '4mm'" "$zprof" record --max-nodes=4mm ./prog
expect 2 "zprof: unknown option '--hertz'; see 'zprof help record'" "$zprof" record --hertz 100 ./prog
expect 2 "zprof: '--recursion' takes a number from 0 to 4294967295, not 'deep'" "$zprof" record --recursion deep ./prog
expect 2 "zprof: bad regular expression '/(/'" "$zprof" record --only 'work /(/' ./prog
expect 125 "zprof: no group 'nosuch'; groups are read from 'zprof.groups' here" "$zprof" record --only 'work group:nosuch' ./prog
expect 125 "zprof: cannot open 'none.groups': No such file or directory" "$zprof" record --report --groups none.groups ./prog
# a pattern that matches nothing: the profile is empty, and the user learns why
expect 0 "zprof: --only: no function with hooks matches 'wrk' (did you mean 'work'?)" "$zprof" record --quiet -o only.prof --only 'main wrk' ./prog
[ "$(grep -c 'no function' actual)" = 1 ]
tap $? "and nothing of the pattern that matches"
expect 0 "zprof: --only: no function with hooks matches '/^w$/'" "$zprof" record --quiet -o only.prof --only '/^w$/' ./prog
expect 0 "zprof: --frame: no function with hooks matches 'wrk' (did you mean 'work'?)" "$zprof" record --quiet -o only.prof --frame 'main wrk' ./prog
expect 2 "has no single calls: no function that ran matches the pattern it was recorded with, tails=wrk (did you mean 'work'?)" \
	sh -c "ZPROF_OPTIONS=tails=wrk '$zprof' record -o only.prof ./prog 2>said; '$zprof' frames --tails only.prof"
grep -qxF "zprof: --tails: no function with hooks matches 'wrk' (did you mean 'work'?)" said
tap $? "a pattern for --tails in the environment, too"
cp prog stripped && strip stripped && "$zprof" record --quiet -o only.prof --only wrk ./stripped >said 2>&1
[ ! -s said ]
tap $? "nothing is said of a program without symbols"
rm -f only.prof
# the command and the library agree on values at and beyond the bounds
differ=
for option in max_nodes recursion check; do
	for value in 0 1 63 64 16711680 16711681 16m 15m 1000000 1000001 1k 4294967295 4294967296 4g 18014398509481984k 99999999999999999999; do
		ZPROF_OPTIONS=output=bounds,$option=$value LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog 2>said
		grep -q 'bad value' said && library=refused || library=taken
		rm -f bounds
		"$zprof" record -o bounds "--$option=$value" ./prog 2>said
		[ $? = 2 ] && command=refused || command=taken
		rm -f bounds
		[ $library = $command ] || differ="$differ $option=$value:$library"
	done
done
[ -z "$differ" ]
tap $? "the command refuses what the library would$differ"
expect 3 "zprof: the profile is in" "$zprof" record --clock count --recursion 5 -o flags.prof ./prog 3
"$zprof" info flags.prof | grep -q 'options.*clock=count,recursion=5'
tap $? "flags of timing and bounds are handed on"
rm -f flags.prof*

# what a script runs is recorded
printf '#!/bin/sh\nexec ./prog 3\n' >script && chmod +x script
expect 3 "zprof: the profile is in" "$zprof" record ./script

# the program's own input, output, environment and signals
echo "some input" | "$zprof" record ./prog cat >out 2>err
[ "$(cat out)" = "some input" ]
tap $? "input and output are the program's own"
LD_PRELOAD=libm.so.6 ZPROF_OPTIONS=verbose=0 "$zprof" record --max-nodes 5k --output 'my,name.%p' ./prog env >out 2>err
sed "s|^$ZPROF_BUILD/||" out >actual
printf 'libzprof.so:libm.so.6\nverbose=0,max_nodes=5k,output=my\\,name.%%p\n' | diff - actual | sed 's/^/# /' >difference
[ ! -s difference ]
tap $? "LD_PRELOAD and ZPROF_OPTIONS keep their contents"
cat difference
ls my,name.[0-9]* >/dev/null && grep -q "zprof: the profile is in 'my,name\.[0-9]*'" err
tap $? "a profile by another name is found"
ZPROF_OPTIONS='verbose=0,output=their\,own.%p' expect 0 "zprof: the profile is in 'their,own." "$zprof" record ./prog
ZPROF_OPTIONS='output=their\,own.%p' expect 0 "zprof: the profile is in 'ours." "$zprof" record --output ours.%p ./prog
rm -f their,own.* ours.*
"$zprof" record ./prog signals >out 2>err
[ ! -s out ]
tap $? "no signal is ignored or handled for the program"
env --ignore-signal=CHLD "$zprof" record ./prog 7 2>err
[ $? = 7 ]
tap $? "who started zprof may ignore SIGCHLD: the status is the program's"
env --ignore-signal=CHLD grep SigIgn /proc/self/status >wanted
env --ignore-signal=CHLD "$zprof" record grep SigIgn /proc/self/status >actual 2>err
grep -q '1....$' wanted && cmp -s actual wanted
tap $? "and the program then ignores it, too"
"$zprof" record --output waiting.%p ./prog wait 2>err &
pid=$!
until ls waiting.[0-9]* >out 2>&1; do sleep 0.05; done
kill -TERM $pid
wait $pid
[ $? = 143 ]
tap $? "a signal sent to zprof is the program's"

# a run of several processes
rm -f zprof.out.* my,name.* waiting.*
expect 0 "zprof: the profiles of 2 processes are in 'zprof.out." "$zprof" record ./prog fork
expect 0 "2 processes" "$zprof" graph
rm -f zprof.out.* my,name.* waiting.*
"$zprof" record ./prog >out 2>err && "$zprof" record ./prog fork >out 2>err
expect 0 "2 processes" "$zprof" graph
expect 0 "3 processes" "$zprof" graph .
expect 0 "3 processes" "$zprof" graph . zprof.out.* ./zprof.out.*

# the report at the end
"$zprof" record --report ./prog >out 2>err
grep -q '^index  % time' err && grep -q 'main \[[0-9]*\]' err && [ ! -s out ]
tap $? "--report prints the graph on stderr"
"$zprof" record --report=graph.txt ./prog >out 2>err
grep -q 'work \[[0-9]*\]' graph.txt && ! grep -q index err
tap $? "--report=FILE writes it there"

[ "$(stat -c %a graph.txt)" = 600 ]
tap $? "only the user may read that file"
rm -f ran
printf '#!/bin/sh\ntouch ran\nexec ./prog\n' >marks && chmod +x marks
expect 125 "zprof: --report: the file 'graph.txt' exists" "$zprof" record --report=graph.txt ./marks
echo precious >target && ln -s target link && ln -s nothing dangling
expect 125 "zprof: --report: the file 'link' exists" "$zprof" record --report=link ./marks
expect 125 "zprof: --report: the file 'dangling' exists" "$zprof" record --report=dangling ./marks
expect 125 "zprof: --report: cannot write 'none/x': No such file or directory" "$zprof" record --report=none/x ./marks
[ "$(cat target)" = precious ] && [ ! -e nothing ] && [ ! -e ran ] && grep -q 'work \[' graph.txt
tap $? "nothing was written over or through a link, and the program did not run"
"$zprof" record --report=empty.txt ./plain 2>err; "$zprof" record --report=empty2.txt ./nothing 2>err
[ ! -e empty.txt ] && [ ! -e empty2.txt ]
tap $? "without a profile, no report is left"

# only some functions
"$zprof" record --only work --output only.%p ./prog >out 2>err
"$zprof" graph --json only.[0-9]* | tr -d '\n' | grep -qE '"id":([0-9]+),"name":"work".*"calls":1,.*"arcs":\[.*\{"caller":null,"callee":\1,"calls":1,' &&
	! "$zprof" graph --no-via only.[0-9]* | grep -qw main &&
	"$zprof" graph only.[0-9]* | grep -q '<spontaneous> via main$'
tap $? "--only records what it names"
printf '[group them]\nfile = prog.c\n[group none]\nfunc = nosuch\n' >zprof.groups
"$zprof" record --only 'group:none work' --output groups.%p ./prog >out 2>err
"$zprof" report groups.[0-9]* | grep -q ' work ' && ! "$zprof" report groups.[0-9]* | grep -q ' main '
tap $? "--only takes groups and several patterns"

# on a terminal, a summary; a live profile is marked; a profile on stdin
expect 0 "zprof: 2 calls in " script -qec "$zprof record ./prog" /dev/null
expect 0 "; see 'zprof report'" script -qec "$zprof record ./prog" /dev/null
expect 0 "; see 'zprof report there.prof'" script -qec "$zprof record -o there.prof ./prog" /dev/null
script -qec "$zprof record --quiet ./prog" /dev/null >said </dev/null
[ ! -s said ]
tap $? "--quiet says nothing"
"$zprof" record -o live.prof ./prog wait 2>/dev/null & recorder=$!
until "$zprof" info live.prof 2>/dev/null | grep -q 'holds  *[1-9]'; do sleep 0.1; done
pid=$("$zprof" info live.prof | sed -n 's/^  process  *\([0-9]*\),.*/\1/p')
expect 0 "process $pid runs, and is being recorded" "$zprof" info live.prof
kill "$recorder"; wait "$recorder"
expect 0 "killed, ended by _exit(), or replaced by another program" "$zprof" info live.prof
cat there.prof | "$zprof" report - >piped && "$zprof" report there.prof | diff - piped
tap $? "a profile on stdin"
finish

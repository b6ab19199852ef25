#!/bin/sh
# SPDX-License-Identifier: MIT
# ZPROF_OPTIONS, the profile's name, report= and only=: what they do and print, and that the program does not notice.
. "${0%/*}/../lib/golden.sh"
lib=$ZPROF_BUILD/libzprof.so
zprof=$ZPROF_BUILD/zprof
unset ZPROF_RUN ZPROF_OPTIONS

cat >prog.c <<'END'
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
#define PLAIN __attribute__((no_instrument_function))
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) void work(void) { leaf(); leaf(); }
__attribute__((noinline)) void other(void) { leaf(); }
static volatile int children;
PLAIN static void on_child(int s) { (void)s; children++; }
PLAIN static void at_end(void)
{
	errno = 0;
	if (children || wait(NULL) != -1 || errno != ECHILD)
		printf("a child was seen\n");
}
int main(int argc, char **argv, char **envp)
{
	char **before = environ, command[4096];
	int n, m;

	for (n = 0; environ[n]; n++)
		;
	signal(SIGCHLD, on_child);
	atexit(at_end);
	if (argc > 1 && !strcmp(argv[1], "env"))
		printf("%s\n", getenv("ZPROF_OPTIONS"));
	if (argc > 1 && !strcmp(argv[1], "chdir") && chdir("/"))
		return 9;
	work();
	other();
	for (m = 0; environ[m]; m++)
		;
	if (environ != before || environ != envp || m != n || getenv("ZPROF_RUN"))
		printf("the environment has changed\n");
	if (argc > 1 && !strcmp(argv[1], "family")) {
		fflush(stdout);
		snprintf(command, sizeof(command), "%s", argv[0]);
		if (system(command) < 0 || pclose(popen(command, "r")) < 0)
			return 9;
		snprintf(command, sizeof(command), "mkdir -p below && cd below && ../%s", argv[0]);
		if (system(command) < 0 || posix_spawn(&(pid_t){0}, argv[0], NULL, NULL, argv + 1, environ))
			return 9;
		wait(NULL);
	}
	if (argc > 1 && !strcmp(argv[1], "fork") && fork())
		waitpid(-1, NULL, 0);
	if (argc > 1 && !strcmp(argv[1], "start") && !vfork())
		execl(argv[0], argv[0], "fork", (char *)NULL);
	if (argc > 1 && !strcmp(argv[1], "start"))
		waitpid(-1, NULL, 0);
	if (argc > 1 && !strcmp(argv[1], "exec"))
		execl(argv[0], argv[0], (char *)NULL);
	return 3;
}
END
${CC:-gcc} -g -O1 -finstrument-functions prog.c -o prog
${CC:-gcc} -O1 prog.c -o plain

run() { # OPTIONS [ARG]: runs prog under the library
	rm -f zprof.out*
	ZPROF_OPTIONS=$1 LD_PRELOAD=$lib ./prog ${2:+"$2"} >out 2>err
	rc=$?
}
calls() { # NAME FILE...: calls of a function
	name=$1; shift
	"$zprof" report --json "$@" | tr '{' '\n' | sed -n "s/.*\"name\": *\"$name\".*\"calls\": *\([0-9]*\).*/\1/p"
}
has() { # WHAT TEXT FILE
	grep -qF -e "$2" "$3"
	tap $? "$1" || sed 's/^/# /' "$3"
}

run ''
is "the program's exit status is its own" 3 $rc
is "nothing is printed" "" "$(cat out err)"
is "one profile appears" 1 "$(ls zprof.out.* | wc -l)"
is "for its owner only" -rw------- "$(ls -l zprof.out.* | cut -c1-10)"
is "work was called once" 1 "$(calls work zprof.out.*)"
is "leaf three times" 3 "$(calls leaf zprof.out.*)"

rm -f zprof.out*
LD_PRELOAD=$lib ./plain >out 2>err
is "a program without hooks prints nothing more" "" "$(cat out err)"
is "and no file" "" "$(ls zprof.out* 2>/dev/null)"

for bad in nonsense=1 max_nodes=x max_nodes=1 clock=sundial verbose=yes output= report; do
	run "$bad"
	is "$bad: runs on unprofiled" "3 0" "$rc $(ls zprof.out* 2>/dev/null | wc -l)"
	is "$bad: says so in one line" 1 "$(grep -c '^zprof: .*running unprofiled$' err)"
done
run max_nodes=1
has "a number out of range: names the range" "max_nodes takes a number from 64 to 16711680;" err

run 'output=p\,%e-%%-%p,verbose=1'
is "output= knows %e, %%, %p and the escaped comma" 1 "$(ls | grep -cE '^p,prog-%-[0-9]+$')"
has "verbose= says where" "/p,prog-%-" err
rm -f 'p,'*
run output=same
run output=same
is "a name that is taken gets a number" "same same.2" "$(echo same*)"
rm -f same*; ln -s target same
run output=same
is "a symlink is not followed" "no" "$([ -e target ] && echo yes || echo no)"
rm -f same*
run output=rel chdir
is "output is relative to where the program began" 1 "$(ls rel | wc -l)"; rm -f rel

run report=1
has "report=1 prints the call graph" "index  % time" err
is "and the program's wait and SIGCHLD see nothing" "" "$(cat out)"
rm -f graph; run report=graph
has "report=FILE writes it there" "index  % time" graph
rm -f graph; run report=graph fork
is "a forked child prints nothing of its own" "" "$(cat err)"
has "it is in the report of the whole run" "2 processes" graph
for how in start=3 exec=2; do
	run report=1 ${how%=*}
	is "$how processes: one report" 1 "$(grep -c '^index  % time' err)"
	has "$how: of them all" "${how#*=} processes" err
done
run report=graph
has "and does not overwrite it" "cannot create 'graph': File exists" err

run clock=count,sample=0
is "clock=count: leaf three times" 3 "$(calls leaf zprof.out.*)"
is "clock=count: no time at all" 0 "$("$zprof" report --json zprof.out.* | grep -o '"self_ticks": *[0-9]*' | grep -vc '[: ]0$')"

run only=work
is "only=work: work is recorded" 1 "$(calls work zprof.out.*)"
is "only=work: leaf is not" "" "$(calls leaf zprof.out.*)"
is "only=work: wait and SIGCHLD saw nothing" "" "$(cat out)"
printf '[group mine]\nfunc = le* oth*\n' >zprof.groups
run only=group:mine
is "only=group:mine: leaf by its pattern, main not" "3" "$(calls leaf zprof.out.*)$(calls main zprof.out.*)"

run '' family
is "the environment is as without the library" 0 "$(grep -c 'the environment has changed' out)"
is "a profile each: of system(), popen(), posix_spawn(), and in another folder" 5 "$(ls zprof.out.* below/zprof.out.* | wc -l)"
is "all belong to one run" 1 "$(for f in zprof.out.* below/zprof.out.*; do "$zprof" info --json "$f" | grep -o '"run": *"[0-9a-f]*"'; done | sort -u | wc -l)"
first=$("$zprof" info --json zprof.out.* | grep -o '"run": *"[0-9a-f]*"' | head -1)
run ''
is "the next run is another" yes "$([ "$first" = "$("$zprof" info --json zprof.out.* | grep -o '"run": *"[0-9a-f]*"')" ] || echo yes)"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Many processes: which runs a folder has, a view of each process, elapsed time beside summed time, and how old runs are removed.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
export TZ=UTC0
spec=$golden_folder/report/sample.spec
made() { "$ZPROF_BUILD/tests/make_profile" "$1"; }

# ---- three runs of a program with twelve children
cat >family.c <<'E'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline))
APART static void child(int number) { usleep(1000u * (unsigned)number); }
APART static void parent(int children)
{
	for (int i = 1; i <= children; i++)
		if (!fork()) {
			child(i);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
}
int main(void) { parent(12); return 0; }
E
gcc -g -O2 -finstrument-functions family.c -o family || exit 1
mkdir runs && cd runs || exit 1
for i in 1 2 3; do "$zprof" record ../family 2>/dev/null; done
"$zprof" ls >../listed
cd ..
[ "$(grep -c '^20.* 13 .*zprof.out.*family$' listed)" = 3 ] && [ "$(wc -l <listed)" = 4 ]
tap $? "ls has a line for each run: 13 processes"
sed 's/^/# /' listed
"$zprof" ls --json runs | grep -c '"processes":13,' | grep -qx 3
tap $? "and so in JSON"
first=$(awk 'NR == 2 { for (i = 1; i <= NF; i++) if ($i ~ /^zprof.out/) print $i }' listed)
"$zprof" report --json --run "runs/$first" 2>/dev/null >report.json
grep -q '^"processes":13,' report.json && [ "$(grep -c '"parent_pid"' report.json)" = 13 ] && grep '"name":"child"' report.json | grep -q '"calls":12,'
tap $? "JSON names the processes of a run"
# children wait 1 to 12 ms each, at the same time: 78 ms in all, in far less
"$zprof" report --run "runs/$first" 2>/dev/null | sed -n 2p >head
grep -qE '^elapsed [0-9.]+ m?s; .* of 13 processes; ' head
tap $? "elapsed time is beside summed time: $(cat head)"
child=$(sed -n '/^"process_list"/,/\],/s/.*"pid":\([0-9]*\),.*/\1/p' report.json | tail -1)
"$zprof" report --json --run --pid "$child" "runs/$first" 2>/dev/null | grep '"name":"child"' | grep -q '"calls":1,'
tap $? "--pid restricts to one process"
expect 1 "--pid: no process in the profile has the number '1'" "$zprof" report --run --pid 1 "runs/$first"
expect 0 "Restricted to processes $child." "$zprof" report --run --pid "$child" "runs/$first"
for view in report "report --tree" graph groups tune; do
	# shellcheck disable=SC2086
	"$zprof" $view --by-process --run "runs/$first" >text 2>/dev/null
	[ "$(grep -c "^process [0-9]* (../family): .*, elapsed " text)" = 13 ]
	tap $? "$view --by-process"
	# shellcheck disable=SC2086
	"$zprof" $view --by-process --json --run "runs/$first" 2>/dev/null | "$ZPROF_BUILD/tests/json_shape" | grep -q '^by_process\[\].process integer'
	tap $? "$view --by-process --json"
	# shellcheck disable=SC2086
	"$zprof" $view --by-thread --run "runs/$first" 2>/dev/null | grep -c "^thread 'family' " | grep -qx 13
	tap $? "$view --by-thread"
done
"$zprof" info --run --pid "$child" "runs/$first" >text 2>/dev/null
grep -q "^  process  *$child, started by" text && [ "$(grep -c '^  process ' text)" = 1 ]
tap $? "info describes the process that --pid names"
"$zprof" info --json --run --pid "$child" "runs/$first" 2>/dev/null | sed -n '/^"files"/,/\]/p' | grep -c '"path"' | grep -qx 1
tap $? "and so in JSON"
"$zprof" info --by-process --by-thread --run "runs/$first" >text 2>/dev/null
[ "$(grep -c '^  by thread  *family (number [0-9]*): .*, [0-9]* calls*$' text)" = 13 ] && [ "$(grep -c '^  process ' text)" = 13 ]
tap $? "info --by-process --by-thread"
# tune finds in the parts what it finds in the whole
"$zprof" tune --json --run "runs/$first" 2>/dev/null >whole
"$zprof" tune --json --by-process --run "runs/$first" 2>/dev/null >parts
runs_of() { grep -o '"run_ns":[0-9.e+]*' "$1" | cut -d: -f2 | awk '{ s += $1 } END { printf "%.0f\n", s / 100 }'; }
[ "$(runs_of whole)" = "$(runs_of parts)" ] && [ "$(grep -c '"run_ns"' parts)" = 13 ]
tap $? "the runs of the processes, hooks included, sum to tune's: $(runs_of parts)"
# Threads added up while loading are the same as threads kept one by one.
"$zprof" report --json --run "runs/$first" 2>/dev/null | sed -n '/^"threads"/,$p' >folded
"$zprof" report --json --tree --run "runs/$first" 2>/dev/null | sed -n '/^"threads"/,$p' | cmp - folded
tap $? "JSON has the threads of each process"
[ "$(grep -c '"tid"' folded)" = 13 ]
tap $? "all of them"
# the sums of the parts are the whole
made a.prof <"$spec"
sed 's/^pid .*/pid 200 100/; s/scan_word 20 400/scan_word 5 100/' "$spec" | made b.prof
"$zprof" report --json --by-process a.prof b.prof 2>/dev/null | grep -o '"name":"scan_word".*"self_ticks":[0-9]*' | sed 's/.*://' | paste -sd+ | sed 's/$/ /' >parts
"$zprof" report --json a.prof b.prof 2>/dev/null | grep -o '"name":"scan_word".*"self_ticks":[0-9]*' | sed 's/.*://' >whole
[ $(($(cat parts))) = "$(cat whole)" ]
tap $? "processes sum to the whole: $(cat parts)"

# the duration of a process is known even if it ends by _exit: it makes calls until it has had 200 ms of CPU time
cat >last.c <<'E'
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static double cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
int main(void)
{
	while (cpu_ms() < 200)
		;
	_exit(0);
}
E
gcc -g -O2 -finstrument-functions last.c -o last && "$zprof" record --quiet -o last.zp ./last && "$zprof" info --json last.zp >last.json
elapsed=$(grep -o '"elapsed_ns":[0-9]*' last.json | tail -1 | cut -d: -f2)
[ "${elapsed:-0}" -ge 100000000 ]
tap $? "the elapsed time of a process that ends by _exit: $elapsed ns"

# ---- merged, a run stays what it was
"$zprof" merge --run -o run.zp "runs/$first" 2>/dev/null
"$zprof" ls run.zp | grep -q ' 13 .*merged, 1 run '
tap $? "ls says what a merged profile was made from"
"$zprof" merge -o all.zp runs 2>/dev/null
"$zprof" ls all.zp | grep -q ' 39 .*merged, 3 runs '
tap $? "and of how many runs"
expect 0 "Functions, 0 of " "$zprof" diff --measure calls runs all.zp
"$zprof" diff --measure calls --all runs all.zp 2>/dev/null | grep -q '^calls  *12  *12  *0  *1.000  child'
tap $? "a merged profile of three runs compares as the mean of three"

# ---- removing
expect 1 "--keep N says how many runs in the folder '.' to keep" "$zprof" rm
cp "runs/$first" runs/base.zp
"$zprof" rm --keep 2 --dry-run runs 2>said | grep -c zprof.out | grep -qx 13
tap $? "--dry-run names the files"
expect 0 "removed 13 files of 1 run" "$zprof" rm --keep 2 runs
[ ! -e "runs/$first" ] && [ -e runs/base.zp ] && [ "$("$zprof" ls runs | grep -c ' 13 ')" = 2 ]
tap $? "the oldest run is gone, files with names of their own are not"
# a run that still records
printf '#include <unistd.h>\nint main(void) { sleep(30); return 0; }\n' >sleeper.c && gcc -finstrument-functions sleeper.c -o sleeper
(cd runs && LD_PRELOAD=$ZPROF_BUILD/libzprof.so exec ../sleeper) &
sleeper=$!
while [ ! -e runs/zprof.out.$sleeper ]; do sleep 0.1; done
expect 1 "zprof: cannot open 'nosuch': No such file or directory" "$zprof" ls nosuch
grep -q started actual
is "a list that would be empty has no head" 1 $?
expect 0 "zprof: cannot open 'nosuch': No such file or directory" "$zprof" ls nosuch runs
expect 0 "1 recording" "$zprof" ls runs
expect 0 "1 run is still recording: kept" "$zprof" rm --keep 0 runs
[ -e runs/zprof.out.$sleeper ] && [ "$(find runs -name 'zprof.out*' | wc -l)" = 1 ]
tap $? "a run that still records is kept, others are removed"
kill $sleeper && wait $sleeper 2>/dev/null
expect 0 "removed 1 file of 1 run" "$zprof" rm "runs/zprof.out.$sleeper"
expect 1 "is not a profile" "$zprof" rm sleeper.c

# files of a folder, by the numbers in their names
mkdir numbered
for n in 10 9 100 2 30 1; do
	sed "s/^pid .*/pid $n 1/" "$spec" | made numbered/zprof.out.$n
done
is "files come in the order of their numbers" "1 2 9 10 30 100" \
	"$("$zprof" info numbered 2>/dev/null | sed -n 's:^numbered/zprof.out.::p' | paste -sd ' ')"
finish

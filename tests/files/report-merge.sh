#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof merge`: a merged profile shows what its originals show, needs neither them nor the program, takes little memory for any
# number of them; and the ranks of an MPI job.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
made() { "$ZPROF_BUILD/tests/make_profile" "$1"; }
cp "$golden_folder/report/sample.groups" zprof.groups
for spec in sample lent limits; do
	made $spec.prof <"$golden_folder/report/$spec.spec"
	"$zprof" merge -o $spec.zp $spec.prof 2>/dev/null
	for view in "graph" "graph --sites" "graph --by-thread" "graph --json" "report" "report --tree" "report --tree --json" "groups --matrix --json"; do
		# shellcheck disable=SC2086
		"$zprof" $view $spec.prof 2>/dev/null | grep -v '^note: .*folded\|^"folded"\|^"notes"' >original
		# shellcheck disable=SC2086
		"$zprof" $view $spec.zp 2>/dev/null | grep -v '^note: .*folded\|^"folded"\|^"notes"' >merged
		[ -s original ] && diff original merged >difference
		tap $? "$spec, merged: $view"
		head -5 difference | sed 's/^/# /'
	done
done

# Two of them are the sum, merged or not; and merged again, in any order.
sed 's/^pid .*/pid 200 100/; s/^zone main.*/zone other kind=2\n&/; s/scan_word 20 400/scan_word 5 100/' "$golden_folder/report/sample.spec" | made second.prof
"$zprof" merge -o both.zp sample.prof second.prof 2>/dev/null
"$zprof" merge -o again.zp second.prof sample.zp 2>/dev/null
for way in both again; do
	"$zprof" report --json sample.prof second.prof 2>/dev/null | grep '"linkage"' | sed 's/"open":[0-9]*,*//' | sort >original
	"$zprof" report --json $way.zp 2>/dev/null | grep '"linkage"' | sed 's/"open":[0-9]*,*//' | sort >merged
	[ -s original ] && diff original merged >difference
	tap $? "two, merged: $way"
	head -5 difference | sed 's/^/# /'
done
expect 0 "merged of     2 processes, 1 run" "$zprof" info both.zp
expect 0 '"processes":2,' "$zprof" report --json both.zp

# No process has number 0.
expect 0 "  2 processes, merged" "$zprof" top --batch 1 both.zp
expect 0 "number 101 of a merged process" "$zprof" graph --by-thread both.zp
"$zprof" info both.zp | grep -q '^  process'
tap $((1 - $?)) "info of a sum names no process"

# Frames are not added up; asking for them is an error that says so.
expect 2 "'both.zp' has no frames: a merged profile keeps only contexts" "$zprof" frames both.zp
expect 2 "'both.zp' has no single calls: a merged profile keeps only contexts" "$zprof" frames --tails both.zp
expect 1 "'both.zp' has no frames: a merged profile keeps only contexts" "$zprof" graph --slowest 1 both.zp

# Times and their errors come along.
sed 's/clock fake/clock tsc 2000000000\nhooks 800 400 200/' "$golden_folder/report/sample.spec" | made tsc.prof
"$zprof" merge -o tsc.zp tsc.prof 2>/dev/null
"$zprof" graph tsc.prof >original 2>/dev/null
"$zprof" graph tsc.zp >merged 2>/dev/null
diff original merged >difference
tap $? "times, and their errors"

# What must not happen.
sed 's/clock fake/clock fake\nmode count/' "$golden_folder/report/sample.spec" | made count.prof
expect 1 "cannot add up" "$zprof" merge -o mixed.zp sample.prof count.prof
[ ! -e mixed.zp ] && ! ls mixed.zp.* >/dev/null 2>&1
tap $? "a merge that fails leaves nothing behind"
echo notes >notes.txt
expect 1 "'notes.txt': it is there, and is a file of another kind, not a merged profile" "$zprof" merge -o notes.txt sample.prof
expect 2 "-o FILE is missing" "$zprof" merge sample.prof
mkdir folder && cp sample.prof second.prof folder
"$zprof" merge -o folder/sum.zp folder 2>/dev/null && "$zprof" merge -o folder/sum.zp folder 2>/dev/null
"$zprof" report --json folder/sum.zp 2>/dev/null | grep -q '"processes":2,'
tap $? "the output of an earlier merge is not added again"

# The program gone: names, lines and machine code are in the file.
cat >prog.c <<'E'
#define APART __attribute__((noinline))
volatile long sink;
APART void OLD(int n) { for (int i = 0; i < n; i++) sink ^= i * 7; }
APART void same(int n) { for (int i = 0; i < n; i++) sink += i; }
int main(void) { for (int i = 0; i < CALLS; i++) same(i); OLD(5); return 0; }
E
gcc -g -O2 -finstrument-functions -DOLD=before -DCALLS=10 prog.c -o old && gcc -g -O2 -finstrument-functions -DOLD=after -DCALLS=11 prog.c -o new || exit 1
for p in old new; do "$zprof" record -o $p.prof ./$p 2>/dev/null && "$zprof" merge -o $p.zp $p.prof 2>/dev/null; done
"$zprof" record --no-archive -o bare.prof ./old 2>/dev/null
rm old new
"$zprof" diff --all --measure calls old.zp new.zp >text 2>errors
grep -q 'after (was before)  prog.c:3' text && grep -q '^calls  *10  *11  *+1  *1.100  same  prog.c:4' text && [ ! -s errors ]
tap $? "without their programs merged profiles of two builds are matched, renamed functions too"
"$zprof" report bare.prof old.zp 2>/dev/null | grep -q ' same  '
tap $? "and give their names to a profile that was not merged"

# Many: merging takes the memory of one, and of the sum.
awk 'BEGIN { print "clock tsc 1000000000\nhooks 800 400 200\nflags finished\nthread 1 main 1"; for (i = 0; i < 100; i++) { print "  f" i " 1 10"; for (k = 0; k < 9; k++) print "    g" k " 2 20" } }' | made one.many
mkdir many && seq 400 | while read -r i; do cp one.many many/$i; done
memory() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null | tail -1; }
few=$(memory "$zprof" merge -o few.zp many/1 many/2)
all=$(memory "$zprof" merge -o all.zp many)
[ "$all" -lt $((few * 2)) ] && "$zprof" report --json all.zp | grep '"name":"g3"' | grep -q '"calls":80000,'
tap $? "400 profiles take the memory of two: $few kB, $all kB"

# ---- MPI: four ranks, one of them slow
cat >ranks.c <<'E'
#include <mpi.h>
#include <time.h>
#define APART __attribute__((noinline))
APART static void solve(int rank)
{
	struct timespec from, now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < (rank == 2 ? 120000000 : 20000000));
}
APART static void exchange(void) { MPI_Barrier(MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 3; i++) {
		solve(rank);
		exchange();
	}
	MPI_Finalize();
	return 0;
}
E
mpicc -g -O2 -finstrument-functions ranks.c -o ranks || exit 1
mpirun_of() { OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe --mca btl self,vader "$@"; }
mpirun_of -np 4 "$zprof" record -o job.%r.prof ./ranks >mpi.log 2>&1
ls job.0.prof job.1.prof job.2.prof job.3.prof >/dev/null
tap $? "mpirun -np 4 zprof record: a profile for each rank"
"$zprof" merge -o job.zp job.*.prof 2>said
grep -q '4 profiles, 4 ranks' said
tap $? "ranks stay apart when they are merged"
"$zprof" report --by-rank job.zp >text 2>/dev/null
grep -qE ' (3[0-9][0-9]|4[0-9][0-9]) ms( +[+]-[0-9.<]+)? +2 +1[0-9][0-9] %  solve ' text
tap $? "--by-rank names the slow rank: $(grep solve text)"
sed 's/^/# /' text
"$zprof" report --by-rank job.*.prof 2>/dev/null >raw.text && tail -n +6 raw.text >a && tail -n +6 text >b && cmp -s a b
tap $? "from the originals as from the merged file"
"$zprof" report --by-rank --json job.zp 2>/dev/null | grep '"name":"solve"' | grep -q '"most":"2".*"calls":\[3,3,3,3\]'
tap $? "and in JSON"
"$zprof" ls job.*.prof 2>/dev/null | grep -c 'ranks' | grep -qx 1
tap $? "the ranks of a job are one run"
"$zprof" merge --sum-ranks -o sum.zp job.zp 2>/dev/null && "$zprof" report --json sum.zp | grep '"name":"solve"' | grep -q '"calls":12,'
tap $? "--sum-ranks adds them up"
finish

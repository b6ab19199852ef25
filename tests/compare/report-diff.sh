#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof diff`: sides, runs and series; functions renamed or moved between two builds, or whose program is gone; folded stacks.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
spec=$golden_folder/report/sample.spec
cp "$golden_folder/report/sample.groups" zprof.groups
made() { "$ZPROF_BUILD/tests/make_profile" "$1"; }
run_id() { sed "s/^run .*/run $(printf '%032x' "$1")/"; }

# ---- two small profiles
made a.prof <"$spec"
sed 's/scan_word 20 400/scan_word 21 440/; s/fold 9 45/fold 9 40/; s/DUP 9 9/SWAP 9 9/' "$spec" | run_id 2 | made b.prof
golden report/diff "$zprof" diff a.prof b.prof
golden report/diff-all "$zprof" diff --all --func 'scan_*' a.prof b.prof
golden report/diff-measure "$zprof" diff --measure calls a.prof b.prof
golden report/diff-under "$zprof" diff --under parse --not term --limit 2 a.prof b.prof
golden report/diff-series "$zprof" diff --limit 4 a.prof b.prof a.prof
golden report/diff-folded "$zprof" diff --folded a.prof b.prof
golden report/diff-json "$zprof" diff --json --func scan_word --limit 2 a.prof b.prof
sed 's/clock fake/clock tsc 1000000000\nhooks 800 400 200/' "$spec" | made a.tsc
sed 's/clock fake/clock tsc 1000000000\nhooks 800 400 200/; s/scan_word 20 400/scan_word 20 900/' "$spec" | made b.tsc
golden report/diff-bars "$zprof" diff a.tsc b.tsc
"$ZPROF_BUILD/tests/make_profile" lent.prof <"$golden_folder/report/lent.spec"
sed 's/fact 1 /fact 2 /' "$golden_folder/report/lent.spec" | made more.prof
golden report/diff-counters "$zprof" diff lent.prof more.prof
# A counter that a side was recorded without is absent there, and not zero.
sed '/^counts/d; /^extra/d' "$golden_folder/report/lent.spec" | run_id 2 | made bare.prof
expect 0 "note: after: recorded without steps, cells; no change there is known" "$zprof" diff lent.prof bare.prof
expect 0 "Functions, 0 of 4 changed" "$zprof" diff lent.prof bare.prof
"$zprof" diff --measure steps --func fib lent.prof bare.prof | grep -qx 'steps        30         -         -       -  fib  run.k:7' &&
	"$zprof" diff --all --func fib bare.prof lent.prof | grep -qx 'steps         -        30         -       -'
tap $? "a counter that a side lacks is shown as absent"
expect 0 "Functions, 3 of 4 have a number, on one side:" "$zprof" diff --measure steps lent.prof bare.prof
"$zprof" diff --measure steps --func fib lent.prof bare.prof lent.prof | grep -qx '      30         -        30  fib'
tap $? "and in a series"
"$zprof" diff --json lent.prof bare.prof | grep '"name":"fib"' | grep -qF \
	'{"values":[30,null],"errors":[0.0,null],"change":null,"change_error":null,"ratio":null,"name":"steps"}'
tap $? "in JSON, it is null"
expect 1 "--fail 'steps>0': 'bare.prof' was recorded without steps" "$zprof" diff --fail 'steps>0' lent.prof bare.prof
mkdir some && cp lent.prof bare.prof some
"$zprof" diff --json --func fib some -- lent.prof | grep '"name":"fib"' | grep -qF '{"values":[30,30],"errors":[0.0,0.0],"change":0,'
tap $? "runs without a counter are not part of its mean"

# What was lost has the name of its side.
sed 's/^turns frame.*/counter 3 7/' "$golden_folder/report/lent.spec" | run_id 3 | made lost.prof
sed 's/^turns frame.*/counter 3 5/' "$golden_folder/report/lent.spec" | run_id 4 | made less.prof
"$zprof" diff lost.prof less.prof | sed -n '/went wrong/,$p' >footers
is "what was lost on each side" "Before: what went wrong or was put right:
             7  exits that matched no open zone

After: what went wrong or was put right:
             5  exits that matched no open zone" "$(cat footers)"
[ "$("$zprof" diff lent.prof lost.prof lost.prof | grep -c '^Side [23]: what went wrong')" = 2 ]
tap $? "in a series, too, and of a side without losses nothing"
"$zprof" diff --json lent.prof lost.prof | sed -n '/^"sides":/,/^"groups":/p' | grep -c '"losses":{"loss_exit":7}' | grep -qx 1
tap $? "and in JSON"
expect 0 "Functions, 0 of 10 changed" "$zprof" diff a.prof a.prof
expect 2 "name two profiles or more" "$zprof" diff a.prof
expect 2 "a side has no file" "$zprof" diff a.prof --
expect 2 "at most 16 sides" "$zprof" diff a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof a.prof
expect 1 "--measure is calls, self, total, or a counter of the profiles, not 'cols'" "$zprof" diff --measure cols a.prof b.prof
sed 's/clock fake/clock fake\nmode count/' "$spec" | made counts.prof
expect 1 "cannot add up" "$zprof" diff a.prof counts.prof

# ---- runs of a side are samples: mean, and a bar from how they differ. 400, 420, 440: t(2) = 4.303, deviation 20, so 4.303 * 20 / sqrt(3) = 49.7.
mkdir before after
for i in 1 2 3; do
	sed "s/scan_word 20 400/scan_word 20 $((380 + 20 * i))/" "$spec" | run_id 1$i | made before/$i.prof
	sed "s/scan_word 20 400/scan_word $((20 + i)) $((580 + 20 * i))/" "$spec" | run_id 2$i | made after/$i.prof
done
"$zprof" diff --json --func scan_word before after >runs.json 2>errors
grep '"name":"scan_word"' runs.json | grep -q '"self_ns":{"values":\[560.0,760.0\],"errors":\[49.68[0-9]*,49.68[0-9]*\],"change":200.0,"change_error":70.26'
tap $? "the bar of a mean of three runs is Student's"
grep '"name":"scan_word"' runs.json | grep -q '"calls":{"values":\[31,33\],"errors":\[0.0,2.48'
tap $? "calls that differ from run to run have a bar, others none"
"$zprof" diff --json --sum --func scan_word before after 2>errors | grep '"name":"scan_word"' | grep -q '"calls":{"values":\[93,99\],"errors":\[0.0,0.0\]'
tap $? "--sum adds the runs up"
expect 0 "before: before/1.prof and 2 more  (./compile -O prog.pas): 3 runs, 107 calls, 1,337 ticks, a run" "$zprof" diff before/1.prof before/2.prof before/3.prof -- after
# processes of one run are one sample
sed 's/^pid .*/pid 200 100/' "$spec" | run_id 11 | made before/child.prof
expect 0 "before: before  (./compile -O prog.pas): 3 runs of 4 processes in all" "$zprof" diff before after

# ---- two builds of a program
rm zprof.groups
cat >prog.h <<'E'
#define APART __attribute__((noinline))
extern volatile long sink;
APART void moved(int n);
E
cat >moved.c <<'E'
#include "prog.h"
static APART void twin(void) { sink -= 5; }
#ifdef IN_FILE
APART void moved(int n) { sink += n; }
#endif
void use_moved(void) { twin(); moved(7); }
E
cat >prog.c <<'E'
#include "prog.h"
volatile long sink;
void use_moved(void);
static APART void twin(void) { sink += 5; }
#ifndef IN_FILE
APART void moved(int n) { sink += n; }
#endif
#ifdef NEW
APART void fresh(void) { sink *= 3; }
#endif
APART void leaf(int n) { for (int i = 0; i < n; i++) sink += i * n; }
APART void HELPER(int n) { for (int i = 0; i < n; i++) { leaf(i & 7); sink ^= 0x55; } }
APART void driver(int n) { for (int i = 0; i < n; i++) leaf(3); HELPER(5); }
int main(void)
{
#ifdef NEW
	fresh();
#endif
	twin(); twin();
	driver(COUNT);
	use_moved();
	return 0;
}
E
build() { # PROGRAM FLAGS...
	to=$1; shift
	gcc -g -O2 -finstrument-functions "$@" prog.c moved.c -o "$to" || exit 1
}
changes() { # BEFORE AFTER: "calls before, after name" of every function
	"$zprof" diff --all --measure calls "$@" 2>errors | awk '/^Functions/ { on = 1 } /^Arcs/ { on = 0 } on && $1 == "calls" { ratio = $5; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, ""); sub(/  [^ ]*$/, ""); print ratio, $0 }' | grep -v '\[zprof\]\|\[kernel\]' | sort
}
for kind in pie no-pie; do
	build "old-$kind" -$kind -DCOUNT=1000 -DHELPER=helper
	build "new-$kind" -$kind -DCOUNT=1001 -DHELPER=assist -DIN_FILE -DNEW
	for p in old new; do "$zprof" record --no-archive --clock exact --sample 0 -o $p-$kind.zp ./$p-$kind 2>/dev/null; done
	changes old-$kind.zp new-$kind.zp >got
	same "$kind: renamed, moved, new and equal functions are found" - got <<'END'
1.000 assist (was helper)
1.000 driver
1.000 main
1.000 moved
1.000 twin
1.000 twin
1.000 use_moved
1.001 leaf
new fresh
END
done
"$zprof" diff --json old-pie.zp new-pie.zp 2>errors | grep '"name":"twin"' | grep -o '"file":"[^"]*"\|"calls":{"values":[^]]*]' | sed 's|.*/|"file":"|' | paste - - | sort >got
same "static functions with the same name are told apart by their files" - got <<'END'
"file":"moved.c"	"calls":{"values":[1,1]
"file":"prog.c"	"calls":{"values":[2,2]
END
"$zprof" diff --measure calls old-pie.zp new-pie.zp 2>errors >text
grep -q '^calls  *1,000  *1,001  *+1  *1.001  driver > leaf$' text
tap $? "arcs are matched with their functions"
# the same build, from another place
mkdir elsewhere && cp old-pie elsewhere/ && "$zprof" record --clock exact --sample 0 -o elsewhere.zp ./elsewhere/old-pie 2>/dev/null
changes old-pie.zp elsewhere.zp >got
[ "$(grep -c '^1.000' got)" = 8 ] && [ "$(wc -l <got)" = 8 ]
tap $? "a program that was moved is the same program"
# -O1 and -O2 give some functions gcc's suffixes
printf '#define APART __attribute__((noinline))\nvolatile int sink;\nstatic APART int part(int a, int b) { sink += b; return a * 3 + sink; }\nint main(void) { int n = 0; for (int i = 0; i < 9; i++) n += part(i, 5); return n < 0; }\n' >suffix.c
hooks="-pg -mfentry -minstrument-return=call"
[ "$(uname -m)" = x86_64 ] || hooks=-finstrument-functions
# shellcheck disable=SC2086
gcc -g -O1 $hooks -fno-ipa-cp -fno-ipa-sra suffix.c -o plain 2>/dev/null -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD"
# shellcheck disable=SC2086
gcc -g -O2 $hooks -fipa-cp -fipa-sra suffix.c -o suffixed 2>/dev/null -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD"
if [ "$(uname -m)" = x86_64 ]; then # elsewhere a function with hooks stays as it is
	nm suffixed | grep -q ' part\.'
	tap $? "gcc names a function with a suffix"
fi
for p in plain suffixed; do "$zprof" record -o $p.zp ./$p 2>/dev/null; done
changes plain.zp suffixed.zp >got
same "such a function is matched by its name without the suffix" - got <<'END'
1.000 main
1.000 part
END

# ---- a program that is gone: only the same build can be compared, and a message says so
"$zprof" record --no-archive --clock exact --sample 0 -o again.zp ./old-pie 2>/dev/null
mv old-pie away
expect 0 "Functions, 0 of " "$zprof" diff --measure calls again.zp old-pie.zp
expect 0 "functions without a known name cannot be matched" "$zprof" diff old-pie.zp new-pie.zp
expect 0 "old-pie' is gone" "$zprof" diff old-pie.zp new-pie.zp
mv away old-pie

# ---- folded stacks have two numbers, and no semicolon in a name
"$zprof" diff --folded old-pie.zp new-pie.zp 2>errors >folded
! grep -vqE '^[^;]+(;[^;]+)* [0-9]+ [0-9]+$' folded && grep -q '^main;driver;leaf [0-9]* [0-9]*$' folded && grep -q '^main;fresh 0 [0-9]*$' folded
tap $? "folded stacks: each line is a chain and two numbers"

# ---- machine code is decoded as objdump does
objdump -d --insn-width=15 /lib/x86_64-linux-gnu/libc.so.6 | grep -v '(bad)' | awk -F'\t' 'NF >= 3 { print $2 }' | "$ZPROF_BUILD/tests/codeprint_lengths" >lengths
tap $? "the lengths of all instructions of the C library: $(tail -1 lengths)"
head -5 lengths | sed 's/^/# /'
finish

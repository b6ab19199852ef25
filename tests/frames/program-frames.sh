#!/bin/sh
# SPDX-License-Identifier: MIT
# program-frames.sh - turns of a loop and requests: their times, what ran in them, the slowest and the latest; single calls.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "${0%/*}/../.." && pwd)
check=$ZPROF_BUILD/tests/check_frames
export LC_ALL=C

gcc -g -O1 -finstrument-functions -I"$root" "$root/tests/programs/frames.c" -o frames -lpthread || exit 1

# Each call of a hook is one tick, so every number is known.
fake() { # OPTIONS PROGRAM-ARGUMENTS...
	options=$1; shift
	rm -f fake.zp*
	ZPROF_OPTIONS=output=$PWD/fake.zp,$options LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./frames "$@"
}
real() { # OPTIONS PROGRAM-ARGUMENTS...
	options=$1; shift
	rm -f real.zp*
	ZPROF_OPTIONS=output=$PWD/real.zp,$options LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./frames "$@"
}
# shellcheck disable=SC2120
shown() { "$zprof" frames "$@" | sed 's/([0-9][0-9]*)/(TID)/; s/thread [0-9][0-9]*,/thread TID,/'; }
sums_hold() { # WHAT PROFILE [FLAG...]
	what=$1 file=$2; shift 2
	"$check" "$@" "$file" >said
	tap $? "$what"
	sed 's/^/# /' said
}
has() { # WHAT LINE: the program's output has it
	grep -qF -e "$2" shown
	tap $? "$1" || sed 's/^/# /' shown
}

# turns: a hundred, of which number 70 has fifty times the work
fake history=full 100 70 turns
golden report/frames.txt shown fake.zp
golden report/frames-slowest.txt shown --slowest 1 fake.zp
sums_hold "turns: the sums hold" fake.zp --exact
"$zprof" report --slowest 1 --raw fake.zp | sed -n 's/^ *[0-9.]* *\([0-9,]*\) *\([0-9,]*\) *\([0-9,]*\) .*\(lookup\|step\|reply\) .*/\4 \1 \2 \3/p' >shown
has "one frame as a report: self, total and calls of lookup" "lookup 801 1,601 1"
has "of its callees" "step 805 805 805"
has "of a recursive function, its total once" "reply 8 11 3"
"$zprof" graph --frame 69 fake.zp >shown
has "one frame as a call graph" "frame 69 of 'turn' alone"
"$zprof" graph --frame 10 fake.zp >shown
has "and of another frame, an ordinary one" "34 ticks in 1 thread; 17 calls"
expect 0 '"functions"' "$zprof" graph --json --slowest 2 fake.zp
expect 0 "lookup" "$zprof" export --format=folded --slowest 1 fake.zp
expect 1 "frame 500 was not kept in 'fake.zp'" "$zprof" graph --frame 500 fake.zp
expect 1 "has no frames of kind 'tern', but of 'turn'" "$zprof" graph --kind tern --slowest 1 fake.zp
expect 1 "only 99 frames were kept" "$zprof" graph --slowest 100 fake.zp
expect 2 "--slowest is 1 for the slowest frame" "$zprof" frames --slowest 0 fake.zp

# the slowest beside the median frame, which equals each of the others
golden report/frames-diff.txt "$zprof" diff --slowest 1 fake.zp
"$zprof" report --frame median fake.zp >shown
has "the median frame as a report" "34 ticks in 1 thread; 17 calls"
"$zprof" diff --frame 70 --frame median --all fake.zp >shown
grep -A99 '^Functions' shown | grep -qE '[^ ]  +[+-]'
tap $((1 - $?)) "a frame like the others is the median one, in each function and arc"
"$zprof" diff --frame 69 --frame 68 --json fake.zp | tr -d '\n' >json
grep -q '"name":"step"[^}]*"calls":{"values":\[805,10\]' json && grep -q "\"name\":\"frame 69 of 'turn'\"" json
tap $? "two frames, in the order that they are named"
expect 3 "lookup: self 6 -> 801 (+795" "$zprof" diff --slowest 1 --fail 'self>100%' fake.zp
expect 2 "name a frame beside the median one" "$zprof" diff --frame median fake.zp
expect 2 "two frames are of one profile" "$zprof" diff --frame 3 --frame 4 fake.zp fake.zp
expect 1 "one frame at a time" "$zprof" graph --frame 3 --slowest 1 fake.zp

# a request, one in 100,000, is found, and single calls with their callers
fake frame=handle,tails=lookup 100000 77777
shown --slowest 1 fake.zp >shown
has "one request in a hundred thousand is found" "frame 77,777 of handle(), thread frames (TID)"
has "with how much slower it was" "this one 51.5 times as long"
has "and with what made it slow" "lookup"
sed -n '5p' shown >first
mv first shown
has "first of all" "+795       805     805     10  step"
shown --tails fake.zp >shown
has "tails= has the longest call's callers" "lookup < handle < serve < main"
has "when it was, and in which frame" "longest: 1,601 at 2,488,841, thread TID, frame 77,777 of handle"
sums_hold "frame= and tails=: the sums hold" fake.zp --exact
"$zprof" frames --json fake.zp >json
"$ZPROF_BUILD/tests/json_shape" <json | grep -q 'kinds\[\].zones\[\].self.p999_ns'
tap $? "--json has percentiles of each function"

# names, discarded frames, threads
fake history=self 101 0 kinds
shown fake.zp >shown
has "two kinds of frames in one thread: of each turn" "turn, thread frames (TID): 100 frames"
has "and of ten of them" "tenth, thread frames (TID): 9 frames"
has "ten turns take ten times as long" "mean 340, min 340, p50 340, p90 340, p99 340, p99.9 340, max 340"
sums_hold "two kinds: the sums hold" fake.zp --exact
fake history=full 100 0 discard
shown fake.zp >shown
has "discarded frames are counted apart" "turn, thread frames (TID): 50 frames, 49 discarded"
has "and are in no times" "wall time: mean 34, min 34"
sums_hold "discarded: the sums hold" fake.zp --exact
fake history=full,frame=handle 50 7 threads
shown fake.zp >shown
[ "$(grep -c '^handle(), thread frames (TID): 50 frames' shown)" = 2 ]
tap $? "each thread has frames of its own"
expect 2 "2 threads have a frame 7 in 'fake.zp'" "$zprof" frames --frame 7 fake.zp
sums_hold "threads: the sums hold" fake.zp --exact

# history in bounded memory: 64 bytes per frame, and 24 for each context that ran (here 13)
fake history=full,history_bytes=64k 20000 0 turns
"$zprof" frames fake.zp | sed -n 's/^  kept: *\([0-9,]*\) frames, from .* to \(.*\)/\1 \2/p' | tr -d , >kept
read -r frames last <kept
[ "$last" = 19999 ] && [ "$frames" -ge $((3 * 65536 / 4 / (64 + 24 * 13))) ] && [ "$frames" -le $((65536 / (64 + 24 * 13) + 8)) ]
tap $? "history_bytes=64k keeps what fits, the latest: $frames frames"
sums_hold "a history that goes round: the sums hold" fake.zp --exact
fake history=self,history_bytes=64k 20000 0 turns
"$zprof" frames fake.zp | sed -n 's/^  kept: *\([0-9,]*\) frames, from .*/\1/p' | tr -d , >kept
read -r frames <kept
[ "$frames" -ge $((3 * 65536 / 4 / (64 + 8 * 7))) ] && [ "$frames" -le $((65536 / (64 + 8 * 7) + 8)) ]
tap $? "history=self takes 8 bytes for each function: $frames frames"
fake history=off 100 0 turns
expect 2 "'fake.zp' has no frames" "$zprof" frames fake.zp

# zones marked by hand, and an interpreter's words, of which one has its name asked for late and calls itself by a
# tail call
gcc -g -O1 -finstrument-functions -I"$root" "$root/tests/frames/frames_named.c" -o named || exit 1
rm -f named.zp
ZPROF_OPTIONS="output=$PWD/named.zp,frame=phase late-*,tails=word ph?se" LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./named 100 70
shown named.zp >shown
has "each pass of a zone is a frame" "phase(), thread named (TID): 100 frames"
has "the slow one is the longest" "slowest:   70 203 (at 3,797), 2 13"
has "each call of a late word is a frame, the tail calls of itself too" "late-word(), thread named (TID): 200 frames"
has "each pass of a zone is timed" "     100       13      15      13      13      13     203     203  phase < physics < main"
has "each call of a word is timed" "     100       32      36      40      46      48     412     412  word < main"
has "a word that an error leaves ends there" "     100        5       5       5       5       5       5       5  word < interpret < main"
sums_hold "zones and words: the sums hold" named.zp --exact

# killed, and read while it runs
real clock=exact,history=full 2000 777 die 2>/dev/null
sums_hold "frames survive SIGKILL" real.zp --exact
"$zprof" frames --frame 777 real.zp >shown
has "and so does the slowest of them" "frame 777 of turn"
rm -f real.zp*
real clock=exact,history=full,history_bytes=64k,frame=handle,tails=lookup 20000 777 paced &
reads=0
while [ $reads -lt 20 ] && kill -0 $! 2>/dev/null; do
	[ -s real.zp ] || { sleep 0.1; continue; }
	reads=$((reads + 1))
	"$check" --exact --running real.zp >>read 2>&1 || echo "reading $reads" >>torn
	sleep 0.05
done
wait $!
[ ! -e torn ] && grep -q '2 kinds, [1-9]' read
tap $? "a reading while frames end is never torn, in $reads readings"
[ ! -e torn ] || sed 's/^/# /' read
sums_hold "and at the end the sums hold" real.zp --exact

# when calls are only counted, a frame's wall time is known, and calls are exact
real clock=count,history=full,frame=handle 2000 777
sums_hold "clock=count: the histograms hold" real.zp
"$zprof" report --frame 777 --json real.zp | tr -d ' \n' | grep -q '"name":"step"[^}]*"calls":805'
tap $? "clock=count: calls of one frame are exact"

# No function took longer in a frame than the frame itself, whatever samples say: neither its time nor its bound is larger. (The widths
# of frames are far below the time that a sample stands for.)
within() { # NAME COMMAND...: in each row of the table, times are at most the frame's wall time, as its head says it
	what=$1; shift
	"$@" >shown
	sed -E 's/([0-9.,]+) (ns|us|ms|s)\b/\1\2/g' shown | awk -v wall="$wall" '
		function ns(t) { return t + 0 == 0 ? 0 : (t + 0) * (t ~ /ns/ ? 1 : t ~ /us/ ? 1e3 : t ~ /ms/ ? 1e6 : 1e9) }
		/^index|^% self| self / { on = 1; next }
		on && /(step|lookup|reply|parse|handle)/ { rows++; for (i = 1; i <= NF; i++) if ($i ~ /^<?[0-9.]+(ns|us|ms|s)$/) { gsub(/</, "", $i); if (ns($i) > wall * 1.005) { print; bad = 1 } } }
		END { exit bad || rows < 4 }'
	tap $? "$what" || sed 's/^/# /' shown
}
for k in 1 3 8; do
	"$zprof" frames --slowest $k --kind handle --json real.zp | tr -d ' \n' >json
	wall=$(sed -n 's/.*"wall_ns":\([0-9]*\).*/\1/p' json)
	within "clock=count: a frame's functions are within its ${wall} ns" \
		sh -c '"$1" frames --slowest "$2" --kind handle "$3" | sed "s/^\( *[^ ]* *[a-z]*\).*  /\1 /"' - "$zprof" $k real.zp
	within "in a report of the frame, too" "$zprof" report --slowest $k --kind handle real.zp
	# of the functions that the frame called: main may be there for its total alone, and a wait of the library is measured
	"$zprof" report --slowest $k --kind handle --format self,total,name real.zp | sed -n '/^ *self/,$p' |
		awk '$NF ~ /^(step|lookup|reply|parse|handle)$/ { print $1, $2 }' | sort -u >selves
	[ "$wall" -gt 2000000 ] || { [ "$(wc -l <selves)" = 1 ] && grep -q '^<[1-9]' selves; }
	tap $? "where a function without a sample may have run all the time: $(cat selves)"
	within "and in its call graph" "$zprof" graph --slowest $k --kind handle real.zp
done

# Frames that others interrupt: on one processor, beside a program that is always busy. They are ranked without the others' time.
sh -c 'while :; do :; done' &
busy=$!
taskset -pc 0 $busy >/dev/null
for clock in count exact; do
	rm -f real.zp*
	ZPROF_OPTIONS=output=$PWD/real.zp,clock=$clock,history=full,frame=handle LD_PRELOAD=$ZPROF_BUILD/libzprof.so taskset -c 0 ./frames 100000 777
	sums_hold "clock=$clock: no frame is left out for one that others interrupted" real.zp
	"$zprof" frames --json real.zp | tr -d ' \n' | sed 's/"kept":\[/&\n/; s/},{/\n/g' | sed -n 's/^.*"wall_ns":\([0-9.e+]*\),"preempted_ns":\([0-9.e+]*\),"ranked_ns":\([0-9.e+]*\),.*/\1 \2 \3/p' |
		awk '{ n++; d = $1 - $2 - $3; if ($3 > 0 && (d > 1 || d < -1)) bad = 1 } END { exit bad || !n }'
	tap $? "and JSON has a frame's wall time, and what it is ranked by"
done
kill $busy
wait $busy 2>/dev/null
# A frame within a recursion: main > f > turn > f > turn > f. In the frame of the outer turn, the total of f is that of the middle one,
# below an f that did not run in this frame, and above one that did.
cat >within.c <<'END'
static volatile int sum;
static void f(int depth);
static __attribute__((noinline)) void work(void) { sum++; }
static __attribute__((noinline)) void turn(int depth) { f(depth); }
static __attribute__((noinline)) void f(int depth)
{
	work();
	if (depth)
		turn(depth - 1);
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		f(2);
	return 0;
}
END
gcc -O1 -g -finstrument-functions within.c -o within &&
	ZPROF_OPTIONS=output=$PWD/within.zp,frame=turn LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./within
is "a frame within a recursion has the total of the function in the frame" "f self 5, total 9; turn self 4, total 11; work self 2, total 2" \
	"$("$zprof" frames within.zp | awk '$NF ~ /^(f|turn|work)$/ && NF == 11 { printf "%s%s self %s, total %s", n++ ? "; " : "", $NF, $2, $8 }')"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# zones-programs.sh - programs that use zprof.h: whole call graphs to the tick, and what they counted themselves.
#
#   GOLDEN_UPDATE=1 tests/run build zones-programs      writes tests/golden/zones/*.txt anew
. "${0%/*}/../lib/golden.sh"
root=$(cd "${0%/*}/../.." && pwd)
programs=$root/tests/zones
zprof=$ZPROF_BUILD/zprof
fake=$ZPROF_BUILD/tests/libzprof-fake.so

# compile PROGRAM "COMPILER FLAGS" FILE...: the compiler comes first, and the language last
compile() {
	program=$1 how=$2
	shift 2
	# shellcheck disable=SC2086
	${how%% *} -g -w -pthread -D_GNU_SOURCE -I"$root" ${how#* } "$@" -o "$program"
}

profile() { # PROGRAM [ARGUMENT...] -> profile.out, said
	rm -f profile.out*
	ZPROF_OPTIONS=output=$PWD/profile.out${options:+,$options} LD_PRELOAD=$library timeout 300 "./$@" >said
}

plain() { # without what differs between builds: places, and what clang makes of C names in C++
	sed "1s|^\./[^ ]* *||; s|$programs/||; s| *[a-z_]*\.[cl]:[0-9]*$||; s|(int)||; s|()||; s| *prolog.k:[0-9]*$||"
}

graph_is() { # WHAT GOLDEN
	"$zprof" graph profile.out | plain >actual
	golden_file "$1" "zones/$2" actual
}

# ---- all of zprof.h
library=$fake
for how in "gcc -O0" "gcc -O2" "clang -O0" "clang -O2" "g++ -O2 -std=c++11 -x c++" "clang++ -O0 -std=c++11 -x c++"; do
	# zones_other.c stays C, so that one public zone is shared by both languages
	gcc -w -O2 -D_GNU_SOURCE -finstrument-functions -I"$root" -c "$programs/zones_other.c" -o other.o
	compile all "${how%% *} -finstrument-functions ${how#* }" "$programs/zones_all.c" -x none other.o && profile all
	graph_is "all of zprof.h, with native functions ($how)" all.txt
done
compile all "gcc -O2" "$programs/zones_all.c" "$programs/zones_other.c" && profile all
graph_is "all of zprof.h in a program that is not instrumented" all-alone.txt
mkdir lib && cp "$fake" lib/libzprof.so
compile linked "gcc -O2 -finstrument-functions" "$programs/zones_all.c" "$programs/zones_other.c" \
	-Llib -Wl,--no-as-needed -lzprof -Wl,-rpath,"$PWD/lib" && rm -f profile.out && ZPROF_OPTIONS=output=$PWD/profile.out ./linked
graph_is "the same, linked with the library" all.txt
"$zprof" report --json profile.out | tr '{' '\n' | sed -n 's/.*"name":"\([^"]*\)".*/\1/p; /"entered"/p' |
	awk '/"entered"/ { print name, $0 } { name = $0 }' | sed 's/}.*//' >actual
golden_file "entered, re-entered, returned, abandoned, open" zones/visits.txt actual
"$zprof" report --sort steps --limit 3 profile.out | sed -n '/^% self/,/^$/p' | plain | awk 'NR > 1 && NF { print $NF }' >actual
printf 'main\nfact\nsquare\n' | diff - actual >/dev/null
tap $? "rows sorted by an interpreter's counter"
"$zprof" report --tree --sort bytes --depth 3 profile.out | sed -n '/ bytes /p; / evaluate/p; / fact$/p' >actual
in_tree=$("$zprof" report --tree --json profile.out | tr -d ' \n' | tr '{' '\n' | awk '
	/"name":"steps"/ { split($0, n, /[:,}]/); sum += n[4] } END { print sum }')
by_group=$("$zprof" groups --json profile.out | tr '{' '\n' | awk '/"name":"steps"/ { split($0, n, /[:,}]/); sum += n[4] } END { print sum }')
[ "$in_tree" = "$by_group" ] || echo "steps: $in_tree in the tree, $by_group by groups" >>actual
golden_file "an interpreter's counters in the tree of contexts, and by groups" zones/tree.txt actual

# ---- in an exception handler, which is a distant part of its function
for how in "g++ -O2" "g++ -O0" "clang++ -O2" "clang++ -O0"; do
	compile catch "$how -finstrument-functions" "$programs/zones_catch.cc" && profile catch
	"$zprof" graph --func handling profile.out | grep '\[' | sed 's/ *zones_catch.*//; s/^\[.\] *[0-9.]*//' >actual
	"$zprof" report profile.out | grep 'no open zone' >>actual
	golden_file "a zone in an exception handler ($how)" zones/catch.txt actual
done

# ---- IProf's manual
for how in "gcc -O2 -std=c11" "g++ -O2 -std=c++11 -x c++" "clang++ -O0 -std=c++11 -x c++"; do
	compile iprof "$how" "$programs/zones_iprof.c" && profile iprof
	"$zprof" graph --func ray_caster profile.out | awk '
		$1 ~ /^[0-9]/ && /\[/ { show($1, $2, $3, $4, 0) }
		/^\[/ { show($3, $4, $5, $6, 1) }
		function show(self, children, count, name, own) {
			gsub(",", "", self); gsub(",", "", children); sub("/.*", "", count)
			printf "%-14s %5.2f %6.2f %7.1f\n", (own ? "-" : children > 0 || seen == 0 ? "+" : " ") name,
				self / 4000, (self + children) / 4000, count
			if (own) seen = 1
		}' >actual
	golden_file "IProf's manual: its call graph, to the digit ($how)" zones/iprof.txt actual
done

# ---- generators, and what an interpreter missed
for how in "gcc -O2 -finstrument-functions" "clang -O0"; do
	for options in "" callsites=1; do
		compile again "$how" "$programs/zones_again.c" && profile again
		"$zprof" report --json profile.out | tr -d ' \n' | sed 's/{"id"/\n{"id"/g' |
			sed -n 's/.*"name":"\(one\|two\|generator\)".*"visits":{\([^}]*\)}.*/\1 \2/p' | sort >actual
		"$zprof" report profile.out | grep -oE '^ +[0-9]+  (threads of|interpreters within|calls of the zprof API).{12}' >>actual
		golden_file "a resumed generator is called once, and re-entered ($how${options:+, $options})" zones/again.txt actual
	done
done
options=

# ---- an interpreter with its frames on the heap
self_steps() { # NAME STEPS of every combiner
	"$zprof" report --json profile.out | tr '\n' ' ' | sed 's/{"id"/\n{"id"/g' |
		sed -n 's/.*"name":"\([^"]*\)".*"file":"prolog.k".*"name":"steps","self":\([0-9]*\).*/\1 \2/p' | sort
}
for how in "gcc -O2" "clang -O0"; do
	compile combiner "$how -finstrument-functions" "$programs/combiner.c"
	for tails in calls continues; do
		profile combiner "$tails" 1000
		graph_is "an interpreter: tail calls as $tails ($how)" "combiner-$tails.txt"
		self_steps >steps
		grep -v ' 0$' said | sort | diff - steps >difference
		tap $? "steps of each combiner are what the interpreter counted ($tails, $how)"
		sed 's/^/# /' difference
	done
done
profile combiner calls 10
small=$(stat -c %s profile.out)
profile combiner calls 1000000
[ "$(stat -c %s profile.out)" = "$small" ]
tap $? "a million tail calls take no more room than ten"

# ---- many, long, threads, signals, a fork
library=$ZPROF_BUILD/libzprof.so
counts_are() { # STATUS WHAT: the counts that the program printed, and no loss
	bad=$1
	"$zprof" report --full-names --json profile.out 2>/dev/null | tr '\n' ' ' | sed 's/{"id"/\n{"id"/g' >json
	while read -r name; do
		calls=${name##* } name=${name% *}
		grep -F "\"name\":\"$name\"," json | grep -qF "\"calls\":$calls," || { bad=1; echo "# not $calls calls of $(echo "$name" | cut -c1-40)"; }
	done <said
	grep -o '"losses":{[^}]*"\(loss_[a-z_]*\|misuse\)[^}]*}' json && bad=1
	tap $bad "$2"
}
compile limits "gcc -O2" "$programs/zones_limits.c"
for part in many long threads signals forks; do
	profile limits $part
	counts_are $? "limits: $part"
done
"$zprof" report profile.out.2 2>&1 | grep -q '^ .* 1 .*after$' && "$zprof" report profile.out.2 | grep -q 'by_hand'
tap $? "a forked child's profile has the names of zones from before"

# ---- pauses, step by step. Without samples: where a new ring for them begins, all signals are blocked for a moment, and a step there ends
# the program.
options=sample=0
compile steps "gcc -O2 -finstrument-functions" "$programs/zones_steps.c"
for part in "" pauses; do
	profile steps $part
	counts_are $? "a handler at every instruction of a pause's beginning and end${part:+, that pauses itself}"
	! grep -q '"name":"hidden"' json && "$ZPROF_BUILD/tests/check_conserved" profile.out
	tap $? "nothing of the pause is recorded, and ticks are conserved"
done
options=

# ---- a counter's name, and a jump out of a handler at every few instructions of the naming
compile counters "gcc -O1 -finstrument-functions" "$programs/counters_left.c"
rm -f left.*
ZPROF_OPTIONS=clock=exact,sample=0,output=$PWD/left.%p LD_PRELOAD=$library timeout 300 ./counters >said
bad=$?
sed 's/^/# /' said
for left in left.*; do
	"$zprof" report --raw "$left" | awk '/^% self/ { first = $(NF - 4); second = $(NF - 2) }
		$NF == "lent" { print first, $(NF - 4), second, $(NF - 2) }' | grep -Eqx 'one 11 two 22|two 22 one 11' ||
		{ bad=1; echo "# $left: not counted, or not by these names"; }
done
[ "$(find . -name 'left.*' | wc -l)" = "$(cat said)" ] || bad=1
tap $bad "after one was left half-way, the next naming of a counter neither waits for ever nor gets another's"

# ---- a process that cannot be recorded

cat >nowhere.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "preload/zprof.h"
static uint64_t one, two;
int main(void)
{
	printf("%d", zprof_lent_counter("one", &one));
	fflush(stdout);
	rename("there", "gone");
	if (!fork()) {
		printf(" %d\n", zprof_lent_counter("two", &two));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
END
compile nowhere "gcc -O2" nowhere.c
rm -rf there gone
mkdir there
ZPROF_OPTIONS=output=$PWD/there/%p LD_PRELOAD=$library ./nowhere >said 2>/dev/null
[ "$(cat said)" = "1 0" ]
tap $? "a forked child that cannot be recorded is told that its counter is not taken" || sed 's/^/# /' said

# ---- a zone that nobody has made

cat >unknown.c <<'END'
#include "preload/zprof.h"
int main(void)
{
	for (int i = 0; i < 3; i++) {
		zprof_lent_enter(4711);
		zprof_lent_leave();
	}
	return 0;
}
END
compile unknown "gcc -O1 -finstrument-functions" unknown.c
rm -f unknown.zp
ZPROF_OPTIONS=output=$PWD/unknown.zp LD_PRELOAD=$library ./unknown
is "a zone that nobody has made is (unknown), and its calls are said to make no sense" "3 calls, 3 of them without sense" \
	"$("$zprof" report --json unknown.zp | awk -F '[:,}]' '/"name":"\(unknown\)"/ { for (i = 1; i < NF; i++) if ($i == "\"calls\"") calls = $(i + 1) }
		/"misuse"/ { for (i = 1; i < NF; i++) if ($i ~ /"misuse"/) misuse = $(i + 1) } END { printf "%d calls, %d of them without sense", calls, misuse }')"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any.sh - programs of this system as they are, with all their libraries, libc among them: displaced, each prints what it prints
# otherwise, and no function has a wrong caller. What is not installed is left out; perl always is.
. "${0%/*}/../lib/tap.sh"
plans=$TEST_TMP/plans
mkdir "$plans"
export PERL_HASH_SEED=0 LC_ALL=C

plan_all() { # PROGRAM: plans of the program and of all libraries that it starts with
	LD_TRACE_LOADED_OBJECTS=1 "$1" | awk '$3 ~ /^\// { print $3 }' | xargs "$ZPROF_BUILD/tests/make_plan" "$plans" "$1" >>"$TEST_TMP/planned"
}
any() { # INPUT PROGRAM [ARGUMENT...]
	input=$1 program=$(command -v "$2") || return 0
	shift 2
	name=${program##*/}
	plan_all "$program"
	"$program" "$@" <"$input" >"$TEST_TMP/plain" 2>&1
	for way in "" ,check=1; do
		rm -f "$TEST_TMP/out"*
		LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS="plans=$plans,output=$TEST_TMP/out$way" "$program" "$@" <"$input" >"$TEST_TMP/said" 2>&1
		same "$name prints the same${way:+ ($way)}" "$TEST_TMP/plain" "$TEST_TMP/said"
	done
	"$ZPROF_BUILD/zprof" info "$TEST_TMP/out" >"$TEST_TMP/info" 2>/dev/null
	wrong=$(awk '/wrong caller/ { print "the first: " $0 }' "$TEST_TMP/info")
	is "$name: no function has a wrong caller" "$wrong" ""
	compared=$(awk '/compared with the real one/ { gsub(/,/, ""); print $1 }' "$TEST_TMP/info")
	[ "${compared:-0}" -gt 1000 ]
	tap $? "$name: so many callers are compared: ${compared:-none}"
}
cat >"$TEST_TMP/perl" <<'END'
my %h;
for my $i (1 .. 3000) { $h{"k$i"} = join(",", map { $_ * $i } 1 .. 5); }
my $s = 0;
for (sort keys %h) { $s += length($h{$_}); $s++ if $h{$_} =~ /7(\d)/; }
sub f { my $n = shift; $n < 2 ? $n : f($n - 1) + f($n - 2) }
eval { die "thrown\n" };
printf "%d %d %s %.3f\n", $s, f(12), $@, sqrt(2);
END
cat >"$TEST_TMP/sql" <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000) insert into t select x, 'row ' || x, x * 1.5 from n;
create index i on t(b);
select count(*), sum(c), max(b) from t where b like '%99%';
END
any /dev/null perl "$TEST_TMP/perl"
any "$TEST_TMP/sql" sqlite3 :memory:
any /dev/null jq -n '[range(3000) | {a: ., b: "x\(.)"} | select(.b | test("1[0-9]")) | .a] | add'
any /dev/null gawk 'BEGIN { for (i = 0; i < 3000; i++) { a[i % 97] = a[i % 97] i; s += length(a[i % 97]) } printf("%d %f\n", s, s / 3) }'
any /dev/null git -C "$(cd "${0%/*}/../.." && pwd)" grep --threads=1 --no-color -n -w in -- preload
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# any_parents.sh - programs of this system, as they are installed: at each call that `zprof record --any` records, the zones that are open
# are those of the real stack, by the return addresses on it (check=1). Callees of functions that are not recorded are compared, too: few
# functions cannot be displaced, so perl is also recorded with a part of its functions alone. Each program prints what it prints by itself.
#
#   tests/real/any_parents.sh [TIMES]
#
# TIMES (1): how much longer than usual each program runs; 20 are 110 million calls.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
: "${ZPROF_BUILD:?is set by make}"
unset ZPROF_OPTIONS LD_PRELOAD
export PERL_HASH_SEED=0 PYTHONHASHSEED=0 LC_ALL=C
tree=$PWD times=${1:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
compared=0 programs=0

losses() { # KIND
	"$ZPROF_BUILD/zprof" report --json p.zp 2>/dev/null | tr ',{' '\n\n' | sed -n "s/^ *\"$1\": *\([0-9]*\).*/\1/p"
}
compare() { # NAME [--libs=LIBRARIES | --only=FUNCTIONS] PROGRAM ARGUMENT...
	name=$1 option=
	shift
	case $1 in --*) option=$1; shift ;; esac
	command -v "$1" >/dev/null || { echo "# $name is not installed"; return; }
	{ "$@"; echo $?; } </dev/null >plain.out 2>&1
	rm -f p.zp
	{ ZPROF_OPTIONS=check=1,sample=0 "$ZPROF_BUILD/zprof" record --any --quiet ${option:+"$option"} -o p.zp -- "$@" 2>said; echo $?; } \
		</dev/null >recorded.out
	grep -v '^zprof: ' said >>recorded.out
	same "$name runs as by itself" plain.out recorded.out
	is "$name: no call has another parent than on the real stack, of $(losses checked)" "" "$(losses disagreed)"
	# (A location without a rule of its own: there is no call frame information for it.)
	is "$name: no caller was guessed" "" "$(losses entries_guessed)"
	calls=$(losses checked)
	compared=$((compared + ${calls:-0})) programs=$((programs + 1))
}

cat >table.sql <<END
create table t(a integer primary key, b text, c real);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000 * $times)
	insert into t select x, 'row ' || (x * 7919 % 60000), x * 1.5 from n;
create index i on t(b);
select count(*), sum(c), max(b) from t where b like '%99%';
select sum(length(a.b)) from t a join t b on a.b = b.b where a.a % 7 = 1;
select group_concat(b) from (select b from t order by c desc limit 10);
END
for i in $(seq "$times"); do echo "int f$i(int x) { int s = 0; for (int i = 0; i < x; i++) s += i % 7 ? i * $i : x / (i + 1); return s; }"; done >many.c
count='my %c; for my $i (1 .. 40000 * shift) { $c{"k" . ($i * 7919 % 20003)} += $i } my $n = 0; /7$/ and $n += length for sort keys %c; print "$n\n"'
compare perl perl -e "$count" "$times"
compare "a part of perl" "--only=*[aeiou]" perl -e "$count" "$times"
compare "another part of perl" "--only=Perl_[p-z]*" perl -e "$count" "$times"
compare gawk gawk -v n="$times" 'BEGIN { for (i = 0; i < 20000 * n; i++) { a[i % 997] = substr(a[i % 997] i, 1, 50); s += length(a[i % 97]) } print s }'
compare jq jq -n --argjson n "$times" '[range(100 * $n) | {a: ., b: "x\(.)"} | select(.b | test("1[0-9]")) | .a] | add'
compare sqlite sqlite3 :memory: '.read table.sql'
compare python /usr/bin/python3 -S -c 'import sys; print(sum(len(str(i)) * (i ^ 5) % 3 for i in range(30000 * int(sys.argv[1]))))' "$times"
compare git git -C "$tree" grep --threads=1 --no-color -n -w in -- preload
compare grep grep -rc 'in[t ]' "$tree/preload"
compare xz '--libs=liblzma*' xz -k -c /bin/true
# (Its libraries have destructors: preload/code/finalizer.h.)
compare clang clang -O1 -c -o many.o many.c
compare cc1 "$(gcc -print-prog-name=cc1)" -quiet -O2 -o many.s many.c
[ $programs -ge 10 ]
tap $? "eight programs are there, one of them in parts: $programs"
[ $compared -ge $((5000000 * times)) ]
tap $? "there is something to compare: $compared calls"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# any_counts.sh - programs of this system, as they are installed: calls recorded with `zprof record --any` are those that the kernel counts
# (count_uprobes.c) at the entries of the same functions while the program runs by itself, to the call.
#
#   tests/real/any_counts.sh
#
# Of each program 30 functions that are called are drawn, and 5 that are not; $COUNT_SEED (1) draws others. With REAL_FULL=1 all that are
# called are compared; the kernel takes 80 ms to set one probe. Both runs have an environment of as many bytes: perl makes a value of each
# variable. Some programs are not compared: Python, which calls some functions more or less often by where its objects are; libcrypto and
# the C library, parts of which run before anything is displaced. A function that begins with a `lock` gets no probe, though the kernel does
# not say so: sqlite3MemoryBarrier. Without root the kernel sets no probes, and the test is skipped.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
. tests/lib/displaced.sh
: "${ZPROF_BUILD:?is set by make}"
unset ZPROF_OPTIONS LD_PRELOAD
export PERL_HASH_SEED=0 LC_ALL=C
tree=$PWD most=${REAL_FULL:+65000}
: "${most:=30}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
gcc -std=gnu11 -O2 -Wall -Wextra tests/real/count_uprobes.c -o "$work/count_uprobes" || exit 1
cd "$work" || exit 2
PATH=$ZPROF_BUILD:$PATH

# Does the kernel let this user set probes?
printf '0 none\n' >place
./count_uprobes /bin/true place counted /bin/true 2>refusal || {
	skip "programs as they are, compared with the kernel's counts" "$(cat refusal)"
	finish
	exit
}

recorded_run() { # PROGRAM ARGUMENT...
	rm -f p.zp
	zprof record --any --quiet ${libraries:+"--libs=$libraries"} -o p.zp -- "$@" >recorded.out 2>recorded.err
	echo $? >>recorded.out
}
plain_run() { # FILE PROGRAM ARGUMENT...: FILE's functions are counted
	file=$1
	shift
	env "LD_PRELOAD=$(printf '%*s' "$(printf %s "$work/libzprof.so" | wc -c)" '')" "ZPROF_OPTIONS=plans=/tmp/zprof-plans.......,output=p.zp" \
		"ZPROF_RUN=................................" ./count_uprobes "$file" places counted "$@" >plain.out 2>plain.err
	echo $? >>plain.out
}
# As displaced_functions has them, in random order.
drawn_functions() { # PROFILE FILE
	displaced_functions "$@" | awk -v seed="${COUNT_SEED:-1}" 'BEGIN { srand(seed) } $2 != "sqlite3MemoryBarrier" { printf "%.9f %s\n", rand(), $0 }' |
		sort | cut -d' ' -f2-
}
compare() { # NAME FILE [--libs=LIBRARIES] PROGRAM ARGUMENT...
	name=$1 file=$(realpath "$2" 2>/dev/null) libraries=
	shift 2
	case $1 in --libs=*) libraries=${1#*=}; shift ;; esac
	command -v "$1" >/dev/null && [ "$file" ] || { echo "# $name is not installed"; return; }
	recorded_run "$@" </dev/null
	drawn_functions p.zp "$file" >functions
	{ awk '$3' functions | head -n "$most"; awk '!$3' functions | head -n 5; } >wanted
	cut -d' ' -f1,2 wanted >places
	plain_run "$file" "$@" </dev/null
	same "$name runs as by itself" plain.out recorded.out
	awk 'NR == FNR { calls[$1] = $3; next } $2 == "refused" { next } { print $3, calls[$1] }' wanted counted >of_zprof
	awk '$2 != "refused" { print $3, $2 }' counted >of_kernel
	same "$name: calls of $(wc -l <of_kernel) functions" of_kernel of_zprof
	sum=$(awk '{ sum += $2 } END { print sum + 0 }' of_kernel)
	[ "$sum" -gt 500 ]
	tap $? "$name: there is something to compare: $sum calls"
	awk '$2 == "refused" { print "# the kernel sets no probe in " $3 }' counted
	programs=$((programs + 1))
}
cat >table.sql <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000) insert into t select x, 'row ' || x, x * 1.5 from n;
create index i on t(b);
select count(*), sum(c), max(b) from t where b like '%99%';
END
programs=0
compare perl /usr/bin/perl perl -e 'my %h; $h{$_} = "v$_" for 1 .. 3000; my $n = grep { /7/ } sort values %h; print "$n\n"'
compare gawk /usr/bin/gawk gawk 'BEGIN { for (i = 0; i < 3000; i++) { a[i % 97] = a[i % 97] i; s += length(a[i % 97]) } print s }'
compare git /usr/bin/git git -C "$tree" grep --threads=1 --no-color -n -w in -- preload
compare grep /usr/bin/grep grep -rc 'in[t ]' "$tree/preload"
compare sed /usr/bin/sed sed -n 's/\([a-z]*\)_\([a-z]*\)/\2 \1/p' "$tree/preload/zprof.h"
compare gzip /usr/bin/gzip gzip -c "$tree/preload/zprof.h"
compare tar /usr/bin/tar tar -cf - --sort=name "$tree/preload"
compare make /usr/bin/make make -n -f /usr/share/dpkg/default.mk
compare sqlite "$(library_of libsqlite3.so.0 sqlite3)" sqlite3 :memory: '.read table.sql'
compare jq "$(library_of libjq.so.1 jq)" jq -n '[range(30) | {a: ., b: "x\(.)"} | select(.b | test("1[0-9]")) | .a] | add'
compare xz "$(library_of liblzma.so.5 xz)" '--libs=liblzma*' xz -k -c /bin/true
[ $programs -ge 8 ]
tap $? "eight programs are there: $programs"
finish

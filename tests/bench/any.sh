#!/bin/sh
# SPDX-License-Identifier: MIT
# any.sh - what `zprof record --any` costs programs of this system, as they are installed: full contexts of all calls, and samples.
#
#   tests/bench/any.sh BUILD [PROGRAM...]
#
# Each round runs the plain program, and the same with zprof before it, one after the other (costs.py). callgrind and uftrace (-P ., which
# patches functions as the program starts, too) run once, where they are installed: callgrind takes a minute for a program. Then the same for
# programs that do next to nothing: what the start takes, with plans that are there, and how many functions are displaced in them.
# ROUNDS=5; PEERS=none leaves callgrind and uftrace out. It judges nothing: times depend on the machine.
build=$(cd "${1:?usage: tests/bench/any.sh BUILD [PROGRAM...]}" && pwd)
cd "${0%/*}/../.." || exit 2
root=$(pwd) folder=$build/bench/any cost=$(pwd)/tests/bench/costs.py rounds=${ROUNDS:-5}
shift
options=
programs=${*:-perl gawk git python ripgrep sqlite jq clang}
mkdir -p "$folder" && cd "$folder" || exit 2
export PERL_HASH_SEED=0 PYTHONHASHSEED=0 LC_ALL=C
unset ZPROF_OPTIONS LD_PRELOAD

is_wanted() { # NAME PROGRAM
	case " $programs " in *" $1 "*) ;; *) return 1 ;; esac
	command -v "$2" >/dev/null || { echo "SKIPPED: there is no $2" >&2; return 1; }
}
work() { # NAME PROGRAM ARGUMENT...
	is_wanted "$@" || return
	name=$1
	shift
	ROUNDS=$rounds python3 "$cost" "$name" plain: "zprof:$build/zprof record --quiet --force --any $options -o any.zp" -- "$@"
	while read -r peer command; do
		[ "${PEERS:-}" != none ] && command -v "${command%% *}" >/dev/null || continue
		ROUNDS=1 python3 "$cost" "$name" plain: "$peer:$command" -- "$@" | grep 'alone'
	done <<-END
		callgrind valgrind -q --tool=callgrind --callgrind-out-file=/dev/null --trace-children=yes
		uftrace uftrace record -P . --no-libcall -d uftrace.data
	END
}
start() { # NAME PROGRAM ARGUMENT...
	is_wanted "$@" || return
	name=$1
	shift
	ROUNDS=$((3 * rounds)) python3 "$cost" --added "$name" plain: "zprof:$build/zprof record --quiet --force --any $options -o any.zp" -- "$@" |
		sed "/passed/d; /all/d"
	for profile in any.zp*; do "$build/zprof" report "$profile" 2>/dev/null; done |
		awk -F': ' '/functions recorded without hooks/ { if ($NF > most) most = $NF } END { print "  functions displaced:", most }'
	rm -f any.zp*
}

seq 2000000 | awk '{ print "int f" $1 "(int x) { return x * " $1 " % 7; }" }' >text.c
head -4000 text.c >small.c
sed 's/TURNS/60/' "$root/tests/bench/inside_lines.sql" >script.sql
cat >work.pl <<'END'
my (%c, $n);
for my $i (1 .. 6000000) { $c{"k" . ($i * 7919 % 20003)} += $i }
/7$/ and $n += length for sort keys %c;
print "$n\n";
END
cat >work.awk <<'END'
BEGIN { for (i = 0; i < 5000000; i++) { a[i % 997] = substr(a[i % 997] i, 1, 50); s += length(a[i % 97]) } print s }
END
echo '[range(200000) | {a: ., b: "x\(.)"} | select(.b | test("1[0-9]")) | .a] | add' >work.jq

work perl perl work.pl
work gawk gawk -f work.awk
work git git -C "$root" log -p --stat --format=%H
options=--adapters=0
work python /usr/bin/python3 -S -c 'print(sum(len(str(i)) * (i ^ 5) % 3 for i in range(6000000)))'
options=
work ripgrep rg -j1 -c --no-mmap '(f[0-9]+).*[02468]5\s%|return.x.\*.[0-9]*7' text.c
work sqlite sqlite3 -batch :memory: '.read script.sql'
work jq jq -n -c -f work.jq
work clang clang -O2 -w -c small.c -o small.o
echo "start"
start perl perl -e 1
options=--adapters=0
start python /usr/bin/python3 -S -c 1
options=
start git git --version
start sqlite sqlite3 -version
start clang clang -w -c -x c /dev/null -o small.o

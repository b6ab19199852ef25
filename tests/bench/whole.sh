#!/bin/sh
# SPDX-License-Identifier: MIT
# What whole programs cost under zprof and gprof: processor time, as a ratio to that of the build without hooks.
#
#   tests/bench/whole.sh BUILD_DIR [ROUNDS [PROGRAM...]]
#
# The programs are those of tests/real/programs and tests/bench/truth/programs, each with its first workload; sqlite, jsoncpp, ninja, zstd,
# gawk, tcc, jq, perl and leveldb when not named. The workload is repeated within a run ($times) until the plain program takes a second or
# two: what starting a profiler takes is no part of the ratio that is asked for. The runs are interleaved, since the machine's other work
# changes with time, and the least of each counts. zprof takes its samples meanwhile.
set -u
cd "${0%/*}/../.." || exit 2
. tests/lib/build.sh
build=$(cd "${1:?usage: whole.sh BUILD_DIR [ROUNDS [PROGRAM...]]}" && pwd) || exit 2
rounds=${2:-9}
shift $(($# > 2 ? 2 : $#))
[ $# -gt 0 ] || set -- sqlite jsoncpp ninja zstd gawk tcc jq perl leveldb
root=$(pwd) real=$build/bench/source level=-O2 cc=gcc cxx=g++ reversed=''
unset ZPROF_OPTIONS LD_PRELOAD
kinds='plain-fentry entries fentry pg'
memory=$(mktemp -d /dev/shm/zprof-whole.XXXXXX) || exit 2
trap 'rm -rf "$memory"' EXIT
trap 'exit 1' HUP INT TERM

flags_of() { # KIND
	case $1 in
	plain-fentry) echo -g ;;
	pg) echo "-g -pg" ;;
	*) "$build/zprof" cflags "--$1" ;;
	esac
}

# One run; prints its processor time.
time_of() { # KIND
	recorded=''
	case $1 in entries | fentry) recorded="--set LD_PRELOAD=$build/libzprof.so --set ZPROF_OPTIONS=clock=count,output=$memory/profile" ;; esac
	traced="$build/bench/truth/sampler --period 0 --output $memory/time $recorded --"
	rm -rf "$memory/folder" "$memory"/profile* && mkdir -p "$memory/folder/run" && find "$work" -maxdepth 1 -type f ! -name '.*' -exec ln -sf -t "$memory" {} + &&
		(cd "$memory/folder/run" && run "${workloads%% *}" "$work/$1/$name") >"$memory/out" 2>"$memory/errors" || return 1
	sed -n '1s/.*[ #]cpu_ns \([0-9]*\).*/\1/p' "$memory/time"
}

measure() { # NAME
	name=$1
	for definition in "tests/bench/truth/programs/$name.sh" "tests/real/programs/$name.sh"; do [ ! -f "$definition" ] || break; done
	. "./$definition"
	prepare_program || return 1
	for kind in $kinds; do
		mkdir -p "$work/$kind" && hooks=$(flags_of "$kind") && build "$work/$kind/$name" >"$work/$kind/build.log" 2>&1 || return 1
	done
	times=1
	times=$(awk -v ns="$(time_of plain-fentry)" 'BEGIN { print int(1.5e9 / ns) + 1 }')
	for round in $(seq "$rounds"); do
		for kind in $kinds; do
			echo "$round $kind $(time_of "$kind")" || return 1
		done
	done | awk -v name="$name" '{ if (!($2 in least) || $3 < least[$2]) least[$2] = $3 }
		END {
			plain = least["plain-fentry"]
			printf "%-10s %7.3f s %9.2f %9.2f %9.2f\n", name, plain / 1e9, least["entries"] / plain, least["fentry"] / plain, least["pg"] / plain
		}'
}

printf "%-10s %9s %9s %9s %9s\n" program plain entries fentry gprof
for program; do
	(measure "$program") || echo "$program cannot be measured"
done

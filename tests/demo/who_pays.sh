#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asks each profiler who pays for the demo's rays: what cast_ray takes on behalf of AI, and of physics.
#
#   tests/demo/who_pays.sh BUILD_DIR [TURNS]
#
# The truth comes from perf, on the program without hooks: it samples whole stacks, 4000 times a second. All builds have the same
# functions: none is inlined, cloned or turned into a jump. Processor time is relative to the build without hooks.
set -eu
cd "$(dirname "$0")/../.."
build=$PWD/${1:?usage: tests/demo/who_pays.sh BUILD_DIR [TURNS]} turns=${2:-2000}
dir=$build/demo/who-pays source=$PWD/tests/demo/sim.c
unset GMON_OUT_PREFIX ZPROF_OPTIONS
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"

for tool in perf uftrace gprof valgrind; do
	command -v $tool >/dev/null || { echo "who_pays: there is no $tool (packages linux-perf, uftrace, binutils, valgrind)" >&2; exit 1; }
done

same='-O2 -g -fno-inline -fno-ipa-cp -fno-ipa-sra -fno-optimize-sibling-calls'
make_sim() { # NAME FLAGS: -lm comes after the source
	# shellcheck disable=SC2086
	${CC:-gcc} $same $2 "$source" -o "$1" -lm
}
make_sim plain '' && make_sim frames -fno-omit-frame-pointer && make_sim gprof '-pg -no-pie' && make_sim hooks -finstrument-functions &&
	make_sim fentry "$("$build/zprof" cflags --fentry)"

# Runs a command; its processor time, in ms, is in `took`.
TIMEFORMAT='%U %S'
run() {
	took=$( { time "$@" >said 2>&1; } 2>&1 | awk '{print ($1 + $2) * 1000}')
}

row() { # WHO AI PHYSICS
	awk -v who="$1" -v ai="$2" -v physics="$3" -v took="$took" -v plain="$plain" 'BEGIN {
		printf "%-26s %6.1f %%  %6.1f %%   %5.2f   %6.1f\n", who, 100 * ai / (ai + physics), 100 * physics / (ai + physics), ai / physics, took / plain}'
}

run ./plain "$turns" && plain=$took
printf '%-26s %8s  %8s   %5s   %6s\n' '' AI physics ratio 'times'

run perf record -q -e cpu-clock -F 4000 --call-graph fp ./frames "$turns"
# shellcheck disable=SC2046
row 'truth (perf, no hooks)' $(perf script -F ip,sym 2>/dev/null | awk '
	!NF {ai += ray && eye; physics += ray && step; ray = eye = step = 0}
	/cast_ray|aim|march|meets_body/ {ray = 1}
	/ai_think/ {eye = 1}
	/physics_step/ {step = 1}
	END {print ai, physics}')

zprof_says() { # WHO BUILD OPTIONS COMMAND...
	who=$1 sim=$2 options=$3 && shift 3
	rm -f zprof.out
	run env ZPROF_OPTIONS="output=zprof.out$options" "$@" "./$sim" "$turns"
	# shellcheck disable=SC2046
	row "$who" $("$build/zprof" graph --func cast_ray --json zprof.out | tr '{' '\n' | awk '
		function value(key) {match($0, "\"" key "\":[^,}]*"); return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)}
		/"caller_name":"ai_think"/ && !ai {ai = value("parent_total_ns")}
		/"caller_name":"physics_step"/ && !physics {physics = value("parent_total_ns")}
		END {print ai, physics}')
}
zprof_says zprof hooks '' env LD_PRELOAD="$build/libzprof.so"
zprof_says 'zprof, cflags --fentry' fentry '' env LD_PRELOAD="$build/libzprof.so"
zprof_says 'zprof record --native' fentry '' "$build/zprof" record --native --no-archive
zprof_says 'zprof, clock=exact' hooks ,clock=exact env LD_PRELOAD="$build/libzprof.so"

run uftrace record --no-event -d uftrace.data ./hooks "$turns"
# shellcheck disable=SC2046
row uftrace $(uftrace graph -d uftrace.data cast_ray 2>/dev/null | awk '
	/backtrace #/ {t = $(NF - 1) * ($NF == "s" ? 1000 : 1)}
	/ai_think/ && !ai {ai = t}
	/physics_step/ && !physics {physics = t}
	END {print ai, physics}')

run ./gprof "$turns"
# shellcheck disable=SC2046
row gprof $(gprof -b -q ./gprof gmon.out | awk '
	/^----/ {below = 0}
	/^\[.* cast_ray / {below = 1; ai = at; physics = ps}
	/ ai_think / && !/^\[/ {at = $1 + $2}
	/ physics_step / && !/^\[/ {ps = $1 + $2}
	END {print ai, physics}')

run valgrind --tool=callgrind --callgrind-out-file=callgrind.out ./plain "$turns"
# shellcheck disable=SC2046
row "callgrind's instructions" $(callgrind_annotate --inclusive=yes --tree=caller --show-percs=no callgrind.out | awk '
	{gsub(",", "", $1)}
	/ < .*:ai_think / {at = $1}
	/ < .*:physics_step / {ps = $1}
	/ \* .*:cast_ray / && !ai {ai = at; physics = ps}
	END {print ai, physics}')

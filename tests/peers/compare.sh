#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the same programs under zprof and its peers, and prints a table: tool by case, right or wrong, measured in this run.
#
#   ZPROF_BUILD=... tests/peers/compare.sh [CASE-GLOB]
#
# Each program counts its own calls (tests/programs/truth.h). All are built without optimization and inlining, so that every tool sees
# every function, and each tool has the settings with which it records most; where that differs by case, both are tried, and the better
# result is printed. Fails if zprof's own column is not right throughout. README.md has a copy of what it prints, and the reasons.
set -u
cd "${0%/*}/../.." || exit 2
: "${ZPROF_BUILD:?is set by make}"
work=$ZPROF_BUILD/peers
# LTTng has one daemon per machine: if possible, this one gets sockets and memory of its own, as on another machine.
if [ -z "${PEERS_APART:-}" ] && mkdir -p /run/lttng 2>/dev/null && unshare -m mount -t tmpfs tmpfs /run/lttng 2>/dev/null; then
	# shellcheck disable=SC2016
	PEERS_APART=1 exec unshare -m sh -c 'mount -t tmpfs tmpfs /run/lttng && mount -t tmpfs tmpfs /dev/shm && exec "$@"' sh "tests/peers/${0##*/}" "$@"
fi
glob=${1:-*}
tools="zprof gprof uftrace lttng xray callgrind"

# case | program | arguments
cases='calls and returns|chain|
C++ virtual calls|virtual|
500 callees|fan|
recursion 100,000 deep|deep|100000
two threads, one function|threads|1000000
2,000 short threads|churn|2000
threads exit, are cancelled|threads_end|
longjmp|jumps|
C++ exceptions|exceptions|
exit from deep inside|deaths|exit
abort|deaths|abort
SIGKILL|deaths|kill 3
fork|forks|fork
signal handlers, 10 kHz|signals|normal 5
swapcontext|stacks|contexts
hand-written stack switch|stacks|assembly
dlopen and dlclose|dl|'

flavour_of() {
	case $1 in gprof | xray) echo "$1" ;; *) echo hooks ;; esac
}

compile() { # FLAVOUR OUTPUT FLAGS-AND-FILES...
	flavour=$1 output=$2
	shift 2
	case $flavour in
	hooks) cc=gcc cxx=g++ flags="-finstrument-functions -no-pie" ;;
	gprof) cc=gcc cxx=g++ flags="-pg -no-pie" ;;
	xray) cc=clang cxx=clang++ flags="-fxray-instrument -fxray-instruction-threshold=1" ;;
	esac
	case $* in
	*.cc*) cc="$cxx -std=gnu++20" ;;
	*-shared*) flags=${flags/-no-pie/} ;;
	esac
	# shellcheck disable=SC2086
	$cc -O0 -Dalways_inline=noinline -g -w -I. -pthread $flags "$@" -o "$output" || exit 1
}

build() { # FLAVOUR PROGRAM
	dir=$work/$1
	mkdir -p "$dir"
	[ -x "$dir/$2" ] && return
	for source in tests/programs/"$2".c{,c} tests/*/"$2".c{,c}; do [ ! -e "$source" ] || break; done
	compile "$1" "$dir/$2" "$source" "$ZPROF_BUILD/tests/programs/truth.o"
	if [ "$2" = dl ]; then
		for colour in red blue; do
			compile "$1" "$dir/libdl_$colour.so" -DCOLOUR=$colour -fPIC -shared tests/programs/dl_plugin.c
		done
	fi
	[ "$2" != forks ] || build "$1" chain
}

# Settings that are tried, in this order, until a result is right. uftrace follows longjmp only if it traces calls of libraries,
# and then dies of exceptions; LTTng drops events when it is too slow, or makes the program wait.
settings_of() {
	case $1 in
	uftrace) echo libcall no-libcall ;;
	lttng) echo dropping blocking ;;
	*) echo usual ;;
	esac
}

# run TOOL SETTING PROGRAM ARGUMENTS...: in the current folder. The exit status is the program's.
run() {
	tool=$1 setting=$2
	shift 2
	case $tool in
	zprof) ZPROF_OPTIONS=output=$PWD/profile.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$@" ;;
	gprof) GMON_OUT_PREFIX=$PWD/gmon "$@" ;;
	uftrace)
		flag=
		[ "$setting" = libcall ] || flag=--no-libcall
		uftrace record --no-event -D 65535 --max-stack=65535 $flag -d uftrace.data "$@"
		;;
	xray)
		XRAY_BASIC_OPTIONS="func_duration_threshold_us=0 max_stack_depth=200000" XRAY_OPTIONS="patch_premain=true xray_mode=xray-basic xray_logfile_base=$PWD/xray. verbosity=0" "$@"
		;;
	callgrind)
		LD_PRELOAD=$work/hooks.so valgrind -q --tool=callgrind --trace-children=yes \
			--callgrind-out-file="$PWD/callgrind.%p" "$@"
		;;
	lttng)
		lttng -q create peers -o "$PWD/trace" && lttng -q enable-channel -u all --subbuf-size=1M --num-subbuf=128 $([ "$setting" = dropping ] || echo --blocking-timeout=inf) &&
			lttng -q enable-event -u -c all 'lttng_ust_cyg_profile*' && lttng -q start
		LTTNG_UST_ALLOW_BLOCKING=1 LD_PRELOAD="liblttng-ust-cyg-profile.so liblttng-ust-fork.so" "$@"
		status=$?
		timeout 10 lttng -q stop
		timeout 10 lttng -q destroy --no-wait peers
		return $status
		;;
	esac
}

# arcs TOOL PROGRAM: the tool's result, as CALLER, CALLEE, CALLS.
arcs() {
	case $1 in
	zprof)
		for f in profile.*; do
			"$ZPROF_BUILD/zprof" graph --json "$f" | jq -r '(.functions | map({(.id|tostring): .name}) | add) as $n |
				.arcs[] | [(if .caller then $n[.caller|tostring] else "-" end), $n[.callee|tostring], .calls] | @tsv'
		done
		;;
	gprof)
		for f in gmon.*; do
			gprof -b -q "$2" "$f" | awk -f "$here/arcs_gprof.awk"
		done
		;;
	uftrace) uftrace dump --graphviz -d uftrace.data | awk -f "$here/arcs_dot.awk" ;;
	lttng)
		{
			nm -nC "$2"
			babeltrace2 trace
		} | awk -f "$here/arcs_lttng.awk"
		;;
	xray)
		for f in xray.*; do
			llvm-xray graph --keep-going --edge-label=count --vertex-label=count -m "$2" "$f" | awk -f "$here/arcs_dot.awk"
		done
		;;
	callgrind)
		for f in callgrind.*; do
			awk -v raw=1 -f "$here/../real/callgrind_names.awk" -f "$here/../real/callgrind_truth.awk" "$f"
		done
		;;
	esac 2>>said
}

# Smaller is better: lost 5 % is better than wrong 1 %, and any result is better than none.
rank() {
	awk -v said="$1" 'BEGIN {
		percent = match(said, /[0-9.]+ %/) ? substr(said, RSTART) + 0 : 0
		print said == "right" ? 0 : said ~ /^lost/ ? 1000 + percent : said ~ /^wrong/ ? 2000 + percent : 3000
	}'
}

best() { # TOOL PROGRAM ARGUMENTS...
	if [ "$1.$2" = lttng.dl ]; then
		echo - # its trace holds addresses, and addresses in libraries are not resolved here
		return
	fi
	result=
	for setting in $(settings_of "$1"); do
		[ "$result" != right ] || break
		another=$(judge "$setting" "$@")
		if [ -z "$result" ] || awk -v a="$(rank "$another")" -v b="$(rank "$result")" 'BEGIN {exit !(a < b)}'; then
			result=$another
		fi
	done
	echo "$result"
}

judge() { # SETTING TOOL PROGRAM ARGUMENTS...
	setting=$1 tool=$2 name=$3
	shift 3
	program=$work/$(flavour_of "$tool")/$name
	folder=$work/run/$tool
	rm -rf "$folder"
	mkdir -p "$folder"
	cd "$folder" || exit 2
	TRUTH=$folder/plain
	mkdir plain truth
	{ (cd plain && TRUTH=$folder/plain timeout 60 "$program" "$@" >out 2>&1); } 2>/dev/null
	expected=$?
	export TRUTH=$folder/truth
	export -f run
	export work tool ZPROF_BUILD
	timeout -k 5 60 bash -c 'run "$@"' run "$tool" "$setting" "$program" "$@" >out 2>said
	got=$?
	# uftrace has its own exit status, and prints the program's in words
	if [ "$tool" = uftrace ] && [ "$got" != 124 ]; then
		got=$expected
		[ "$expected" -ge 128 ] || ! grep -q 'terminated by signal' said || got=139
	fi
	if [ "$got" = 124 ]; then
		[ "$tool" != lttng ] || lttng -q destroy --all >/dev/null 2>&1
		echo hangs
	elif [ "$got" != "$expected" ] && [ "$got" -ge 128 ]; then
		echo crashed
	elif [ "$got" != "$expected" ]; then
		echo "exit status $got"
	elif ! ls truth/truth.* >/dev/null 2>&1; then
		echo crashed
	else
		timeout 300 bash -c 'arcs "$@" >arcs' arcs "$tool" "$program"
		if [ -s arcs ]; then
			awk -f "$here/verdict.awk" arcs truth/truth.*
		else
			echo nothing
		fi
	fi
	cd "$here" || exit 2
}

here=$PWD/tests/peers
export here
export -f arcs
mkdir -p "$work"
${CC:-gcc} -O2 -shared -fPIC tests/real/hooks.c -o "$work/hooks.so" || exit 1
setsid lttng-sessiond --quiet >"$work/sessiond.log" 2>&1 &
sessiond=$!
# it does not end before a killed program's session is emptied
trap 'kill $sessiond; sleep 1; kill -9 -- -$sessiond 2>/dev/null' EXIT
sleep 2
kill -0 $sessiond 2>/dev/null || {
	echo "tests/peers/compare.sh: cannot start LTTng's session daemon (is one running?): $(tail -1 "$work/sessiond.log")" >&2
	exit 1
}

for version in "gcc --version" "clang --version" "gprof --version" "uftrace --version" "lttng --version" "babeltrace2 --version" \
	"llvm-xray --version" "valgrind --version"; do
	tool=${version%% *}
	package=$(dpkg-query -S "$(readlink -f "$(command -v "$tool")")" 2>/dev/null | cut -d: -f1 | head -1)
	printf '%-12s %s\n' "$tool" "$($version 2>&1 | grep -m1 '[0-9][.][0-9]' | sed 's/^ *//')${package:+ ($(dpkg-query -W -f '${Package} ${Version}' "$package"))}"
done
echo
format='%-28s %-13s %-13s %-13s %-13s %-13s %-13s\n'
# shellcheck disable=SC2059,SC2086
printf "$format" case $tools
failed=0
while IFS='|' read -r what program arguments; do
	# shellcheck disable=SC2254
	case $program in $glob) ;; *) continue ;; esac
	row=()
	for tool in $tools; do
		(cd "$here/../.." && build "$(flavour_of "$tool")" "$program") || exit 1
		# shellcheck disable=SC2086
		row+=("$(best "$tool" "$program" $arguments)")
	done
	# shellcheck disable=SC2059
	printf "$format" "$what" "${row[@]}"
	[ "${row[0]}" = right ] || failed=1
done <<<"$cases"
exit $failed

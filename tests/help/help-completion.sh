#!/bin/sh
# SPDX-License-Identifier: MIT
# What bash completes: values of options, functions of the newest profile, and processes. tests/packaging/install.sh has the rest.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
"$zprof" manual bash >completion || exit 1
printf '[group scanner]\nfunc = scan*\n[group parser]\nfunc = parse*\n' >zprof.groups
cat >names.cc <<'END'
namespace shop { struct Cart { void add(int) {} void drop() {} }; static int addUp(int n) { return n; } }
int main() { shop::Cart c; c.add(1); c.drop(); return shop::addUp(0); }
END
g++ -g -finstrument-functions names.cc -o names && "$zprof" record --quiet ./names || exit 1

# The replies for a line, as readline asks for them: words are divided at blanks, `=` and `:`.
complete() { # LINE
	bash -c '
		. ./completion
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=() rest=$1
		while [[ $rest =~ ^\ *([=:]+|[^=:\ ]+)(.*)$ ]]; do COMP_WORDS+=("${BASH_REMATCH[1]}") rest=${BASH_REMATCH[2]}; done
		[[ $1 != *\  ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_WORDS[0]=$2
		_zprof
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1" "$zprof" | sort | tr '\n' ' ' | sed 's/ $//'
}
while IFS='|' read -r line replies; do
	is "'$line'" "$replies" "$(complete "$line")"
done <<'END'
zprof rep|report
zprof help gro|groups groups-file
zprof record --clock |count exact
zprof record --clock=e|exact
zprof record --history s|self
zprof record --start=|off on
zprof record --clock exact --hist|--history --history_bytes
zprof record --clock=exact --sam|--sample --sampled
zprof record --clock exact ./nam|./names ./names.cc
zprof record ./names --na|
zprof report --sort s|self
zprof report --sort zzz|
zprof report --sort=|calls error name self total waited
zprof report --format c|calls
zprof report --format=self,to|self,total self,total/call
zprof report --since res|reset
zprof report --recording l|last
zprof report --color n|never
zprof graph --recursion=f|fold
zprof graph --group sc|scanner
zprof groups --group|--groups
zprof export --format call|callgrind
zprof export --format=|arcs callgrind cpuprofile csv dot firefox folded functions gmon ordering pprof speedscope
zprof top --view t|threads total
zprof view --view c|callers contexts
zprof top --average |0 1 2 all
zprof diff --measure c|calls
zprof cflags --cc c|clang
zprof report --func m|main
zprof report -F shop::Cart::|add drop
zprof report --under=shop::C|Cart::add Cart::drop
zprof report --not shop:|:Cart::add :Cart::drop :addUp
zprof record --only mai|main
zprof record --frame=mai|main
zprof attach --only mai|main
zprof report names|names names.cc
END

# processes
nap=nap$$x # no program of another test has a name that begins so
cat >sleeper.c <<'END'
#include <unistd.h>
int main(void) { for (;;) pause(); }
END
gcc -g -finstrument-functions sleeper.c -o ${nap}9 || exit 1
ZPROF_OPTIONS=output=sleeper.out LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./${nap}9 &
pid=$!
until grep -qs libzprof "/proc/$pid/maps" && [ -e sleeper.out ]; do sleep 0.1; done
# (A program of another test may have a number that begins with this one.)
own() { tr ' ' '\n' | grep -x "$pid"; }
for command in attach detach watch unwatch "attach --stopped"; do
	is "'zprof $command PART-OF-NAME'" ${nap}9 "$(complete "zprof $command $nap")"
	is "'zprof $command $pid'" $pid "$(complete "zprof $command $pid" | own)"
done
for command in top reset snapshot "tune --live"; do
	is "'zprof $command PROGRAM': the process and files" "${nap}9 ${nap}9" "$(complete "zprof $command ${nap}9")"
done
is "'zprof watch $pid m': functions" main "$(complete "zprof watch $pid m")"
kill $pid
wait $pid 2>/dev/null
is "no process that has ended" "" "$(complete "zprof attach $pid" | own)"

# bash itself divides the line, and finds the function by 'complete'
printf 'echo ready\n. ./completion\ncomplete -p zprof\n' | bash >said 2>&1
grep -q 'complete -F _zprof zprof' said
tap $? "bash knows the function" || sed 's/^/# /' said
finish

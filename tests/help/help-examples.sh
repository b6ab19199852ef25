#!/bin/sh
# SPDX-License-Identifier: MIT
# help-examples.sh - every example in the help of every command (the manual pages have them too) runs as it stands.
#
# The simulation, compiler, solver and profiles that they mention are made here. Stand-ins replace viewers that open windows or
# servers; tests/viewers runs the real ones.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/receiver.sh"
zprof=$ZPROF_BUILD/zprof
unset ZPROF_RUN ZPROF_LIB

mkdir bin stand-ins && ln -s "$zprof" bin/zprof
for name in xdg-open kcachegrind flamegraph.pl go cmake meson; do
	printf '#!/bin/sh\ncat >/dev/null </dev/null\nexit 0\n' >stand-ins/$name && chmod +x stand-ins/$name
done
printf '#!/bin/sh\nshift 2\nfor rank in 0 1 2 3; do OMPI_COMM_WORLD_RANK=$rank PMIX_NAMESPACE=test "$@" || exit; done\n' >stand-ins/mpirun && chmod +x stand-ins/mpirun
export PATH="$PWD/bin:$PWD/stand-ins:$PATH" BROWSER=xdg-open

cat >sim.c <<'END'
#include <string.h>
static volatile unsigned sum;
static void str_add(int n) { sum += (unsigned)n; }
static void scan_word(int n) { str_add(n); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void cast_ray(int n) { for (int i = 0; i < n * 10; i++) sum += (unsigned)i; }
static void parse(void) { scan_word(1); cast_ray(100); fib(10); }
int main(void) { for (int i = 0; i < 50; i++) parse(); return (int)(sum & 0); }
END
gcc -g -finstrument-functions sim.c -o sim && cp sim compiler && cp sim solver && : >prog.pas
echo "int main(void) { return 0; }" >prog.c && cp prog.c prog.cc && cp sim.c parser.c
gcc --coverage -c parser.c && gcc --coverage parser.o -o covered && ./covered && rm parser.o
"$zprof" record --quiet --no-archive -o run.zp ./sim
printf 'all:\n\t./sim\n\t./solver\n' >Makefile
cat >zprof.groups <<'END'
[group scanner]
func = scan_*
[group io]
func = str_*
[metric compile]
groups = scanner io
END
mkdir -p old new runs/monday
for i in 1 2; do "$zprof" record --quiet -o old/$i.zp ./sim; "$zprof" record --quiet -o new/$i.zp ./sim; done
for name in before after a b v1 v2 v3; do "$zprof" record --quiet -o $name.zp ./sim; done
"$zprof" record --quiet -o runs/monday/x.zp ./sim
# shellcheck disable=SC2046
gcc $("$zprof" cflags --counts) sim.c -o counting && for name in before after; do "$zprof" record --quiet -o counted-$name.zp ./counting; done

# Whatever the receiver's address, this one answers.
receive received 200
export http_proxy="$url"

# Forms of output, settings of other programs, lines about a fleet, and lines with the id of a process cannot be run.
skipped='^\{|^CFLAGS \+=|--module .libz|4711|--group .*:scanner|attach|detach|watch|sleep|wake|PID|diff --by'
for command in $("$zprof" help | sed -n 's/^    \([a-z]*\)  .*/\1/p'); do
	"$zprof" help "$command" | sed -n '/^EXAMPLES/,$s/^        //p' | grep -Ev "$skipped" >lines
	while read -r line; do
		"$zprof" record --quiet ./sim 2>errors # the newest run, which most examples show
		if [ "$line" != "${line#zprof annotate}" ]; then "$zprof" record --quiet --callsites ./sim; fi
		timeout 300 bash -c "$line" >out 2>errors </dev/null
		status=$?
		case $line in *--fail*) [ $status = 0 ] || [ $status = 3 ] ;; *) [ $status = 0 ] ;; esac
		tap $? "$line" || sed 's/^/# /' errors | head -5
	done <lines
done
is "the receiver had nothing to complain of" "" "$(wrong received)"
stop_receiver
[ "$tap_count" -ge 30 ]
tap $? "there are examples"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# readme-commands.sh - every block of commands on the users' pages (the README, and those of the features) runs as it stands: blocks
# without a language, and without the `$ ` of a screen, which readme-screens.sh types. Those of a page run in order, in one folder.
#
# Programs, a process that runs, and files that they mention are made here. 4711 stands for the number of the newest profile's process,
# or of the process that runs; the word `prog` after a command about a process, for the latter. Stand-ins replace viewers that open
# windows, builds, and MPI; `make` and the live view of a process, which go on until somebody ends them, have tests of their own.
root=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/receiver.sh"
unset ZPROF_RUN ZPROF_LIB ZPROF_OPTIONS
here=$PWD

mkdir -p bin stand-ins prefix things && ln -s "$ZPROF_BUILD/zprof" bin/zprof && ln -s "$root/preload" prefix/include
for name in xdg-open kcachegrind go cmake; do
	printf '#!/bin/sh\ncat >/dev/null </dev/null\nexit 0\n' >stand-ins/$name && chmod +x stand-ins/$name
done
printf '#!/bin/sh\nshift 2\nfor rank in 0 1 2 3; do OMPI_COMM_WORLD_RANK=$rank PMIX_NAMESPACE=test "$@" || exit; done\n' >stand-ins/mpirun
chmod +x stand-ins/mpirun
sed "s|@PREFIX@|$here/prefix|; s|@LIBDIR@|$ZPROF_BUILD|" "$root/report/packaging/zprof-report.pc.in" >zprof-report.pc
export PATH="$here/bin:$here/stand-ins:$PATH" BROWSER=xdg-open PKG_CONFIG_PATH="$here" LD_LIBRARY_PATH="$ZPROF_BUILD"

# ---- what each page finds in its folder

cd things || exit 1
cat >prog.c <<'END'
#define APART __attribute__((noinline, noclone)) static
static volatile int sum;
APART void part(int n) { for (int i = 0; i < n; i++) sum += i; }
APART void cast_ray(int n) { for (int i = 0; i < n; i++) sum += i; }
APART void sort_bodies(void) { sum++; }
APART void turn(void) { cast_ray(1000); sort_bodies(); }
int main(void) { for (int i = 0; i < 100; i++) { part(5000); turn(); } part(EXTRA); return 0; }
END
gcc -g -finstrument-functions -DEXTRA=1 prog.c -o prog
sed 's/part(EXTRA);/part(EXTRA); part(2);/' prog.c >changed.c
gcc -g -finstrument-functions -DEXTRA=1 changed.c -o prog-changed
sed -i 's/EXTRA/1/' prog.c
cp prog sim && cp prog solver
awk '/^```/ { on = $0 == "```c"; next } on' "$root/preload/README.md" >zones.c
awk '/^```/ { on = $0 == "```c"; next } on' "$root/report/iprof/README.md" >game.c
printf 'all:\n\t./prog\n' >Makefile
ln -s "$ZPROF_BUILD" build
cd "$here" || exit 1

# A process that was built for `zprof attach`.
cat >live.c <<'END'
#include <sys/prctl.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
static volatile int sum;
APART static void get_line(void) { sum++; }
APART static void get_word(void) { sum++; }
APART static void set_word(void) { sum++; }
APART static void turn(void) { get_line(); get_word(); set_word(); sum++; }
int main(void)
{
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	for (;;) {
		turn();
		usleep(1000);
	}
}
END
# shellcheck disable=SC2046
gcc -g -O2 $(zprof cflags --fentry) live.c -o live || exit 1

# The newest run, which most examples show.
(cd things && zprof record --quiet ./prog) || exit 1

# Whatever address of a receiver a page has, this one answers.
receive "$here/received" 200
export http_proxy="$url"

# ---- the blocks

# Prints the commands of block $1 that can be run, with the numbers of processes; each of a line's is to succeed.
runnable() {
	newest=$(ls -t zprof.out.[0-9]* 2>/dev/null | sed -n '1s/.*\.//p')
	grep -vE '^make( |$)|^zprof top( *#|$| [0-9a-z])' "$1" |
		sed -E "s/zprof\.out\.4711/zprof.out.$newest/g; s/ 4711\b/ $live/g; s/^(zprof (attach|unwatch|watch|reset|snapshot) .*)\<prog\>/\1$live/; s/ && /\n/g"
}
named=
for page in $(cd "$root" && ls README.md preload/README.md report/*/README.md); do
	mkdir page && cp -R things/. page && cd page || exit 1
	awk '/^```/ { fence = !fence; commands = fence && $0 == "```"; if (commands) file = sprintf("block%02d", ++n); next } commands { print >file }' "$root/$page"
	live=
	if cat block* | grep -qE '^zprof (attach|unwatch|watch|reset|snapshot) |^zprof top .*4711'; then
		../live >attached 2>&1 &
		live=$!
		cat block* | grep -q '^zprof attach' || zprof attach $live >>attached 2>&1
	fi
	for block in block*; do
		! grep -q '^\$ ' "$block" || continue
		runnable "$block" >commands
		[ -s commands ] || continue
		if grep -q -- '--fail' commands; then
			# The gate fails: each line ends with status 3.
			while read -r line; do
				case $line in *--fail*) wanted=3 ;; *) wanted=0 ;; esac
				bash -c "$line" >out 2>&1
				[ $? = $wanted ]
				tap $? "$page: $line gives $wanted"
				[ $wanted = 0 ] || ! grep -q 'part' out summary.md 2>/dev/null || named=yes
			done <commands
		else
			timeout 300 bash -e ./commands >out 2>&1 </dev/null
			tap $? "$page: $(head -1 commands)" || cat out attached 2>/dev/null | sed 's/^/# /'
		fi
	done
	[ -z "$live" ] || { kill $live; wait $live 2>/dev/null; }
	case $page in
	report/compare/*)
		[ "$named" ]
		tap $? "the gate names the function"
		[ -s summary.md ] && [ -s gate.xml ] && [ -s bencher.json ] && [ -s both.folded ]
		tap $? "files for other tools"
		;;
	esac
	cd "$here" && rm -r page || exit 1
done
[ $tap_count -ge 30 ]
tap $? "there are commands"
stop_receiver
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# readme-screens.sh - what the users' pages (the README, and those of the features) show of zprof is what a terminal of 80 columns
# shows, for programs in C, C++ and Forth.
#
# A screen is a block that begins with `$ ` and a command. The commands are typed in tmux, as they stand there. Each line below them
# must be on the screen: with any times, errors and numbers of samples, but with the same calls, counts, names and columns. A screen of
# which two pages show parts is taken once. A page's groups (```ini) are in zprof.groups. README_SCREENS=1 prints the screens for the
# pages.
. "${0%/*}/../lib/golden.sh"
. "${0%/*}/../lib/receiver.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
pages=$(cd "$root" && ls README.md preload/README.md report/*/README.md)
ln -s "$ZPROF_BUILD" build
export PATH="$ZPROF_BUILD:$PATH" ZPROF_PAGER=cat LC_ALL=C.UTF-8 TERM=xterm
unset NO_COLOR COLUMNS ZPROF_OPTIONS
zprof=$ZPROF_BUILD/zprof

# ---- what the commands need

mkdir -p tests/demo && cp "$root/tests/demo/sim.c" "$root/tests/demo/spell.cc" tests/demo
printf '#include <stdio.h>\n\n/* The Fibonacci numbers, the long way. */\n' >fib.c
cat >>fib.c <<'END'
int fib(int x)
{
	if (x == 0 || x == 1)
		return x;
	return fib(x - 1) + fib(x - 2);
}

int main(void)
{
	for (int i = 0; i <= 32; i++)
		printf("%d\n", fib(i));
	return 0;
}
END
cat >search.c <<'END'
__attribute__((noinline)) static int search(int n) { return n & 1; }
static int lookup(int n) { return search(n); }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 2000; i++)
		sum += lookup(i);
#ifdef TWICE
	sum += search(1);
#endif
	return sum < 0;
}
END
gcc -g -finstrument-functions search.c -o search && "$zprof" record --quiet -o base.zp ./search || exit 1
gcc -g -finstrument-functions -DTWICE search.c -o search && "$zprof" record --quiet -o new.zp ./search || exit 1
awk '/^```forth$/ { on = 1; next } /^```/ { on = 0 } on' "$root/vm-6502/README.md" | sed -n '/^.* sums.fth:/,/profiler-report$/p' >sums.fth
[ -s sums.fth ] || exit 1
cp "$root/tests/adapters/python/native.py" . && gcc -g -O1 -shared -fPIC -finstrument-functions "$root/tests/adapters/python/native.c" -o native.so || exit 1
# The demo is built by make; so it is here, by the same rule, and shown in the same way.
cat >make <<'END'
#!/bin/sh
ZPROF_OPTIONS=output=demo.zp LD_PRELOAD=build/libzprof.so build/demo/sim && build/zprof graph --min 1 demo.zp
END
chmod +x make

# Whatever address of a receiver a page has, this one answers.
receive received 200
export http_proxy="$url"

# ---- screens

# Types the commands of block $1 and puts what is on the screen into screen$1, unless they were typed before.
take() {
	sed -n 's/^\$ //p' "block$1" >"commands$1"
	for earlier in $(seq $(($1 - 1))); do
		if cmp -s "commands$earlier" "commands$1"; then
			cp "screen$earlier" "screen$1"
			return
		fi
	done
	{
		echo 'PATH=.:$PATH'
		while read -r line; do
			printf "printf '%%s\\\\n' '%s'\n%s\n" "\$ $(printf '%s' "$line" | sed "s/'/'\\\\''/g")" "$line"
		done <"commands$1"
		echo 'echo "(that was all)"; sleep 600'
	} >"typed$1"
	tmux -L "zprof$$-$1" -f /dev/null new-session -d -x 80 -y 400 "bash ./typed$1"
	for _ in $(seq 2400); do
		tmux -L "zprof$$-$1" capture-pane -p >"screen$1"
		grep -q '^(that was all)' "screen$1" && break
		sleep 0.1
	done
	tmux -L "zprof$$-$1" kill-server
	sed -i '/^(that was all)/,$d' "screen$1"
	[ -z "${README_SCREENS:-}" ] || sed 's/^/# /' "screen$1"
}

# Joins lines that were broken at the width, and makes times, shares, errors, samples, and numbers of functions equal. A sample
# outside of every zone, or one more in a function with few, comes by chance: what is said of these is made equal too.
masked() {
	# (Whether a program has waited, or others have run, long enough for a line about that is chance, too.)
	awk '{ more = /^    [^ ]/ && line ~ /^(times|elapsed|note|The machine|Waiting|  [0-9.]+ .?s, from)/; if (NR > 1 && !more) print line; line = more ? line " " substr($0, 5) : $0 } END { print line }' "$1" |
		sed -E '/^(Waiting|The machine was busy): /d; s/[ |]+/ /g; s/^ //; s/ $//; s/-{20,}/RULE/; s/\[[0-9]+\]/[]/g; s/\([0-9]+\)$/()/; s/\([0-9]+ others\)/(N others)/; s/[0-9,]+ samples?\b/N samples/g; s/[0-9,.]+ times?\b/N times/g' |
		sed -E 's/[<>]?[0-9.,]+ (ns|us|ms|s)\b/T/g; s/[<>]?[0-9.]+ ?%/T/g; s/ \+-[<0-9.]+//g; s/[~v] //g; s/^ *Outside of all functions: T\.//' |
		sed -E ':again; s/(^| )(0|[-+]?[0-9]+\.[0-9]+|<[0-9.]+)( |$)/\1T\3/; t again' | sed -E 's/(^| )T\b/\1/g; s/ +/ /g; s/^ //; s/ $//'
}

# The screens on the pages are of gcc 12. Others compile other functions into their callers: then numbers of calls are others.
same_compiler=$(gcc -dumpversion | grep -cx 12)
as_compiled() { # BLOCK
	if [ "$same_compiler" = 0 ] && grep -qE '^\$ (gcc|g\+\+) ' "block$1"; then sed -E 's/[0-9,]+/N/g'; else cat; fi
}

shown=0
for page in $pages; do
	mkdir page
	(cd page && awk '/^```/ { inside = !inside; if (inside) { n++; file = "" } next } inside && /^\$ / && !file { file = "block" n } inside && file { print >file }' "$root/$page")
	awk '/^```/ { on = $0 == "```ini"; next } on' "$root/$page" >zprof.groups
	[ -s zprof.groups ] || rm zprof.groups
	for file in $(find page -name 'block*' | sort -V); do
		first=$(sed -n '1s/^\$ //p' "$file")
		case $first in 'make demo-live'*) continue ;; esac # it goes on until a key is pressed
		shown=$((shown + 1)) block=$shown
		mv "$file" "block$block"
		! awk 'length > 80' "block$block" | grep .
		tap $? "$page: $first: fits 80 columns"
		case $first in *--frame=*) continue ;; esac # the slowest turn, and what it called, vary; program-frames.sh tests them
		take "$block"
		masked "block$block" | grep -v -e '^\.\.\.$' | as_compiled "$block" | sort -u >"wanted$block"
		masked "screen$block" | as_compiled "$block" | sort -u >"there$block"
		comm -23 "wanted$block" "there$block" >"missing$block"
		[ -s "wanted$block" ] && [ ! -s "missing$block" ]
		tap $? "$page: $first: the screen has these lines"
		if [ -s "missing$block" ]; then
			sed 's/^/# not there: /' "missing$block"
			sed 's/^/# /' "there$block"
		fi
	done
	rm -r page
done
[ "$shown" -ge 12 ]
tap $? "programs in C, C++ and Forth"
stop_receiver
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# counts.sh - what counting statements costs, beside gcov: the least CPU time of RUNS runs of each, in turn.
#
#   tests/bench/counts.sh BUILD [RUNS]
build=$(cd "${1:?usage: counts.sh BUILD [RUNS]}" && pwd) runs=${2:-7}
work=$build/bench/counts
mkdir -p "$work" && cd "$work" || exit 2
cat >fib.c <<'END'
int fib(int x)
{
	if (x == 0 || x == 1)
		return x;
	return fib(x - 1) + fib(x - 2);
}
int main(void)
{
	return fib(33) == 0;
}
END
flags=$("$build/zprof" cflags --counts)
seconds() { # VARIANT
	program=./$1
	case $1 in recorded) program=./inert preload=$build/libzprof.so ;; *) preload= ;; esac
	LD_PRELOAD=$preload ${preload:+env ZPROF_OPTIONS=sample=0,output=$work/profile} sh -c 'time -p "$0"' "$program" 2>&1 |
		awk '$1 == "user" { print $2 }'
	rm -f profile* zprof.out*
}
for level in -O0 -O2; do
	# shellcheck disable=SC2086
	gcc $level fib.c -o plain && gcc $level --coverage fib.c -o gcov && gcc $level --coverage -fprofile-update=atomic fib.c -o gcov-atomic &&
		gcc $level fib.c -o inert $flags || exit 1
	for _ in $(seq "$runs"); do
		for variant in plain gcov gcov-atomic inert recorded; do
			echo "$level $variant $(seconds $variant)"
		done
	done
done | awk '
	{ k = $1 " " $2; if (!(k in least) || $3 < least[k]) least[k] = $3; if (!(k in seen)) { seen[k] = 1; order[++n] = k } }
	END { for (i = 1; i <= n; i++) { split(order[i], p, " "); base = least[p[1] " gcov-atomic"]
		printf "%-4s %-12s %6.2f s  %5.2f of gcov-atomic\n", p[1], p[2], least[order[i]], base ? least[order[i]] / base : 0 } }'

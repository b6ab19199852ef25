#!/bin/sh
# SPDX-License-Identifier: MIT
# own_tests.sh - the tests that interpreters have of themselves, run by the installed interpreter as it is and by the same one recorded
# with `zprof record --any`: each file's results and status are the same.
#
#   tests/real/own_tests.sh perl|python [all]
#
# The files are those of Debian's source packages. The interpreter is the system's own, so some results are failures: of modules that only
# a built source tree has. They fail alike with and without zprof. Without `all`, a selection runs that takes little time: some 94 files of
# Perl and 7 of Python. A test is left out by name if its result depends on how long something takes,
# or on chance.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
: "${ZPROF_BUILD:?is set by make}"
language=${1:?usage: own_tests.sh perl|python [all]} all=${2:-}
real=$ZPROF_BUILD/real
mkdir -p "$real"
unset ZPROF_OPTIONS LD_PRELOAD PERL5LIB PERL5OPT PYTHONPATH
export LC_ALL=C PERL_HASH_SEED=0 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

prepare_perl() {
	perl=/usr/bin/perl
	source=$(tests/real/source.sh perl "$real") && cp -r "$source/t" "$work/t" || exit 1
	ln -s "$perl" "$work/t/perl"
	mkdir "$work/lib" # the files say which modules they mean: those of ../lib
	"$perl" -MConfig -e 'print map { "$Config{$_}\n" } qw(privlibexp archlibexp)' >"$work/folders"
	echo "$("$perl" -MConfig -e 'print $Config{archlibexp} =~ s,/perl/[^/]*$,,r')/perl-base" >>"$work/folders"
	while read -r folder; do
		[ ! -d "$folder" ] || cp -rsf "$(readlink -f "$folder")/." "$work/lib/"
	done <"$work/folders"
	cd "$work/t" || exit 1
	set -- base/*.t cmd/*.t comp/*.t op/*.t
	[ -z "$all" ] || set -- "$@" io/*.t lib/*.t re/*.t uni/*.t
	for file; do
		n=$((n + 1))
		case $file in
		re/speed*.t | op/alarm.t | op/sleep.t | op/sselect.t | op/time*.t | io/eintr*.t) continue ;; # by the clock
		op/rand.t) continue ;;                                                                # by chance
		op/tie.t) [ "$all" ] || continue ;;                                                   # starts nearly a hundred processes
		op/append.t | op/bool.t | op/delete.t) ;;                                             # quick
		op/*) [ "$all" ] || [ $((n % 6)) = 0 ] || [ $((n % 12)) = 3 ] || continue ;;
		esac
		echo "$file"
	done >"$work/files"
}
run_perl() { # FILE PREFIX...
	file=$1
	shift
	"$@" "$perl" "$file"
}
results_perl() { grep -aoE '^(not )?ok [0-9]+' out; }

prepare_python() {
	python=$(readlink -f /usr/bin/python3)
	source=$(tests/real/source.sh "${python##*/}" "$real") && mkdir "$work/lib" && cp -r "$source/Lib/test" "$work/lib" || exit 1
	mkdir "$work/t" && cd "$work/t" || exit 1
	export PYTHONPATH=$work/lib
	set -- bool tuple pow decorators generators operator with
	[ -z "$all" ] || set -- "$@" ast atexit base64 bisect bytes builtin cmath collections complex contextlib copy csv ctypes \
		dataclasses dict deque enum exceptions float functools gc genexps grammar heapq int itertools json list marshal math memoryview pickle \
		queue re scope set signal slice sort string struct statistics subprocess super traceback unicode userdict zlib
	printf '%s\n' "$@" >"$work/files"
}
run_python() { # MODULE PREFIX...
	module=test.test_$1
	shift
	"$@" "$python" -m unittest -v "$module"
}
results_python() { sed -nE 's/^(.*) \.\.\. (ok|FAIL|ERROR|skipped.*|expected failure)$/\1 \2/p; /^(OK|FAILED)/p' err; }

n=0 files=0 with_results=0
prepare_"$language"
once() { # FILE NAME PREFIX...: NAME.results and NAME.status
	file=$1 name=$2
	shift 2
	mkdir -p tmp && run_"$language" "$file" "$@" >out 2>err </dev/null
	echo $? >"$work/$name.status"
	results_"$language" >"$work/$name.results"
	rm -rf tmp out err
}
while read -r file <&3; do
	files=$((files + 1))
	once "$file" plain timeout 300
	rm -f "$work"/profile*
	once "$file" recorded timeout 600 "$ZPROF_BUILD/zprof" record --any --quiet -o "$work/profile"
	[ ! -s "$work/plain.results" ] || with_results=$((with_results + 1))
	bad=0
	cmp -s "$work/plain.status" "$work/recorded.status" || bad=1
	cmp -s "$work/plain.results" "$work/recorded.results" || bad=1
	[ -s "$work/profile" ] || bad=1
	tap $bad "$language's $file: $(wc -l <"$work/plain.results") results, status $(cat "$work/plain.status")" || {
		echo "# status $(cat "$work/recorded.status"); $(ls "$work"/profile* 2>&1 | wc -l) profiles"
		diff "$work/plain.results" "$work/recorded.results" | sed 's/^/# /' | head
	}
done 3<"$work/files"
# Files that have no results would prove nothing.
[ $((with_results * 10)) -ge $((files * 9)) ]
tap $? "$language: $with_results of $files files have results"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# statements.sh - how often each line of real programs ran, at -O0, compared with gcov, with gcc and with clang: sqlite, Lua and
# jsoncpp, a C++ library with templates, lambdas and headers of code.
#
# Each of the large ones is built by one compiler, and by both in test-real-full: what is lost is what only one of them does with code of
# that kind.
#
# Lines are compared for which both have a count. Those that differ are printed, and are few: of a thousand, 2 to 10 with gcc, 14
# to 17 with clang; a test fails from 11 and 18 on. They are
#
#   - lines after a longjmp or an exception. gcov counts some blocks and derives the others, as if every block that begins also
#     ended;
#   - conditions and calls of several lines, which gcov counts once for each time that control comes back to their
#     line;
#   - by clang, headers of loops without a condition: gcov counts how often the loop is entered, zprof the jump back that is on the line.
cd "${0%/*}/../.." || exit 2
. tests/lib/callgrind.sh
. tests/lib/build.sh
root=$(pwd) level=-O0
unset ZPROF_OPTIONS LD_PRELOAD

# FILE:LINE COUNT from what annotate prints, and from what gcov prints. A line of a template, or of several functions, has their
# sum in both.
our_counts() {
	awk '/^[^ ].* executions$/ { n = split($1, part, "/"); file = part[n] }
		/^ *[0-9]+  *([0-9,]+|never)\|/ { count = $2; sub(/\|.*/, "", count); gsub(",", "", count); print file ":" $1, count == "never" ? 0 : count }' |
		sort -u -k1,1
}
gcov_counts() { # clang's prints a source once for each object
	awk -F: '/ 0:Source:/ { n = split($4, part, "/"); file = part[n]; source++; next }
		{ count = $1; gsub(/[ *]/, "", count); line = $2 + 0
		if (count == "-" || !line || (source, line) in seen) next
		seen[source, line] = 1; sum[file ":" line] += count ~ /^[#=]/ ? 0 : count }
		END { for (place in sum) printf "%s %d\n", place, sum[place] }' | sort -k1,1
}

same_lines() { # LEAST MOST_IN_A_THOUSAND
	join "$folder/ours" "$folder/theirs" >"$folder/both"
	awk '$2 != $3' "$folder/both" >"$folder/differ"
	lines=$(wc -l <"$folder/both") differ=$(wc -l <"$folder/differ")
	[ "$lines" -ge "$1" ] && [ $((differ * 1000)) -le $((lines * $2)) ]
	tap $? "$what: $((lines - differ)) of $lines lines have gcov's counts"
	sed 's/^/# line, zprof, gcov: /' "$folder/differ"
}

check_program() { # COMPILER LEAST: as programs/NAME.sh says
	what="$name, $1" folder=$work/statements-$1 workload=${workloads%% *}
	case $1 in gcc) cc=gcc cxx=g++ gcov=gcov most=11 ;; clang) cc=clang cxx=clang++ gcov="llvm-cov gcov" most=18 ;; esac
	for kind in ours theirs; do
		mkdir -p "$folder/$kind-build"
		hooks="-g --coverage"
		[ $kind = theirs ] || hooks=$("$ZPROF_BUILD/zprof" cflags --cc $cc --counts)
		build "$folder/$kind-build/$name" >"$folder/$kind.log" 2>&1 || { tail -5 "$folder/$kind.log"; tap 1 "$what is built"; return; }
		rm -f "$folder/$kind-build"/*.gcda "$folder/profile"
		traced="setarch -R"
		[ $kind = theirs ] || traced="setarch -R env LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=sample=0,output=$folder/profile"
		rm -rf "$folder/run" && mkdir "$folder/run"
		(cd "$folder/run" && run "$workload" "$folder/$kind-build/$name") >"$folder/$kind.out" 2>&1
		[ $kind = theirs ] || "$ZPROF_BUILD/zprof" annotate --counts "$folder/profile" | our_counts >"$folder/ours"
	done
	cmp "$folder/ours.out" "$folder/theirs.out"
	tap $? "$what prints the same"
	# shellcheck disable=SC2086
	$gcov -t "$folder/theirs-build"/*.gcda 2>/dev/null | gcov_counts >"$folder/theirs"
	same_lines "$2" $most
}

for name in sqlite jsoncpp lua; do
	if [ $name = lua ]; then
		package=lua5.4 workloads=program
		prepare() { :; }
		build() {
			echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" >"$source/src/lua5.4-deb-multiarch.h"
			sed -i 's/^#define point2uint(p).*/#define point2uint(p) ((unsigned int)((size_t)(p) \& 0xfff))/' "$source/src/llimits.h"
			# shellcheck disable=SC2046
			compile_c "-std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -Dluai_makeseed(L)=42u" "$1" \
				$(find "$source/src" -name '*.c' ! -name luac.c ! -name '*_test.c') -lm -ldl -Wl,-E
		}
		run() { $traced "$2" -e 'collectgarbage("stop")' "$root/tests/real/program.lua" 1; }
		least=9000 compilers=
	else
		unset -f prepare
		. "tests/real/programs/$name.sh"
		least=1000
		[ "${REAL_FULL:-}" ] || case $name in sqlite) compilers=gcc ;; jsoncpp) compilers=clang ;; esac
	fi
	prepare_program || exit 1
	for compiler in ${compilers:-gcc clang}; do
		check_program $compiler $least
	done
done
finish

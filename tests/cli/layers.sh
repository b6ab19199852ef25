#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder is a layer: what may include what.
cd "$(dirname "$0")/../.." || exit 2
n=0
echo 1..14

verdict() { # WHAT OFFENDERS
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "$2" | sed 's/^/# /'
	fi
}

crossing() { # FOLDER ALLOWED-PATTERN: includes in quotes that are not allowed
	git ls-files "$1/*.c" "$1/*.h" "$1/*.inc" | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' /dev/null |
		grep -vE "include[[:space:]]+\"($2)"
}

# The rooms of a folder, lowest first: a file includes files of its own room and of lower ones.
rooms_of_preload="base clock process profile code sites tree sample frames track lent hooks counts start"
rooms_of_report="base profile files sampler model view live iprof export page commands"
rooms_of_vm="cpu guest native machine profile command"

upwards() { # FOLDER ROOM...: includes of a file in a higher room
	folder=$1
	shift
	lower=
	for room in "$@"; do
		lower="$lower$room|"
		git ls-files "$folder/$room/*" | xargs grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]+\"$folder/[a-z]+/" /dev/null |
			grep -vE "include[[:space:]]+\"$folder/(${lower%|})/"
	done
}

# iprof.h and iprof_gl.c, which programs compile, are installed beside zprof.h and find it there.
verdict "preload includes only itself" "$(crossing preload 'preload/' | grep -v "iprof.h:.*\"zprof.h\"\|iprof_gl.c:.*\"iprof.h\"")"
verdict "symbolize includes only itself" "$(crossing symbolize 'symbolize/')"
verdict "report includes itself, symbolize's contract, the file format and how hooks are called and asked" \
	"$(crossing report 'report/|symbolize/symbolize\.h"|preload/(format\.h|iprof\.h|options\.def|release\.h|sites/scan\.h|process/request\.h)"' | grep -v '^report/export/pprof.c:.*"pprof.pb-c.h"')"
# A jump that leaves compiled functions leaves the zones lent above them: the only circle between rooms
# (ARCHITECTURE.md). shellcheck disable=SC2086
verdict "no file of preload includes one of a higher room, except that track knows lent" \
	"$(upwards preload $rooms_of_preload | grep -v '^preload/track/.*"preload/lent/lent.h"')"
# shellcheck disable=SC2086
verdict "no file of report includes one of a higher room" "$(upwards report $rooms_of_report)"
# shellcheck disable=SC2086
verdict "no file of vm-6502 includes one of a higher room" "$(upwards vm-6502 $rooms_of_vm)"
verdict "vm-6502 includes itself and the public header" "$(crossing vm-6502 'vm-6502/|preload/(zprof|iprof)\.h"')"
verdict "libzprof.so needs libc alone" \
	"$(readelf -d "$ZPROF_BUILD/libzprof.so" | grep NEEDED | grep -v 'libc\.so\.6')"
verdict "assembly stands in the processor's room, the clock's, and the public header" \
	"$(git ls-files 'preload/*.[ch]' 'report/*.[ch]' 'symbolize/*.[ch]' |
		grep -vE '^preload/(base/cpu/|clock/|zprof\.h$)' | xargs grep -nE '__asm|\<asm *(volatile)? *\(|__builtin_ia32' /dev/null)"
verdict "only one file asks for the processor" \
	"$(git ls-files 'preload/*.[ch]' 'report/*.[ch]' 'symbolize/*.[ch]' |
		grep -vE '^preload/(base/cpu|zprof)\.h$' | xargs grep -nE '#.*__(x86_64|i386|aarch64|amd64)__' /dev/null)"
untagged() { # FILE NAME...: functions that ctags does not find there
	ctags -x --kinds-C=f "preload/hooks/$1" >"$TEST_TMP/tags" || echo "no ctags"
	shift
	for name in "$@" enter_exact exit_exact enter_exact_filtered enter_exact_again enter_count exit_count; do
		grep -q "^$name " "$TEST_TMP/tags" || echo "$name"
	done
}
verdict "ctags finds the hooks of -finstrument-functions" "$(untagged hooks.c __cyg_profile_func_enter __cyg_profile_func_exit)"
verdict "ctags finds the hooks of -mfentry" "$(untagged fentry.c __fentry__ __return__)"
verdict "no file has a name that says nothing" \
	"$(git ls-files | grep -E '(^|/)(utils?|common|misc|helpers?)\.[a-z]+$')"
verdict "every source names its licence" \
	"$(git ls-files '*.c' '*.h' '*.cc' '*.sh' '*.s' '*.fth' '*.awk' Makefile |
		while read -r f; do head -3 "$f" | grep -q 'SPDX-License-Identifier: MIT' || echo "$f"; done)"

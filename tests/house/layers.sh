#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder is a layer: what may include what; and where other things of one kind stand.
. "${0%/*}/../lib/tap.sh"
cd "$(dirname "$0")/../.." || exit 2

verdict() { # WHAT OFFENDERS
	[ -z "$2" ]
	tap $? "$1" || printf '%s\n' "$2" | sed 's/^/# /'
}

crossing() { # FOLDER ALLOWED-PATTERN: includes in quotes that are not allowed
	git ls-files "$1/*.c" "$1/*.h" "$1/*.inc" | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' /dev/null |
		grep -vE "include[[:space:]]+\"($2)"
}

# The rooms of a folder, lowest first: a file includes files of its own room and of lower ones. (The rooms of report's core that the linker
# sees have the text of C++ names among them, which is a folder beside the core.)
rooms_of_preload="base clock process profile code sites displace recording tree sample frames track calls stacks unwind entries threads slow lent hooks counts start adapters"
rooms_of_core="base read disk names source pattern times tree load select options view command"
rooms_of_vm="cpu guest native machine profile command"

upwards() { # FOLDER ROOM...: includes of a file in a higher room
	folder=$1
	shift
	lower=
	for room in "$@"; do
		lower="$lower$room|"
		git ls-files "$folder/$room/*" | xargs grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]+\"$folder/[a-z_]+/" /dev/null |
			grep -vE "include[[:space:]]+\"$folder/(${lower%|})/"
	done
}

verdict "the top level has the folders, what is read first, and nothing else" \
	"$(git ls-files | cut -d/ -f1 | sort -u |
		grep -vxE 'preload|symbolize|report|tests|vm-6502|Makefile|LICENSE|(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING)\.md|\.(ci|clang-format|editorconfig|gitignore)')"

# iprof.h and iprof_gl.c, which programs compile, are installed beside zprof.h and find it there.
verdict "preload includes only itself" "$(crossing preload 'preload/' | grep -v "iprof.h:.*\"zprof.h\"\|iprof_gl.c:.*\"iprof.h\"")"
verdict "symbolize includes itself, and what a plan is" "$(crossing symbolize 'symbolize/|preload/displace/(plan\.h|plan\.def|plan_read\.h)"')"
verdict "report includes itself, symbolize's contracts, the file format and how hooks are called and asked" \
	"$(crossing report 'report/|symbolize/(symbolize|plan/plans)\.h"|preload/(displace/(plan\.h|plan\.def|plan_read\.h)|format\.h|iprof\.h|options\.def|release\.h|sites/scan\.h|process/request\.h)"' | grep -v '^report/export/pprof.c:.*"pprof.pb-c.h"')"
# shellcheck disable=SC2086
verdict "no file of preload includes one of a higher room" "$(upwards preload $rooms_of_preload)"
# shellcheck disable=SC2086
verdict "no file of report's core includes one of a higher room" "$(upwards report/core $rooms_of_core)"
verdict "the text of C++ names is made with text alone" "$(crossing report/cxx 'report/cxx/|report/core/base/(memory|str|text_width)\.h"')"
# shellcheck disable=SC2086
verdict "no file of vm-6502 includes one of a higher room" "$(upwards vm-6502 $rooms_of_vm)"
verdict "vm-6502 includes itself and the public header" "$(crossing vm-6502 'vm-6502/|preload/(zprof|iprof)\.h"')"
# What the linker sees: a function that is declared in a low room may be defined in a high one, and two files of a room may use each
# other. What is known of that is in layers.known, with its reasons.
edges() { # FOLDER OBJECTS PREFIX ROOM...: of the objects PREFIX... under OBJECTS that are made of the folder's sources
	folder=$1 objects=$2 prefix=$3
	shift 3
	git ls-files "$folder/*.c" | sed "s:^$folder/::; s:c\$:o:" | grep -vxE 'clock/tick_fake\.o|track/sound\.o|iprof_gl\.o' |
		while read -r object; do
			for at in "$object" tsc/"$object"; do [ ! -e "$objects/$at" ] || echo "$objects/$at"; done
		done | xargs -r nm -A | awk -v rooms="$*" -v objects="^$objects/$prefix" -f tests/tools/edges.awk
}
# A call through a pointer is not among them. So each pointer to a function that a header declares is listed as well, with those that
# set it. (One that is declared in a source file is set by that file; those of an adapter are its interpreter's.)
pointers() {
	git ls-files 'preload/*/*.h' ':!preload/adapters/' | xargs grep -oE '\(\*[a-z_]+\)\(|^typedef [a-z_ ]+\(' |
		sed -E 's:^preload/::; s/\.h\:/.h /; s/typedef .* //; s/[(*)]//g; s/^/pointer /'
}
found() { # FOLDER WHAT COMMAND...
	folder=$1 what=$2
	shift 2
	sed -n "s/[[:space:]]*#.*//; s/^$folder //p" tests/house/layers.known | sort >"$TEST_TMP/known"
	"$@" | sort >"$TEST_TMP/found"
	same "$what" "$TEST_TMP/known" "$TEST_TMP/found"
}
all_of_preload() {
	# shellcheck disable=SC2086
	edges preload "$ZPROF_BUILD/preload" '(tsc/)?' $rooms_of_preload
	pointers
}
found preload "files of preload call upwards, or in a circle, only where it is known" all_of_preload
# shellcheck disable=SC2086
{
	found report "files of report call upwards, or in a circle, only where it is known" \
		edges report "$ZPROF_BUILD/report" '(core/)?' $(echo "$rooms_of_core" | sed 's/base/base cxx/')
	found vm-6502 "files of vm-6502 call upwards, or in a circle, only where it is known" \
		edges vm-6502 "$ZPROF_BUILD/vm-6502.o" '' $rooms_of_vm
}
found symbolize "files of symbolize call in a circle only where it is known" edges symbolize "$ZPROF_BUILD/symbolize" ''

# Objects of another processor's files (NAME_PROCESSOR.c) are not built here.
built() { # the objects of files that are read
	sed "s:^:$ZPROF_BUILD/:; s:c\$:o:" | while read -r object; do [ ! -e "$object" ] || echo "$object"; done
}

# Features of report/: one uses another where report/uses says so, and the core uses none. Edges are FROM TO: by includes,
# and by the symbols of their objects, because a function may be declared elsewhere than where it is defined.
feature_edges() {
	git ls-files 'report/*.[ch]' | xargs grep -E '^[[:space:]]*#[[:space:]]*include[[:space:]]+"report/[a-z_]+/' /dev/null |
		sed -E 's|^report/([a-z_]+)/.*include[[:space:]]+"report/([a-z_]+)/.*|\1 \2|' | grep -v '^report/'
	git ls-files 'report/*/*.c' | grep -v '^report/iprof/' | built | xargs nm -A | awk -v build="$ZPROF_BUILD/report/" '
		{ at = substr($1, length(build) + 1); sub(/\/.*/, "", at) }
		$(NF - 1) ~ /^[TDBRCVW]$/ { defined[$NF] = at }
		$(NF - 1) == "U" { used[at " " $NF] = 1 }
		END { for (u in used) { split(u, by, " "); if (by[2] in defined) print by[1] " " defined[by[2]] } }'
}
is "report/uses lists the features" "$(git ls-files 'report/*/*.c' | sed -E 's|^report/([a-z_]+)/.*|\1|' | grep -vx 'core\|cxx' | sort -u | tr '\n' ' ')" \
	"$(awk '/^[a-z]/ { printf "%s ", $1 }' report/uses)"
feature_edges | awk '$1 != $2 && $2 != "core" && $2 != "cxx"' | sort -u >"$TEST_TMP/edges"
verdict "the core uses no feature" "$(grep '^core ' "$TEST_TMP/edges")"
grep -v '^#' report/uses | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort >"$TEST_TMP/uses"
same "a feature uses another where report/uses says so, and nowhere else" "$TEST_TMP/uses" "$TEST_TMP/edges"
# Who reads a name finds its file: but for the tables that the registries list, and what tools generate.
verdict "public names of report begin with the first word of their file" "$(git ls-files 'report/*.c' | grep -v '^report/iprof/' |
	built | xargs nm -A | awk '
		$(NF - 1) ~ /^[TDBR]$/ && $NF !~ /^(main|after_runs|attach_mores|collector_at)$|_(loader|after_run|attach_more)$/ {
			file = $1; sub(/:.*/, "", file); sub(/.*\//, "", file); word = file; sub(/[_.].*/, "", word)
			if (index($NF, word) != 1) print file, $NF
		}')"
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
	for name; do
		grep -q "^$name " "$TEST_TMP/tags" || echo "$name"
	done
}
instances="enter_exact exit_exact enter_exact_filtered enter_exact_sited enter_count exit_count"
# shellcheck disable=SC2086
verdict "ctags finds the hooks of -finstrument-functions" "$(untagged hooks.c __cyg_profile_func_enter __cyg_profile_func_exit $instances)"
# shellcheck disable=SC2086
verdict "ctags finds the hooks of -mfentry" "$(untagged fentry.c __fentry__ __return__ $instances)"
verdict "ctags finds the slow functions of both" \
	"$(untagged front_slow.h enter_slowly exit_slowly enter_nested exit_nested settle enter_exact_again enter_count_again)"
verdict "no file has a name that says nothing" \
	"$(git ls-files | grep -E '(^|/)(utils?|common|misc|helpers?)\.[a-z]+$')"
verdict "every source names its licence" \
	"$(git ls-files '*.c' '*.h' '*.cc' '*.sh' '*.s' '*.fth' '*.awk' Makefile |
		xargs awk 'FNR == 1 {if (file && !said) print file; file = FILENAME; said = 0}
			FNR <= 3 && /SPDX-License-Identifier: MIT/ {said = 1} END {if (!said) print file}')"

shells() { # of the tests
	{ git ls-files 'tests/*.sh'; git grep -lE '^#!/bin/(ba)?sh' -- tests; } | sort -u
}
# A number after "ok"; parts of "not ok" that are printed one after the other; a plan; and a function of the same name.
tap="(^|[^[:alnum:]])ok ['\"]?[\$%0-9\\\\]|(echo|printf|print) *\(?['\"](not ['\"]|ok['\" ])|(^|[^.])1\.\.[\$%0-9]|\
^[[:space:]]*(tap|is|same|holds|skip|relay|finish) ?\(\)"
verdict "no script of the tests but tap.sh prints results, or defines what tap.sh does" \
	"$(shells | grep -v '^tests/lib/tap\.sh$' | xargs grep -nE "$tap" /dev/null | grep -vE '^[^:]*:[0-9]+:[[:space:]]*#')"
# Who looks for the tests of feature X opens tests/X. A folder of tests/ has the name of a feature of report/, of a room of preload/, or
# of a row of the table in ARCHITECTURE.md.
features=$(awk '/^[a-z]/ { print $1 }' report/uses)
others=$(sed -n '/^\*\*tests\/\*\*$/,/^## /s/^| `\([^|]*\)`.*/\1/p' ARCHITECTURE.md | tr -d '`,/')
# shellcheck disable=SC2086
printf '%s\n' $features $rooms_of_preload $others | sort -u >"$TEST_TMP/folders"
sed -nE 's:^[^#]*[[:space:]](build/)?tests/([^/[:space:]]+)/.*:\2:p' tests/table* | sort -u >"$TEST_TMP/tested"
verdict "a folder of tests/ has the name of what it tests" \
	"$(git ls-files 'tests/*/*' | cut -d/ -f2 | sort -u | comm -13 "$TEST_TMP/folders" -)"
verdict "each feature has a folder of tests" "$(echo "$features" | sort | comm -23 - "$TEST_TMP/tested")"
verdict "a test that is compiled has its source in the folder that the table says" \
	"$(sed -nE 's:^[^#]*[[:space:]]build/(tests/[^[:space:]]+).*:\1:p' tests/table* | while read -r f; do [ -e "$f.c" ] || [ -e "${f}_x86_64.c" ] || echo "$f.c"; done)"
in_folders() { # the files that stand beside tests of features, rooms and parts
	grep -vxE 'real|bench' "$TEST_TMP/tested" | while read -r folder; do git ls-files "tests/$folder/*"; done | grep -E '^tests/[^/]+/[^/]+$'
}
verdict "what is only sourced is in tests/lib, and is not executable" \
	"$(git ls-files 'tests/lib/*' | while read -r f; do [ ! -x "$f" ] && ! grep -q '^#!' "$f" || echo "$f"; done
	in_folders | grep '\.sh$' | grep -vE '^tests/(packaging/inside|forth/(images|run-in-c64emu|suite))\.sh$' |
		while read -r f; do [ -x "$f" ] && grep -qE "[[:space:]]$f( |\$)" tests/table* || echo "$f"; done)"
finish

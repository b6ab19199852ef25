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

# The rooms of a folder, lowest first: a file includes files of its own room and of lower ones.
rooms_of_preload="base clock process profile code sites tree sample frames track lent hooks counts start"
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
verdict "no file of report's core includes one of a higher room" "$(upwards report/core $rooms_of_core)"
# shellcheck disable=SC2086
verdict "no file of vm-6502 includes one of a higher room" "$(upwards vm-6502 $rooms_of_vm)"
verdict "vm-6502 includes itself and the public header" "$(crossing vm-6502 'vm-6502/|preload/(zprof|iprof)\.h"')"
# What the linker sees: a function that is declared in a low room may be defined in a high one.
symbols_upwards() { # OBJECTS ROOM...: ROOM/FILE SYMBOL, each defined in a higher room
	objects=$1
	shift
	find "$ZPROF_BUILD/$objects" -type f -name '*.o' | grep -vE '/preload/(fake|jump)/|/track/sound\.o|/clock/tick_fake\.o' | xargs nm -A | awk -v rooms="$*" '
		BEGIN { n = split(rooms, room, " "); for (i = 1; i <= n; i++) rank[room[i]] = i }
		{ file = $1; sub(/:.*/, "", file); n = split(file, part, "/"); at = part[n - 1]; sub(/\.o$/, ".c", part[n]) }
		!(at in rank) { next }
		$(NF - 1) ~ /^[TDBRCVW]$/ { defined[$NF] = rank[at] }
		$(NF - 1) == "U" { used[at "/" part[n] " " $NF] = rank[at] }
		END { for (u in used) { split(u, by, " "); if (defined[by[2]] > used[u]) print u } }' | sort
}
# In preload: a first event begins the recording, and any may answer a request, whose struct has the addresses of the hooks; sites are
# found by the hooks' names; and what leaves functions leaves the zones lent above them.
cat >"$TEST_TMP/known" <<'END'
counts/counts.c process_begin
hooks/fentry.c zprof_request
hooks/hooks.c zprof_request
hooks/wake.c zprof_request
lent/lent_stacks.c process_begin
sites/site_table.c __cyg_profile_func_enter
sites/site_table.c __cyg_profile_func_exit
sites/site_table.c __fentry__
sites/site_table.c __return__
track/awake.c lent_abandon
track/chosen.c lent_abandon_node
track/chosen.c lent_look_again
track/chosen.c lent_push_node
track/crossing.c lent_abandon_node
track/crossing.c lent_begin_forked
track/crossing.c process_begin
track/lineage.c lent_begin_thread
track/lineage.c lent_forget_places
track/lineage.c process_begin
track/parked.c lent_abandon_node
track/recordings.c zprof_request
track/slow.c process_answer
track/slow.c process_calibrate_again
track/slow.c zprof_request
track/stack.c process_answer
track/stack.c zprof_request
track/track.c lent_abandon
track/track.c lent_continue
END
# shellcheck disable=SC2086
{
	symbols_upwards preload $rooms_of_preload >"$TEST_TMP/symbols"
	same "no file of preload uses what a higher room defines, but for what is listed" "$TEST_TMP/known" "$TEST_TMP/symbols"
	verdict "no file of report's core uses what a higher room defines" "$(symbols_upwards report/core $rooms_of_core)"
	verdict "no file of vm-6502 uses what a higher room defines" "$(symbols_upwards vm-6502.o $rooms_of_vm)"
}

# Features of report/: one uses another where report/uses says so. Edges are FROM TO: by includes,
# and by the symbols of their objects, because a function may be declared elsewhere than where it is defined.
feature_edges() {
	git ls-files 'report/*.[ch]' | xargs grep -E '^[[:space:]]*#[[:space:]]*include[[:space:]]+"report/[a-z_]+/' /dev/null |
		sed -E 's|^report/([a-z_]+)/.*include[[:space:]]+"report/([a-z_]+)/.*|\1 \2|' | grep -v '^report/'
	find "$ZPROF_BUILD/report" -mindepth 2 -name '*.o' | grep -vE '/report/(sites|iprof)/|\.pb-c\.o$' | xargs nm -A | awk -v build="$ZPROF_BUILD/report/" '
		{ at = substr($1, length(build) + 1); sub(/\/.*/, "", at) }
		$(NF - 1) ~ /^[TDBRCVW]$/ { defined[$NF] = at }
		$(NF - 1) == "U" { used[at " " $NF] = 1 }
		END { for (u in used) { split(u, by, " "); if (by[2] in defined) print by[1] " " defined[by[2]] } }'
}
feature_edges | awk '$1 != $2 && $2 != "core"' | sort -u >"$TEST_TMP/edges"
grep -v '^#' report/uses | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort >"$TEST_TMP/uses"
same "a feature uses another where report/uses says so, and nowhere else" "$TEST_TMP/uses" "$TEST_TMP/edges"
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

shells() { # of the tests
	{ git ls-files 'tests/*.sh'; git grep -lE '^#!/bin/(ba)?sh' -- tests; } | sort -u
}
# A number after "ok"; parts of "not ok" that are printed one after the other; a plan; and a function of the same name.
tap="(^|[^[:alnum:]])ok ['\"]?[\$%0-9\\\\]|(echo|printf|print) *\(?['\"](not ['\"]|ok['\" ])|(^|[^.])1\.\.[\$%0-9]|\
^[[:space:]]*(tap|is|same|holds|skip|relay|finish) ?\(\)"
verdict "no script of the tests but tap.sh prints results, or defines what tap.sh does" \
	"$(shells | grep -v '^tests/lib/tap\.sh$' | xargs grep -nE "$tap" /dev/null | grep -vE '^[^:]*:[0-9]+:[[:space:]]*#')"
verdict "what is only sourced is in tests/lib, and is not executable" \
	"$(git ls-files 'tests/lib/*' | while read -r f; do [ ! -x "$f" ] && ! grep -q '^#!' "$f" || echo "$f"; done
	git ls-files 'tests/cli/*.sh' 'tests/unit/*.sh' | while read -r f; do [ -x "$f" ] && grep -qE "[[:space:]]$f( |\$)" tests/table* || echo "$f"; done)"
finish

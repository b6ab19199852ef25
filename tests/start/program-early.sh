#!/bin/sh
# SPDX-License-Identifier: MIT
# program-early.sh - what happens before main. Calls that the dynamic linker makes, and those before libc is up, are recorded or
# counted as lost. A process killed while its profile is being made leaves one that opens (it may be empty), or none.
. "${0%/*}/../lib/check.sh"

folder=$TEST_TMP/killed
mkdir -p "$folder"
ZPROF_OPTIONS=output=$folder/profile.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so \
	"$ZPROF_BUILD/tests/programs/gcc-O2/deaths" kill-early "${KILLS:-30}"
bad=0
for profile in "$folder"/profile.*; do
	[ -e "$profile" ] || continue
	"$ZPROF_BUILD/zprof" info "$profile" >"$TEST_TMP/said" 2>&1 || { bad=1; sed 's/^/# /' "$TEST_TMP/said"; }
done
tap $bad "killed before the first call is done: the profile opens, or there is none"

# ---- early.c, by both front ends, linked in every way

root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
unset ZPROF_RUN ZPROF_OPTIONS

# link NAME FLAG...: from early.o and libearly.so, with libzprof.so if it is called for
link() {
	name=$1
	shift
	gcc "$@" early.o "$ZPROF_BUILD/tests/programs/truth.o" ./libearly.so "-Wl,-rpath,$ZPROF_BUILD" -L"$ZPROF_BUILD" -lzprof \
		-o "$name" || exit 1
}

run() { # NAME [VARIABLE=VALUE...]: "" if it ran and printed nothing, else what it printed
	preload='' how=$1
	shift
	[ "$how" = preloaded ] && preload=LD_PRELOAD=$ZPROF_BUILD/libzprof.so
	rm -rf profile* truth.*
	env "$@" $preload "./$how" >missable 2>err || echo "exit status $?"
	cat err
}

# total: calls recorded of the functions that the dynamic linker may call, and calls lost
total() {
	"$zprof" report --json profile | tr '{' '\n' | awk -F'[:,]' '
		/"name": *"(malloc|calloc|carve|is_new|resolve_own|is_new_there|resolve_theirs)"/ { want = "\"calls\"" }
		/"loss_early"/ { want = "\"loss_early\"" }
		want { for (i = 1; i < NF; i++) if (index($i, want)) n += $(i + 1) }
		{ want = "" }
		END { print n + 0 }'
}

for hooks in "-pg -mfentry -minstrument-return=call -DWITH_RETURN" -finstrument-functions; do
	flags="-std=gnu11 -O2 -g -fno-builtin -I$root $hooks"
	for pie in pie no-pie; do
		gcc $flags -f$pie -c "$root/tests/start/early.c" -o early.o || exit 1
		for binding in lazy now; do
			gcc $flags -fno-plt -fPIC -shared "$root/tests/start/early_library.c" -Wl,-z,$binding -o libearly.so || exit 1
			link linked -$pie -Wl,-z,$binding -Wl,--no-as-needed
			link preloaded -$pie -Wl,-z,$binding -Wl,--as-needed
			what="$(echo $hooks | cut -d" " -f1) $pie $binding"
			is "$what linked, not recorded: runs and leaves nothing" "" "$(run linked)$(ls profile* 2>/dev/null)"
			for how in linked preloaded; do
				is "$what $how, recorded: runs" "" "$(run $how ZPROF_OPTIONS=output=profile TRUTH=.)"
				is "$what $how: calls that can be recorded are" "" \
					"$("$zprof" graph --json profile | "$ZPROF_BUILD/tests/check_counts" truth.*)"
				is "$what $how: the others are counted as lost" "$(cat missable)" "$(total)"
				"$zprof" report profile | grep -q 'made while the program was being loaded'
				tap $? "$what $how: and the report says so"
			done
		done
	done
done

link preloaded -no-pie -Wl,--as-needed
is "verbose=1 names the profile" 1 "$(run preloaded ZPROF_OPTIONS=output=profile,verbose=1 | grep -c "recording into.*/profile'$")"
is "check=1 finds libunwind, though recording begins before it can be loaded" "" "$(run preloaded ZPROF_OPTIONS=output=profile,check=1)"
is "and compares" yes "$("$zprof" report --json profile | grep -q '"checked"' && echo yes)"
finish

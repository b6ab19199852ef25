#!/bin/sh
# SPDX-License-Identifier: MIT
# adapters-apart.sh - each adapter is deleted, with its line in preload/adapters.def: libzprof.so builds without it, and Python, say, runs
# as without zprof.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
unset ZPROF_RUN ZPROF_OPTIONS MAKEFLAGS MFLAGS MAKELEVEL

# The sources of the library and its objects as they are: only what depends on the list of adapters is compiled again.
mkdir tree && tree=$PWD/tree
(cd "$root" && git ls-files Makefile '*.mk' 'preload/*' 'report/*.[^m]*' tests/install.sh report/uses | xargs cp --parents -pt "$tree")
mkdir tree/build && (cd "$ZPROF_BUILD" && cp -a .packages-build preload "$tree/build")

for folder in "$root"/preload/adapters/*/; do
	[ -d "$folder" ] || continue
	name=$(basename "$folder")
	rm -r "tree/preload/adapters/$name"
	sed -i "/libzprof-$name\.so/d" tree/preload/adapters.def
	make -s -j2 -C tree B=build build/libzprof.so >said 2>&1
	tap $? "libzprof.so builds without the adapter $name" || sed 's/^/# /' said
	is "and knows nothing of it" 0 "$(strings tree/build/libzprof.so | grep -c "libzprof-$name")"
	is "nor do the tables of the build" 0 "$(make -s -n -C tree B=build all 2>/dev/null | grep -c "adapters/$name")"
	ZPROF_OPTIONS=output=none.out LD_PRELOAD=$tree/build/libzprof.so sh -c 'command -v python3 >/dev/null || exit 0; python3 -c "print(1)"' >said 2>&1
	is "a program that it is for runs" "1" "$(cat said)"
	cp -r "$root/preload/adapters/$name" tree/preload/adapters && cp -p "$root/preload/adapters.def" tree/preload
done
finish

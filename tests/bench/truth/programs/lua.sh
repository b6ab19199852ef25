# SPDX-License-Identifier: MIT
# Lua 5.4: the benchmark's program (calls, closures, tables, strings, sorting), and one with errors, coroutines and much garbage.
package=lua5.4
workloads='calls program'

# The header in which Debian's build says where modules are.
prepare() {
	echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" >"$source/src/lua5.4-deb-multiarch.h"
}

build() {
	# shellcheck disable=SC2046
	compile_c "-std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -Dluai_makeseed(L)=42u -I. -I$source/src" "$1" \
		$(find "$source/src" -name 'l*.c' ! -name lua.c ! -name luac.c ! -name '*_test.c' | sort) \
		tests/bench/truth/programs/lua.c tests/bench/work_lua.c -lm -ldl -Wl,-E
}

run() {
	case $1 in
	calls) $traced "$2" 8000000 ;;
	program) $traced "$2" "$root/tests/real/program.lua" 10 ;;
	esac
}

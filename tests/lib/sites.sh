# SPDX-License-Identifier: MIT
# Sourced by the tests of hooks that are switched off and on: builds tests/programs/sites.c, runs it, and compares counts.
. "${0%/*}/../lib/switched.sh"

# With `prefix`, calls have one that says nothing, as those have that linkers make of calls through memory: 67 e8.
prefixed() { # ASSEMBLY
	[ -z "${prefix:-}" ] || sed -i -E "s/call[[:space:]]+(__cyg_profile_func_(enter|exit)|__fentry__|__return__)/.byte $prefix; &/" "$1"
}
build() { # COMPILER FLAGS...: makes ./sites
	compiler=$1; shift
	link=; case "$*" in *no-pie*) link=-no-pie ;; esac
	case "$*" in *-fsanitize=address*) link="$link -fsanitize=address" ;; esac
	case "$*" in *flto*) link="$link -flto" ;; esac
	case "$*" in *fuse-ld=lld*) link="$link -fuse-ld=lld" ;; esac
	case "$*" in *fcf-protection=full*) link="$link -Wl,-z,ibtplt" ;; esac # stubs begin with endbr64, too
	if [ "${prefix:-}" ]; then
		"$compiler" -w -g "$@" -I"$root" -S "$root/tests/programs/sites.c" -o sites.s && prefixed sites.s && "$compiler" -c sites.s -o sites.o
	else
		"$compiler" -w -g "$@" -I"$root" -c "$root/tests/programs/sites.c" -o sites.o
	fi &&
		"$compiler" $link sites.o -o sites -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
}
run() { # OPTIONS ARGUMENT...: makes `got`, and `status`
	options=$1; shift
	rm -f profile*
	ZPROF_OPTIONS=output=profile$options timeout "${seconds:-300}" ./sites "$@" >got 2>errors
	status=$?
}
calls() { # NAME [PROFILE]
	"$zprof" report --json "${2:-profile}" | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}
counted() { # WHAT [PROFILE]: status 0, nothing said, and each line of `got` is what the profile says
	while read -r name count; do echo "$name $(calls "$name" "${2:-profile}")"; done <got >profiled
	[ "$status" = 0 ] && [ -s got ] && [ ! -s errors ] && cmp -s got profiled
	tap $? "$1" || {
		echo "# status $status; of the program: $(tr '\n' ' ' <got); of the profile: $(tr '\n' ' ' <profiled)"
		sed 's/^/# /' errors
	}
}
unbroken() { # WHAT
	"$zprof" report profile >text
	is "$1: without jumps, nothing is blamed on jumps" "" "$(grep 'left without returning' text)"
}

# SPDX-License-Identifier: MIT
# packages.sh - packages of Debian, fetched with lists and states of their own, and unpacked instead of installed. Sourced by scripts of this
# folder, which set `log`, and `tests`, the folder of all tests.

fail() {
	echo "arm64: $1" >&2
	exit 3
}

# unpack DIR TO: the packages in DIR.
unpack() {
	mkdir -p "$2"
	for deb in "$1"/*.deb; do dpkg -x "$deb" "$2"; done
}

# fetch_lacking DIR TO PACKAGE...: packages of this machine, with what they depend on and this machine lacks.
fetch_lacking() {
	state=$1 to=$2
	shift 2
	mkdir -p "$state/partial"
	# What is half installed by tests/install.sh has dependencies that nothing satisfies.
	exec 8<"$tests/install.sh"
	flock -s 8
	apt-get -q -y -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o Dir::Cache::archives="$state" -o Debug::NoLocking=true \
		--download-only --reinstall install "$@" >>"$log" 2>&1 || fail "apt-get install --download-only failed: $log"
	exec 8<&-
	unpack "$state" "$to"
}

# foreign DIR COMMAND...: apt-get or apt-cache for arm64, with an empty state in DIR: packages then bring all that they depend on, down to libc.
foreign() {
	state=$1 command=$2
	shift 2
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	[ -e "$state/status" ] || : >"$state/status"
	"$command" -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false -o APT::Sandbox::User=root \
		-o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" -o Dir::State::status="$state/status" \
		-o Debug::NoLocking=true "$@"
}

# fetch_whole DIR TO PACKAGE...: packages of arm64 with all that they depend on.
fetch_whole() {
	state=$1 to=$2
	shift 2
	foreign "$state" apt-get --download-only -y install "$@" >>"$log" 2>&1 || fail "apt-get install --download-only failed: $log"
	unpack "$state/cache/archives" "$to"
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a purpose needs and this machine lacks, and names them.
#
#   tests/install.sh [--only-name] build|test|real|viewers|packaging|bench|peers
#
# With --only-name nothing is installed, and a missing package is an error.
# Prints nothing if nothing is missing. On a system without dpkg it names the packages and goes on:
# the compiler will name what it does not find.
set -eu

only_name=
if [ "${1:-}" = --only-name ]; then
	only_name=yes
	shift
fi
build="gcc g++ libc6-dev libelf-dev libdw-dev libunwind-dev libinih-dev libcurl4-openssl-dev libjansson-dev libcapstone-dev libncurses-dev libprotobuf-c-dev protobuf-c-compiler zlib1g-dev libiberty-dev libedit-dev cc65"
case "${1:?usage: tests/install.sh build|test|real|viewers|packaging|bench|peers}" in
build) want=$build ;;
test) want="$build libcmocka-dev python3 libpython3-dev openssl libunwind-dev clang lld clang-format cmake elfutils binutils gdb valgrind dwz meson tmux universal-ctags strace libxml2-utils openmpi-bin libopenmpi-dev libosmesa6-dev time mandoc groff zsh fish pkg-config graphviz libzydis-dev musl-tools jq" ;;
real) want="$build binutils clang dpkg-dev gawk git golang-go jq python3 rustc sqlite3 tcl valgrind xz-utils" ;;
viewers) want="$build binutils chromium dpkg-dev golang-go graphviz libdevel-nytprof-perl lld python3 tcl valgrind"
	# Node.js from elsewhere has npm inside, and Debian's package of that name cannot be beside it.
	command -v npm >/dev/null 2>&1 || want="$want nodejs npm" ;;
packaging) want="$build debhelper debootstrap dpkg-dev lintian" ;;
bench) want="$build clang dpkg-dev gawk git jq lua5.4 python3 ripgrep sqlite3 tcl" ;;
peers) want="$build binutils valgrind uftrace lttng-tools liblttng-ust-dev babeltrace2 clang llvm jq" ;;
*) echo "tests/install.sh: unknown purpose '$1'" >&2; exit 2 ;;
esac
# For the adapters of interpreters.
[ "$1" != test ] || want="$want python3-pip python3-pytest python3-setuptools python3-venv python3-wheel lua5.1 lua5.2 lua5.3 lua5.4 luajit liblua5.1-0 liblua5.2-0 liblua5.3-0 liblua5.4-0 libluajit-5.1-2"

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "tests/install.sh: not a Debian system; these packages are needed: $want" >&2
	exit 0
fi
# make -j may ask for two purposes at a time, which apt-get cannot handle.
exec 9<"$0"
flock 9
missing=
# A package may be there for several architectures; only this machine's own, or one for all, will do.
native=$(dpkg --print-architecture)
for p in $want; do
	dpkg-query -W -f '${db:Status-Status} ${Architecture}\n' "$p" 2>/dev/null | grep -Eqx "installed ($native|all)" ||
		missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
if [ "$only_name" ]; then
	echo "zprof: these packages are missing:$missing; install them with: ${sudo:+sudo }apt-get install$missing" >&2
	exit 1
fi
echo "zprof: installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt_get() {
	$sudo apt-get -q -o DPkg::Lock::Timeout=300 "$@" >/dev/null 9<&-
}
# shellcheck disable=SC2086
apt_get install -y $missing 2>/dev/null || {
	apt_get update
	apt_get install -y $missing
}

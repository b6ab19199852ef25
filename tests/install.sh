#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a purpose needs and this machine misses, and says which.
#
#   tests/install.sh [--only-name] build|test|real|bench|peers
#
# With --only-name nothing is installed, and a missing package is an error.
# Says nothing where nothing is missing. On a system without dpkg it names the packages and goes on:
# the compiler will tell what it does not find.
set -eu

only_name=
if [ "${1:-}" = --only-name ]; then
	only_name=yes
	shift
fi
build="gcc g++ libc6-dev libelf-dev libdw-dev libunwind-dev libinih-dev libjansson-dev libiberty-dev libedit-dev cc65"
case "${1:?usage: tests/install.sh build|test|real|bench|peers}" in
build) want=$build ;;
test) want="$build libcmocka-dev libunwind-dev clang clang-format cmake elfutils binutils gdb dwz meson tmux universal-ctags" ;;
real) want="$build binutils clang dpkg-dev tcl valgrind" ;;
bench) want="$build dpkg-dev" ;;
peers) want="$build binutils valgrind uftrace lttng-tools liblttng-ust-dev babeltrace2 clang llvm jq" ;;
*) echo "tests/install.sh: unknown purpose '$1'" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "tests/install.sh: not a Debian system; these packages are needed: $want" >&2
	exit 0
fi
missing=
for p in $want; do
	case "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)" in
	installed) ;;
	*) missing="$missing $p" ;;
	esac
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
# shellcheck disable=SC2086
$sudo apt-get install -y -q $missing >/dev/null 2>&1 || {
	$sudo apt-get update -q >/dev/null
	$sudo apt-get install -y -q $missing >/dev/null
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and profiles the program of the viewers' tests, and installs from npm the readers that Debian does not have.
#
#   tests/viewers/prepare.sh BUILD_DIR
#
# All of it goes to BUILD_DIR/viewers. Nothing fetched is kept in the repository.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
build=$PWD/${1:?usage: tests/viewers/prepare.sh BUILD_DIR}
here=$build/viewers
mkdir -p "$here/Übung"
cd "$here"

# package-lock.json has the versions, with checksums of all packages that those need; npm's configuration says where they come
# from.
lock=$root/tests/viewers/package-lock.json
if ! cmp -s "$lock" installed; then
	command -v npm >/dev/null || { echo "make test-viewers needs npm, from Debian's packages nodejs and npm or from https://nodejs.org" >&2; exit 1; }
	cp "$root/tests/viewers/package.json" "$lock" .
	npm ci --no-audit --no-fund --omit=optional --loglevel=error >npm.log 2>&1 || {
		cat npm.log >&2
		echo "make test-viewers could not fetch the readers that Debian does not have (npm ci, see above)." >&2
		echo "It needs npm's registry, once. Without it no viewer is tested, so this is a failure." >&2
		exit 1
	}
	cp "$lock" installed
fi

cp "$root/tests/viewers/program.cc" Übung/größe.cc
flags="-g -O1 -std=gnu++17 -pthread -I$root -finstrument-functions -finstrument-functions-exclude-file-list=/include/c++/"
# shellcheck disable=SC2086
g++ $flags "$here/Übung/größe.cc" -o Übung/program
for clock in exact count; do
	rm -f "$clock.out"
	ZPROF_OPTIONS=clock=$clock,output=$here/$clock.out LD_PRELOAD=$build/libzprof.so Übung/program
done

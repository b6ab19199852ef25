#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches a Debian source package into a folder and prints the folder it unpacked to. The files stay there.
#
#   tests/real/source.sh PACKAGE FOLDER
#
# Uses the system's own package sources, for source packages, with an apt state of its own: nothing on the system changes. Only
# one at a time fetches into a folder; others wait.
set -eu
package=$1
mkdir -p "$2"
cd "$2"
folder=$(pwd)

unpacked() {
	find "$folder" -mindepth 1 -maxdepth 1 -type d -name "$package-*" | head -1
}

exec 9>"$folder/lock"
flock 9
if [ -z "$(unpacked)" ]; then
	apt=$folder/apt
	mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
	: >"$apt/sources.list"
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -f "$f" ] && sed -n 's/^deb /deb-src /p' "$f" >>"$apt/sources.list"
	done
	for f in /etc/apt/sources.list.d/*.sources; do
		[ -f "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" >"$apt/parts/${f##*/}"
	done
	with_sources() { # COMMAND...: of apt
		tool=$1
		shift
		"$tool" -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts" \
			-o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@"
	}
	# a third party's list may have no sources: what counts is whether the package is found
	with_sources apt-get update >"$apt/log" 2>&1 || true
	# A mirror may list a version whose files it has not, or no longer: then an older one will do.
	fetched=
	for version in $(with_sources apt-cache showsrc "$package" 2>>"$apt/log" | sed -n 's/^Version: //p' | sort -rVu); do
		with_sources apt-get source "$package=$version" >>"$apt/log" 2>&1 && fetched=1 && break
	done
	[ "$fetched" ] || {
		echo "tests/real/source.sh: cannot fetch the source package '$package':" >&2
		tail -5 "$apt/log" >&2
		exit 1
	}
fi
unpacked

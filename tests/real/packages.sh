#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches Debian packages, and those that they need and the system lacks, and unpacks them into FOLDER/root. Nothing is installed.
#
#   tests/real/packages.sh FOLDER PACKAGE...
#
# Uses the system's own lists of packages. Only one at a time fetches into a folder; others wait.
set -eu
# What is half installed by tests/install.sh has dependencies that nothing satisfies.
exec 8<"${0%/*}/../install.sh"
flock -s 8
mkdir -p "$1/archives/partial" "$1/root"
folder=$(cd "$1" && pwd)
shift

exec 9>"$folder/lock"
flock 9
[ ! -f "$folder/done" ] || [ "$(cat "$folder/done")" != "$*" ] || exit 0
fetch() { # PACKAGE...
	apt-get -q -y --no-install-recommends -o Dir::Cache::archives="$folder/archives" -o APT::Sandbox::User=root \
		-o Debug::NoLocking=1 --download-only install "$@" >>"$folder/log" 2>&1
}
: >"$folder/log"
# One after the other: each gets all that it needs.
for package; do
	fetch "$package" || fetch --reinstall "$package" || {
		echo "tests/real/packages.sh: cannot fetch the package '$package':" >&2
		tail -5 "$folder/log" >&2
		exit 1
	}
	dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed && fetch --reinstall "$package"
done
for archive in "$folder"/archives/*.deb; do
	dpkg -x "$archive" "$folder/root"
done
echo "$*" >"$folder/done"

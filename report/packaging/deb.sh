#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh - Debian's package, and that of its sources, in BUILD/deb.
#
#   report/packaging/deb.sh BUILD
#
# make sets VERSION and DATE. The package's maintainer is the user who builds it: DEBFULLNAME and DEBEMAIL, as for
# Debian's own tools, else what git knows.
set -eu
cd "$(dirname "$0")/../.."
here=$(pwd) build=$1
source=zprof-$VERSION
name=${DEBFULLNAME:-$(git config user.name 2>/dev/null || id -un)}
address=${DEBEMAIL:-$(git config user.email 2>/dev/null || echo "$(id -un)@$(hostname -f)")}

rm -rf "$build/deb"
mkdir -p "$build/deb"
"$here/report/packaging/sources.sh" "$source" | tar -x -C "$build/deb"
cd "$build/deb/$source"
cp -r report/packaging/debian debian
for file in control changelog; do
	sed -i "s|@MAINTAINER@|$name <$address>|; s|@VERSION@|$VERSION|; s|@DATE@|$(date -R -u -d "$DATE")|" debian/$file
done
dpkg-buildpackage -us -uc

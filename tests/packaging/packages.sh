#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh - the sources as a package, Debian's package, and other people's programs in a system that has only that package.
#
# The system is Debian's smallest, with compilers and build tools, and is kept in BUILD/packaging; to make it takes a package
# archive and some minutes. Must be root. What runs inside is inside.sh.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
here=$PWD
build=$ZPROF_BUILD

# ---- sources
cd "$root" || exit 2
make -s dist && tarball=$(find "$build" -maxdepth 1 -name 'zprof-*.tar.gz') && tar -xf "$tarball" -C "$here" && cd "$here"/zprof-* || exit 1
git -C "$root" ls-tree -r --name-only HEAD | sort >"$here/committed"
find . -type f | sed 's|^\./||' | sort | diff "$here/committed" - >"$here/difference"
tap $? "make dist has what was committed, and nothing else"
sed 's/^/# /' "$here/difference"
make -s dist && tar -tf build/zprof-*.tar.gz | grep -v '/$' | sed 's|^[^/]*/||' | sort | diff "$here/committed" - >"$here/difference"
tap $? "and makes the same again, without git"
sed 's/^/# /' "$here/difference"

# ---- Debian's package, of those sources
export DEBFULLNAME='Some Body' DEBEMAIL=somebody@example.org
make -s deb >"$here/deb.log" 2>&1
tap $? "the package is built of them"
package=$(find build/deb -name 'zprof_*_amd64.deb')
[ "$package" ] || { tail -20 "$here/deb.log" | sed 's/^/# /'; finish; exit 1; }
dpkg-deb -f "$package" Maintainer | grep -qx 'Some Body <somebody@example.org>'
tap $? "its maintainer is the one who builds it"
lintian --allow-root --fail-on error,warning build/deb/*.changes >"$here/lint" 2>&1
tap $? "lintian finds no errors"
sed 's/^/# /' "$here/lint"
cp "$package" "$here/zprof.deb"

# ---- a system with nothing else
tools='gcc g++ libc6-dev make pkg-config cmake meson ninja-build man-db'
needs=$(dpkg-deb -f "$here/zprof.deb" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | sort)
include=$(echo "$tools" "$needs" | tr -s ' \n' ',' | sed 's/,$//')
clean=$build/packaging/$(echo "$include" | cksum | cut -d' ' -f1)
if [ ! -e "$clean" ]; then
	read -r archive codename <<-E
		$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Identifier: Packages' 'Origin: Debian' | grep -v -e -updates -e -security | head -1)
	E
	# What debootstrap mounts, and leaves mounted if it fails, is visible only here.
	mkdir -p "$build/packaging"
	rm -rf "$clean.making"
	unshare --mount debootstrap --variant=minbase --include="$include" "$codename" "$clean.making" "$archive" >"$here/debootstrap.log" 2>&1 &&
		mv -T "$clean.making" "$clean" || { tail -5 "$here/debootstrap.log" | sed 's/^/# /'; tap 1 "a clean system"; exit 1; }
fi
cp -a "$clean" "$here/system"
mkdir "$here/system/work"
cp "$here/zprof.deb" "$root/tests/packaging/inside.sh" "$here/system/work"
# Mounts go away with the last process inside.
unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /work/inside.sh' sh "$here/system" >"$here/inside" 2>"$here/errors"
status=$?
while read -r result what; do
	tap "$result" "$what"
done <"$here/inside"
[ $status = 0 ] || sed 's/^/# /' "$here/errors"
tap $status "nothing else went wrong inside"
rm -rf "$here/system"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# debian13.sh - the adapter of CPython with the Python of Debian 13, 3.13: python.sh in a folder that has that system's packages, and
# tests that Python has of itself, whose calls are those that sys.monitoring tells.
#
# The packages are unpacked and not configured, which takes a tenth of the time of a system made by debootstrap, and are kept in
# BUILD/packaging. Must be root. A copy of the tests of another Debian's Python is this file with other names.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
here=$PWD
build=$ZPROF_BUILD
codename=trixie python=/usr/bin/python3.13
needs='base-files dash coreutils sed grep mawk diffutils binutils gcc libc6-dev
	python3 libpython3.13 libpython3.13-testsuite python3-pytest
	libdw1t64 libelf1t64 libinih1 libjansson4 libprotobuf-c1 libncursesw6 libcurl4t64 libunwind8 zlib1g'

# ---- the packages
make_folder() { # FOLDER: false, and why not is in `log`
	read -r archive <<-E
		$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' | grep -v -e -security | head -1)
	E
	[ "$archive" ] || { echo "apt knows no archive of Debian here"; return 1; }
	mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" || return 1
	: >"$1/apt/status"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $codename main" >"$1/apt/sources"
	set -- "$1" -o Dir::Etc::SourceList="$1/apt/sources" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null \
		-o Dir::Etc::PreferencesParts=/dev/null -o Dir::State="$1/apt" -o Dir::State::Status="$1/apt/status" -o Dir::Cache="$1/apt/cache" \
		-o Acquire::Languages=none -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o pkgCacheGen::Essential=none
	folder=$1
	shift
	apt-get "$@" update || return 1
	# shellcheck disable=SC2086
	apt-get "$@" -y --download-only install $needs || return 1
	for package in "$folder"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$folder" || return 1
	done
	# What the packages' scripts would do, as far as it is missed here.
	ln -sf mawk "$folder/usr/bin/awk" && mkdir -p "$folder/zprof" && rm -rf "$folder/apt"
}
system=$build/packaging/$codename-$(echo "$needs" | cksum | cut -d' ' -f1)
if [ ! -e "$system" ]; then
	mkdir -p "$build/packaging"
	rm -rf "$system.making"
	if make_folder "$system.making" >log 2>&1; then
		mv -T "$system.making" "$system"
	else
		sed 's/^/# /' log | tail -5
		skip "Debian 13's Python" "its packages cannot be had"
		finish
		exit
	fi
fi

# ---- inside. Mounts are seen only there, and go away with the last process
inside() { # COMMAND: of the shell, in the folder of the test
	unshare --mount --pid --fork sh -c '
		mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/zprof" && mount --bind "$3" "$1/tmp" &&
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C ZPROF_BUILD="/zprof/$4" ZPROF_TEST_PYTHON="$5" sh -c "cd /tmp && $6"' \
		sh "$system" "$root" "$here" "${build#"$root"/}" "$python" "$1"
}
inside '$ZPROF_BUILD/zprof --version' >version 2>&1 || {
	skip "Debian 13's Python" "zprof, as it was built here, does not run there: $(head -1 version)"
	finish
	exit
}
mkdir programs tests
inside 'cd programs && /zprof/tests/adapters/python.sh' >results 2>errors
status=$?
relay results
[ $status = 0 ] || sed 's/^/# /' errors
tap $status "python.sh with ${python##*/}"

# One process counts and is recorded, so that both see the same calls. Its profiles are where the tests do not find them.
inside 'cd tests && export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 && $ZPROF_BUILD/zprof record -o ../p.out $ZPROF_TEST_PYTHON \
	/zprof/tests/adapters/python/count.py ../counted /zprof/tests/adapters/python/own_tests.py' >said 2>errors
grep -qx 'Result: SUCCESS' said
tap $? "Python's own tests of json and re pass while they are recorded" || sed 's/^/# /' said errors
inside '$ZPROF_BUILD/zprof report --json --full-names --all p.out' | python3 "$root/tests/adapters/python/compare.py" counted \
	'/(json|re|test|unittest)/' >compared
grep -Eqx '[0-9]+ [0-9]+' compared && [ "$(cut -d' ' -f1 <compared)" -ge 500 ]
tap $? "the calls of their functions are those that sys.monitoring tells ($(head -1 compared))" || sed 's/^/# /' compared
finish

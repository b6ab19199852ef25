# SPDX-License-Identifier: MIT
# debian13.sh - a folder that has packages of Debian 13, and commands that run in it as if it were the whole system. Sourced.
#
#   debian13_folder "PACKAGE..."     they and what they need are in the folder $system; false if they cannot be had, and why not is in `log`
#   debian13_inside COMMAND          runs COMMAND of the shell there, in its /tmp, which is the current folder; /zprof is zprof's tree
#
# The packages are unpacked and not configured, which takes a tenth of the time of a system made by debootstrap, and are kept in
# BUILD/packaging, a folder for each list of packages. Must be root, with ZPROF_BUILD set and $root the tree. Another Debian is another
# $codename.
codename=trixie python=/usr/bin/python3.13

debian13_unpack() { # FOLDER PACKAGES
	packages=$2
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
	apt-get "$@" -y --download-only install $packages || return 1
	for package in "$folder"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$folder" || return 1
	done
	# What the packages' scripts would do, as far as it is missed here.
	ln -sf mawk "$folder/usr/bin/awk" && mkdir -p "$folder/zprof" && rm -rf "$folder/apt"
}

debian13_folder() { # PACKAGES
	system=$ZPROF_BUILD/packaging/$codename-$(echo "$1" | cksum | cut -d' ' -f1)
	[ ! -e "$system" ] || return 0
	mkdir -p "$ZPROF_BUILD/packaging" && rm -rf "$system.making" && debian13_unpack "$system.making" "$1" >log 2>&1 &&
		mv -T "$system.making" "$system"
}

# Mounts are seen only by what runs there, and go away with the last process.
debian13_inside() { # COMMAND
	unshare --mount --pid --fork sh -c '
		mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" &&
		mount --bind "$2" "$1/zprof" && mount --bind "$3" "$1/tmp" &&
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C ZPROF_BUILD="/zprof/$4" ZPROF_TEST_PYTHON="$5" sh -c "cd /tmp && $6"' \
		sh "$system" "$root" "$PWD" "${ZPROF_BUILD#"$root"/}" "$python" "$1"
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# folder.sh - makes a folder with all that a build for arm64 needs: Debian's cross compiler and emulator, and libraries of arm64.
#
#   tests/arm64/folder.sh DIR
#
# Nothing is installed: packages are fetched by apt-get with lists and states of its own, and unpacked below DIR. So the machine has
# neither foreign packages nor an emulator for foreign programs afterwards. Exits with 3, and says why, where packages cannot be had.
#
#   DIR/tools    of this machine: compiler, linker, qemu-aarch64-static
#   DIR/system   of arm64: headers and libraries
#   DIR/bin      cc, ar, ld, run: what the build calls, and what runs a program of arm64; gcc, g++, clang, clang++: what test
#                programs are built with
set -eu
dir=${1:?usage: tests/arm64/folder.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
tools="gcc-12-aarch64-linux-gnu g++-12-aarch64-linux-gnu libstdc++-12-dev-arm64-cross cpp-12-aarch64-linux-gnu libgcc-12-dev-arm64-cross binutils-aarch64-linux-gnu qemu-user-static"
system="libc6-dev libgcc-12-dev libelf-dev libdw-dev libinih-dev libcurl4-openssl-dev libjansson-dev libcapstone-dev libncurses-dev libprotobuf-c-dev
	zlib1g-dev libiberty-dev libedit-dev libcmocka-dev libunwind-dev libstdc++-12-dev"

log=$dir/log
. "${0%/*}/packages.sh"

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || fail "the cross build knows Debian on x86-64 alone"
# The folder is made anew when its scripts have changed.
script=$(cat "$0" "${0%/*}/packages.sh" | cksum)
[ "$(cat "$dir/complete" 2>/dev/null)" = "$script" ] && exit 0
rm -rf "$dir/tools" "$dir/system" "$dir/complete"

echo "arm64: fetching packages into $dir" >&2
mkdir -p "$dir/debs" "$dir/tools" "$dir/system" "$dir/bin"
# shellcheck disable=SC2086
(cd "$dir/debs" && apt-get -q -o APT::Sandbox::User=root download $tools >"$log" 2>&1) || fail "apt-get download failed: $log"
unpack "$dir/debs" "$dir/tools"

foreign "$dir/apt" apt-get update >>"$log" 2>&1 || fail "apt-get update failed: $log"
# shellcheck disable=SC2086
fetch_whole "$dir/apt" "$dir/system" $system
rm -rf "$dir/debs" "$dir/apt"
# A link such as libtinfo.so names a place in a whole system. If it leads nowhere, the linker takes the library's archive, and a program has the
# library twice.
find "$dir/system" -type l -lname '/*' | while read -r link; do ln -sfn "$dir/system$(readlink "$link")" "$link"; done

# The compiler is linked with libraries of its own package.
wrap() { # NAME COMMAND
	printf '#!/bin/sh\nexport LD_LIBRARY_PATH="%s"\nexec %s "$@"\n' "$dir/tools/usr/lib/x86_64-linux-gnu" "$2" >"$dir/bin/$1"
	chmod +x "$dir/bin/$1"
}
wrap cc "'$dir/tools/usr/bin/aarch64-linux-gnu-gcc-12' --sysroot='$dir/system'"
wrap gcc "'$dir/tools/usr/bin/aarch64-linux-gnu-gcc-12' --sysroot='$dir/system'"
wrap g++ "'$dir/tools/usr/bin/aarch64-linux-gnu-g++-12' --sysroot='$dir/system'"
for clang in clang clang++; do wrap $clang "'$(command -v $clang || echo /usr/bin/$clang)' --target=aarch64-linux-gnu --sysroot='$dir/system' --ld-path='$dir/bin/ld' -Wno-unused-command-line-argument"; done
for tool in ar ld objcopy objdump nm readelf strip; do wrap $tool "'$dir/tools/usr/bin/aarch64-linux-gnu-$tool'"; done
printf '#!/bin/sh\nexec "%s" -L "%s" "$@"\n' "$dir/tools/usr/bin/qemu-aarch64-static" "$dir/system" >"$dir/bin/run"
chmod +x "$dir/bin/run"
echo "$script" >"$dir/complete"

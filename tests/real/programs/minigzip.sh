# SPDX-License-Identifier: MIT
# zlib's minigzip: compresses and expands zlib's sources.
package=zlib
workloads='compress expand'
# gcc's hooks have minigzip in test-real-full alone; bzip2, which is as small and does as much, has them each time.
builds=clang:

prepare() {
	cat "$source"/*.c "$source"/*.h >input && gzip -kn input
}

build() {
	compile_c "-D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -I$source" "$1" "$source"/*.c "$source/test/minigzip.c"
}

run() {
	case $1 in
	compress) $traced "$2" <../../input ;;
	expand) $traced "$2" -d <../../input.gz ;;
	esac
}

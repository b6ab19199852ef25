# SPDX-License-Identifier: MIT
# bzip2: compresses and expands its own sources.
package=bzip2
workloads='compress expand'

prepare() {
	cat "$source"/*.c "$source"/*.ref "$source/manual.html" >input && bzip2 -k input
}

build() {
	compile_c "-Wall -Winline -D_FILE_OFFSET_BITS=64" "$1" \
		"$source"/blocksort.c "$source"/huffman.c "$source"/crctable.c "$source"/randtable.c "$source"/compress.c \
		"$source"/decompress.c "$source"/bzlib.c "$source"/bzip2.c
}

run() {
	case $1 in
	compress) $traced "$2" -c ../../input ;;
	expand) $traced "$2" -dc ../../input.bz2 ;;
	esac
}

# SPDX-License-Identifier: MIT
# zstd, without its parts in assembly: compresses its own library's source.
package=libzstd
workloads=compress

prepare() {
	cat "$source"/lib/*/*.[ch] >text
}

build() {
	# shellcheck disable=SC2046
	set -- "$1" $(find "$source/lib/common" "$source/lib/compress" "$source/lib/decompress" "$source/lib/dictBuilder" "$source/programs" -name '*.c' | sort)
	compile_c "-std=gnu11 -DXXH_NAMESPACE=ZSTD_ -DZSTD_DISABLE_ASM -DZSTD_NOTRACE -I$source/lib" "$@" -lpthread
}

run() {
	# shellcheck disable=SC2046
	$traced "$2" -q --single-thread -7 -c $(for _ in $(seq $((8 * ${times:-1}))); do echo "$work/text"; done)
}

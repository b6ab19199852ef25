# SPDX-License-Identifier: MIT
# tcc, a C compiler: compiles itself.
package=tcc
workloads='compile preprocess'
# clang's hooks of the source's functions have tcc in test-real-full alone; bzip2 and minigzip have them each time.
builds='gcc: gcc:--fentry gcc:--entries clang:--entries'
defines='-DCONFIG_TRIPLET="x86_64-linux-gnu" -DTCC_TARGET_X86_64'

# Later versions make a header.
prepare() {
	(cd "$source" && ./configure && { make tccdefs_.h || :; })
}

build() {
	for file in tcc libtcc tccpp tccgen tccelf tccasm tccrun x86_64-gen x86_64-link i386-asm; do
		set -- "$@" "$source/$file.c"
	done
	compile_c "-I$source $defines -DONE_SOURCE=0 -Wall -fno-strict-aliasing -Wno-pointer-sign" "$@" -lm -ldl -lpthread
}

run() {
	case $1 in
	# shellcheck disable=SC2046,SC2086
	compile)
		$traced "$2" -B"$source" -I"$source" -I"$source/include" $defines -DONE_SOURCE=1 -c \
			$(for _ in $(seq "${times:-1}"); do echo "$source/tcc.c"; done) && cat tcc.o
		;;
	# shellcheck disable=SC2086
	preprocess) $traced "$2" -B"$source" -I"$source" -I"$source/include" $defines -DONE_SOURCE=1 -E "$source/tcc.c" ;;
	esac
}

# SPDX-License-Identifier: MIT
# jq: an interpreter of small functions: values with counted references, and a stack that is copied as it forks.
package=jq
workloads=filter

# What its Makefile makes; the configuration is in build's flags.
prepare() {
	mkdir src
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' "$source/src/builtin.jq" >src/builtin.inc
	echo '#define JQ_VERSION "1.6"' >src/version.h
}

build() {
	flags="-std=gnu99 -D_GNU_SOURCE -DIEEE_8087=1 -I$work -I$work/src -I$source -I$source/src"
	for have in MEMMEM MKSTEMP ISATTY STRPTIME STRFTIME TIMEGM GMTIME_R GMTIME LOCALTIME_R LOCALTIME GETTIMEOFDAY TM_TM_GMT_OFF \
		PTHREAD_KEY_CREATE PTHREAD_ONCE ATEXIT FLOOR SQRT POW LOG EXP LOG2 EXP2 FABS ROUND CEIL TRUNC FREXP MODF; do
		flags="$flags -DHAVE_$have=1"
	done
	set -- "$1" $(cd "$source/src" && ls builtin.c bytecode.c compile.c execute.c jq_test.c jv.c jv_alloc.c jv_aux.c jv_dtoa.c jv_file.c \
		jv_parse.c jv_print.c jv_unicode.c lexer.c linker.c locfile.c main.c parser.c util.c | sed "s|^|$source/src/|")
	compile_c "$flags" "$@" -lm -lpthread
}

run() {
	$traced "$2" -n -c --argjson items $((40000 * ${times:-1})) '
		[range($items) | {id: ., name: "word\(. % 997)", tags: [range(. % 5)], at: (. / 7)}]
		| group_by(.name) | map({key: .[0].name, value: (map(.at) | add | floor)}) | from_entries
		| tojson | fromjson | to_entries | sort_by(.value)
		| [.[] | select(.value % 3 == 0) | .key | ascii_upcase | explode | add] | [length, add]'
}

# SPDX-License-Identifier: MIT
# gawk: an interpreter that spends much of its time in the C library: fields, patterns, arrays, formatted output.
package=gawk
workloads=text

prepare() {
	"$source/configure" --disable-pma --disable-nls --disable-mpfr --without-readline --disable-extensions
}

build() {
	set -- "$1" $(cd "$source" && ls array.c awkgram.c builtin.c cint_array.c command.c debug.c eval.c ext.c field.c floatcomp.c gawkapi.c \
		gawkmisc.c int_array.c io.c main.c mpfr.c msg.c node.c profile.c re.c replace.c str_array.c symbol.c version.c support/dfa.c \
		support/getopt.c support/getopt1.c support/localeinfo.c support/random.c support/regex.c support/malloc/dynarray_*.c | sed "s|^|$source/|")
	compile_c "-std=gnu11 -DGAWK -DHAVE_CONFIG_H -DDEFPATH=\"\" -DDEFLIBPATH=\"\" -DSHLIBEXT=\"so\" -DLOCALEDIR=\"\" -I$work -I$source \
-I$source/support" "$@" -lm -ldl
}

run() {
	$traced "$2" -v lines=$((30000 * ${times:-1})) 'BEGIN {
		for (i = 0; i < lines; i++) {
			line = sprintf("%d %s %.3f word%d,other%d", i, i % 7 ? "alpha" : "Beta gamma", i / 3, i % 997, i % 31)
			n = split(line, part, /[ ,]+/)
			for (j = 1; j <= n; j++)
				count[part[j] % 100 part[j]]++
			seen[part[n]]++
			if (line ~ /(eta|7) .*w[o0]rd[13579]+,/)
				found++
			gsub(/[aeiou]+/, "<&>", line)
			text = text substr(toupper(line), 1, 3)
			printf "%8.2f %-20s %s\n", i * 1.5, line, i % 97 >"/dev/null"
		}
		print found, length(count), length(text), asorti(seen, order), order[10]
	}'
}

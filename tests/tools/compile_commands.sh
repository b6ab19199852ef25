#!/bin/sh
# SPDX-License-Identifier: MIT
# compile_commands.sh - what `make -nB` prints, as a compilation database (clang.llvm.org/docs/JSONCompilationDatabase.html).
awk -v folder="$PWD" '
/ -c [^ ]+\.(c|cc) -o / {
	match($0, / -c [^ ]+/)
	file = substr($0, RSTART + 4, RLENGTH - 4)
	gsub(/[\\"]/, "\\\\&")
	printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", n++ ? ",\n" : "[\n", folder, file, $0
}
END { print n ? "\n]" : "[]" }'

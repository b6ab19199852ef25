#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh BUILD_DIR - lines that ran, per file of report/ and symbolize/, the least covered first.
find "$1/report" "$1/symbolize" -name '*.gcda' | xargs gcov -n 2>/dev/null | awk '
/^File/ { gsub(/.*File .|.$/, ""); file = $0 }
/^Lines executed/ && file ~ /^(report|symbolize)\// {
	split($0, part, /[:%]| of /)
	printf "%6.1f %%  %5d lines  %s\n", part[2], part[4], file
	ran += part[2] * part[4] / 100
	all += part[4]
	file = ""
}
END { printf "%6.1f %%  %5d lines  in all\n", all ? 100 * ran / all : 0, all }' | sort -n

# SPDX-License-Identifier: MIT
# Programs as they are installed, and the calls of their functions that `zprof record --any` has recorded.

# Where a library is that a program of $PATH is linked with.
library_of() { # LIBRARY PROGRAM
	ldd "$(command -v "$2")" 2>/dev/null | awk -v name="$1" '$1 == name { print $3 }'
}

# The functions of FILE that are displaced, as `OFFSET NAME CALLS`; OFFSET, in hexadecimal, is into the file. A name that several functions
# have tells no calls apart, and is left out.
displaced_functions() { # PROFILE FILE
	"$ZPROF_BUILD/zprof" export --format functions "$1" 2>/dev/null | awk -F, -v file="$2" '
		NR > 1 { gsub(/"/, "") }
		$11 == file { print $9, $14 }' >displaced.calls
	"$ZPROF_BUILD/zprof" plan --functions "$2" | awk '
		FILENAME == "displaced.calls" { calls[$1] += $2; next }
		$4 == "patched" { line[++n] = $1 " " $2; name[n] = $2; times[$2]++ }
		END { for (i = 1; i <= n; i++) if (times[name[i]] == 1) print line[i], calls[name[i]] + 0 }' displaced.calls -
}

# SPDX-License-Identifier: MIT
# The arcs of a call graph as tests/tools/vm_profile.awk prints it: caller, callee, calls.
/callers above/ { on = 1; next }
!on { next }
NF == 0 { flush(); next }
{ line[++n] = $0; if (substr($0, 1, 16) !~ /^ *$/) own = n }
END { flush() }
function flush(    i, f, other) {
	split(line[own], f, " ")
	for (i = own + 1; i <= n; i++) {
		split(line[i], other, " ")
		print f[6], other[3], other[2]
	}
	n = 0
}

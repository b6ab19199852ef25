# SPDX-License-Identifier: MIT
# gprof -b -q -> CALLER, CALLEE, CALLS. In a block, lines above the one with the index are callers, itself among them.
# Calls that no line accounts for came from outside the program (a signal's handler).
BEGIN { callers = 0 }
/^-----/ { primary = ""; callers = 0; next }
/^Index by/ { exit }
/^\[[0-9]+\]/ {
	primary = name_in($0)
	for (i = 0; i < callers; i++)
		print caller[i] "\t" primary "\t" count[i]
	rest = 0
	for (i = 2; i <= 5; i++)
		if ($i ~ /^[0-9]+(\+[0-9]+)?$/)
			rest = $i + substr($i, index($i "+", "+") + 1)
	for (i = 0; i < callers; i++)
		rest -= count[i]
	if (rest > 0)
		print "-\t" primary "\t" rest
	callers = 0
	next
}
/\[[0-9]+\]$/ && primary == "" {
	n = ""
	for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+(\/[0-9]+)?$/)
			n = $i
	sub(/\/.*/, "", n)
	if (n == "")
		next
	caller[callers] = name_in($0)
	count[callers++] = n
}
# The name stands after the columns of numbers, before `<cycle n>` and the index.
function name_in(line) {
	sub(/ \[[0-9]+\]$/, "", line)
	sub(/ <cycle [0-9]+>$/, "", line)
	sub(/ <cycle [0-9]+ as a whole>$/, "", line)
	sub(/^\[[0-9]+\] +/, "", line)
	while (line ~ /^ *[0-9.]+([\/+][0-9]+)? /)
		sub(/^ *[0-9.]+([\/+][0-9]+)? +/, "", line)
	sub(/^ +/, "", line)
	return line
}

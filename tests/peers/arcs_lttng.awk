# SPDX-License-Identifier: MIT
# `nm -n PROGRAM`, then a trace of LTTng's cyg-profile as babeltrace2 prints it -> CALLER, CALLEE, CALLS.
# An entry holds the function's address and that of the call, so the caller is the function around the latter.
function number(hex,    n, i) {
	n = 0
	hex = tolower(hex)
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}
function name_at(address,    low, high, middle) {
	if (address in known)
		return known[address]
	low = 0
	high = symbols
	while (low + 1 < high) {
		middle = int((low + high) / 2)
		if (start[middle] <= number(address))
			low = middle
		else
			high = middle
	}
	return known[address] = (symbols && start[low] <= number(address) ? symbol[low] : "-")
}
/^[0-9a-f]+ [tTwW] / {
	start[symbols] = number($1)
	sub(/^[0-9a-f]+ . /, "")
	symbol[symbols++] = $0
	next
}
/func_entry/ {
	match($0, / addr = 0x[0-9A-F]+/)
	callee = substr($0, RSTART + 10, RLENGTH - 10)
	match($0, /call_site = 0x[0-9A-F]+/)
	arcs[substr($0, RSTART + 14, RLENGTH - 14) " " callee]++
}
END {
	for (a in arcs) {
		split(a, part, " ")
		print name_at(part[1]) "\t" name_at(part[2]) "\t" arcs[a]
	}
}

# SPDX-License-Identifier: MIT
# The part of `zprof graph --json` that does not depend on the host: for each Forth word of the files that match -v files=REGEX,
# and for each bucket, its callers, itself and its callees, with calls, cycles and NEXTs. Sort it, then cut off the first three
# fields.
function text(key) { return match($0, "\"" key "\":\"[^\"]*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
function number(line, key) { return match(line, "\"" key "\":[0-9]+") ? substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : -1 }
function counter(name, key, at) {
	at = index($0, "{\"name\":\"" name "\"")
	return at ? number(substr($0, at), key) : 0
}
function put(id, part, other, calls, cycles, nexts, last) {
	if (shown[id])
		printf "%s\t%d\t%s\t%12s %12d %9d  %s\n", name[id], part, other, calls, cycles, nexts, last
}
/^\{"id":/ {
	id = number($0, "id")
	name[id] = text("name")
	shown[id] = counter("cycles", "total") && (text("file") ~ files || (text("group") != "" && text("group") != "forth"))
	place = text("file") ? "  " text("file") ":" number($0, "line") : ""
	put(id, 1, "", number($0, "calls"), counter("cycles", "total"), counter("nexts", "total"), name[id] place)
	put(id, 2, "", "", counter("cycles", "self"), counter("nexts", "self"), "  itself")
}
/^\{"caller":[0-9]/ {
	caller = number($0, "caller")
	callee = number($0, "callee")
	if (counter("cycles", "parent_total") + counter("cycles", "child_total") == 0 && caller != callee)
		next
	put(callee, 0, name[caller], number($0, "calls"), counter("cycles", "parent_total"), counter("nexts", "parent_total"), "    " name[caller])
	put(caller, 3, name[callee], number($0, "calls"), counter("cycles", "child_total"), counter("nexts", "child_total"), "    " name[callee])
}

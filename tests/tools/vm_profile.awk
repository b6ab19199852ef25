# SPDX-License-Identifier: MIT
# The guest's part of `zprof graph --json`, as plain tables for tests: its zones with own and total cycles, NEXTs if there are any,
# and calls, those with most cycles of their own first; then callers and callees of each. What is outside of them is (root)'s.
function text(key) { return match($0, "\"" key "\":\"([^\"\\\\]|\\\\.)*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
function number(key) { return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0 }
function counter(name, key,    at, rest) {
	at = index($0, "{\"name\":\"" name "\"")
	rest = at ? substr($0, at) : ""
	return match(rest, "\"" key "\":[0-9]+") ? substr(rest, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0
}
/^\{"id":/ && /"module":null/ && text("group") != "" {
	id = number("id"); order[++n] = id
	name[id] = text("name"); gsub(/\\"/, "\"", name[id]); gsub(/\\\\/, "\\", name[id])
	calls[id] = number("calls"); self[id] = counter("cycles", "self"); total[id] = counter("cycles", "total")
	nexts[id] = counter("nexts", "self"); sum += self[id]; sum_nexts += nexts[id]
}
/^\{"id":/ && counter("cycles", "total") > all { all = counter("cycles", "total") }
/^\{"id":/ && counter("nexts", "total") > all_nexts { all_nexts = counter("nexts", "total") }
/^\{"caller":[0-9]/ {
	caller = number("caller"); callee = number("callee")
	if (!(caller in name)) caller = 0 # the emulator's functions together
	if ((caller, callee) in known) {
		k = known[caller, callee]; arc_calls[k] += number("calls"); below[k] += counter("cycles", "parent_total")
		next
	}
	known[caller, callee] = ++a; from[a] = caller; to[a] = callee; arc_calls[a] = number("calls")
	below[a] = counter("cycles", "parent_total")
}
function keep(id, new,    k) { # a zone's arcs, in the order of names
	for (k = ++used[id]; k > 1 && arc_after(of[id, k - 1], new); k--) of[id, k] = of[id, k - 1]
	of[id, k] = new
}
function put_nexts(k) { if (all_nexts) printf " %12s", k }
function arc(k, who) {
	printf "%22s %14d", "", below[k]
	if (all_nexts) printf " %12s", ""
	printf " %12d      %s\n", arc_calls[k], who in name ? name[who] : "(root)"
}
# By own cycles, then by name; of equal names, by what else was counted. (zprof's own order is that of times.)
function after(x, y) {
	if (self[x] != self[y]) return self[x] < self[y]
	if (name[x] != name[y]) return name[x] > name[y]
	if (calls[x] != calls[y]) return calls[x] < calls[y]
	return total[x] != total[y] ? total[x] < total[y] : nexts[x] < nexts[y]
}
function named(id) { return id in name ? name[id] : "" }
# By names; of equal names, by what was counted.
function arc_after(x, y) {
	if (named(from[x]) != named(from[y])) return named(from[x]) > named(from[y])
	if (named(to[x]) != named(to[y])) return named(to[x]) > named(to[y])
	return below[x] < below[y] || (below[x] == below[y] && arc_calls[x] < arc_calls[y])
}
END {
	for (k = 1; k <= a; k++) {
		if (to[k] in name && from[k] != to[k]) keep(to[k], k)
		if (from[k] in name && to[k] in name && from[k] != to[k]) keep(from[k], k)
	}
	printf "%d cycles, %d zones\n\nflat\n", all, n
	for (i = 2; i <= n; i++) {
		id = order[i]
		for (j = i - 1; j && after(order[j], id); j--) order[j + 1] = order[j]
		order[j + 1] = id
	}
	for (i = 1; i <= n; i++) {
		id = order[i]
		printf "%7.1f %14d %14d", all ? 100 * self[id] / all : 0, self[id], total[id]
		put_nexts(nexts[id])
		printf " %12d - -  %s\n", calls[id], name[id]
	}
	if (all > sum || all_nexts > sum_nexts) {
		printf "%7.1f %14d %14d", 100 * (all - sum) / all, all - sum, all
		put_nexts(all_nexts - sum_nexts)
		printf " %12d - -  (root)\n", 0
	}
	printf "\ncallers above, callees below\n"
	for (i = 1; i <= n; i++) {
		id = order[i]
		if (i > 1) print ""
		for (k = 1; k <= used[id]; k++) if (to[of[id, k]] == id) arc(of[id, k], from[of[id, k]])
		printf "%7.1f %14d %14d", all ? 100 * total[id] / all : 0, self[id], total[id]
		put_nexts(nexts[id])
		printf " %12d  %s\n", calls[id], name[id]
		for (k = 1; k <= used[id]; k++) if (from[of[id, k]] == id) arc(of[id, k], to[of[id, k]])
	}
}

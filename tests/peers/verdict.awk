# SPDX-License-Identifier: MIT
# Compares arcs (CALLER, CALLEE, CALLS) with truths (tests/programs/truth.h), and prints one word for the table.
#
#   awk -f verdict.awk ARCS TRUTH...
#
# right       every arc has the count it should, or lies in the range it should
# lost 12 %   calls are missing, and none is below a function that did not make it
# wrong 12 %  calls are below functions that did not make them (or counted twice)
#
# Callers of the outermost functions are not compared (tools show them differently), nor functions that the truth does not know. A
# tool may see functions that the program hides from the others: their calls fill up what their callees lack from known callers.
# Calls of one name are summed whatever their file, parameters, template arguments and result.
BEGIN { FS = "\t" }
function bare(name) {
	sub(/@.*/, "", name)
	if (match(substr(name, 2), /\(/))
		name = substr(name, 1, RSTART)
	sub(/^int /, "", name)
	sub(/<.*>$/, "", name)
	return name
}
FNR == 1 { file++ }
file == 1 {
	found[bare($1), bare($2)] += $3
	into[bare($2)] += $3
	next
}
$1 == "calls" && $2 != "-" {
	key = bare($2) SUBSEP bare($3)
	min[key] += $4
	max[key] += NF > 4 ? $5 : $4
	listed[bare($3)] = 1
}
$1 == "calls" { known[bare($2)] = known[bare($3)] = 1; if ($2 == "-") outermost[bare($3)] = 1 }
$1 == "total" {
	total_min[bare($2)] += $3
	total_max[bare($2)] += NF > 3 ? $4 : $3
	known[bare($2)] = 1
}
$1 == "may" { if (NF == 3) excused[bare($2), bare($3)] = 1; else excused[bare($2)] = 1 }
END {
	for (k in found) {
		split(k, part, SUBSEP)
		if (!(part[1] in known))
			strangers[part[2]] += found[k]
	}
	for (k in min) {
		all += min[k]
		split(k, part, SUBSEP)
		for (; found[k] < min[k] && strangers[part[2]] > 0; strangers[part[2]]--)
			found[k]++
		if (found[k] < min[k])
			lost += min[k] - found[k]
		if (found[k] > max[k] && !(k in excused))
			extra += found[k] - max[k]
	}
	for (n in total_min) {
		all += total_min[n]
		if (into[n] < total_min[n])
			lost += total_min[n] - into[n]
		if (into[n] > total_max[n])
			extra += into[n] - total_max[n]
	}
	for (k in found) {
		split(k, part, SUBSEP)
		if (!(k in min) && !(k in excused) && (part[2] in listed) && (part[1] in known) && part[1] != "-")
			extra += found[k]
	}
	if (lost + extra == 0)
		print "right"
	else {
		percent = 100 * (extra > lost ? extra : lost) / (all ? all : 1)
		printf "%s %s\n", extra ? "wrong" : "lost", percent < 0.1 ? "< 0.1 %" : percent < 10 ? sprintf("%.1f %%", percent) : sprintf("%.0f %%", percent)
	}
}

# SPDX-License-Identifier: MIT
# A graph in DOT, of `uftrace dump --graphviz` ("a" -> "b" [xlabel = "3"]) or `llvm-xray graph` (F1 -> F2 [label="3"], with
# F1 [label="{main|...}"]) -> CALLER, CALLEE, CALLS.
function unquoted(s) {
	gsub(/^"|"$/, "", s)
	return s
}
/^ *".*" -> ".*" \[xlabel/ {
	match($0, /" -> "/)
	caller = substr($0, 1, RSTART)
	callee = substr($0, RSTART + 5)
	n = callee
	sub(/" \[xlabel.*/, "\"", callee)
	sub(/.*xlabel = "/, "", n)
	sub(/".*/, "", n)
	sub(/^ */, "", caller)
	print unquoted(caller) "\t" unquoted(callee) "\t" n
	next
}
/^F[0-9]+ -> F[0-9]+/ {
	n = $0
	sub(/.*label="/, "", n)
	sub(/".*/, "", n)
	edge[edges++] = $1 "\t" $3 "\t" n
	next
}
/^F[0-9]+ \[label="\{/ {
	label = $0
	sub(/^[^{]*\{/, "", label)
	sub(/\|[^|]*$/, "", label)
	gsub(/&lt;/, "<", label)
	gsub(/&gt;/, ">", label)
	gsub(/&amp;/, "\\&", label)
	name[$1] = label
}
END {
	for (i = 0; i < edges; i++) {
		split(edge[i], part, "\t")
		print (part[1] in name ? name[part[1]] : "-") "\t" name[part[2]] "\t" part[3]
	}
}

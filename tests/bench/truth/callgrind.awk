# SPDX-License-Identifier: MIT
# Turns a callgrind profile into lines of NAME <tab> INSTRUCTIONS, what each function of a program did itself.
#
#   awk -v program=/path/of/it -f tests/real/callgrind_names.awk -f callgrind.awk callgrind.out
#
# What a library did counts for the functions of the program that called it. Callgrind tells, of each library function, how many
# instructions every caller caused in it and below; its own instructions are divided in that proportion, through as many libraries
# as it takes.

function value(line) { return substr(line, index(line, "=") + 1) }

/^ob=/ { object = id_of(value($0), objects); next }
/^cob=/ { called_object = id_of(value($0), objects); next }
/^fn=/ { current = object SUBSEP id_of(value($0), names); own[current] += 0; called_object = object; next }
/^cfn=/ { callee = called_object SUBSEP id_of(value($0), names); called_object = object; next }
/^calls=/ {
	getline
	caused[current SUBSEP callee] += $2
	if (current != callee)
		below[callee] += $2
	next
}
/^[0-9+*-]/ { own[current] += $2 }

function in_program(f,    part) {
	split(f, part, SUBSEP)
	return objects[part[1]] == program
}

END {
	for (f in own)
		if (!in_program(f))
			held[f] = own[f]
		else
			mine[f] = own[f]
	# pass the instructions of library functions on to their callers, until only the program's functions have any
	for (round = 0; round < 200; round++) {
		delete next_held
		moved = 0
		for (arc in caused) {
			split(arc, part, SUBSEP)
			caller = part[1] SUBSEP part[2]
			callee = part[3] SUBSEP part[4]
			if (caller == callee || !(callee in held) || !below[callee])
				continue
			handed = held[callee] * caused[arc] / below[callee]
			moved += handed
			if (in_program(caller))
				mine[caller] += handed
			else
				next_held[caller] += handed
		}
		delete held
		for (f in next_held)
			held[f] = next_held[f]
		if (moved < 1)
			break
	}
	for (f in mine) {
		split(f, part, SUBSEP)
		name = names[part[2]]
		sub(/'[0-9]+$/, "", name) # a deeper level of recursion
		print name "\t" int(mine[f])
	}
}

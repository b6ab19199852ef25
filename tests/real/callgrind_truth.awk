# SPDX-License-Identifier: MIT
# Turns a callgrind profile of an instrumented program into the truth that tests/tools/check_counts.c reads.
#
#   awk -f tests/real/callgrind_names.awk -f tests/real/callgrind_truth.awk [-v raw=1] callgrind.out.PID
#
# With raw=1 it prints all arcs as they are: CALLER, CALLEE, CALLS. The caller is "-" for entries without a caller that callgrind saw.
#
# The very program that is profiled ran under callgrind, with hooks that do nothing (tests/real/hooks.c). So a function that calls
# __cyg_profile_func_enter, or __fentry__, is instrumented, and was called as often as it calls that: nothing of this comes from
# zprof. Arcs between two instrumented functions are taken over. Where an uninstrumented function (libc's qsort) called an
# instrumented one, the arc's caller is the instrumented function above it, if there is exactly one, and "-" where only the
# program's start is above. If several are above, callgrind can't tell whose call it was: that is an error.
#
# A function is known by its id; the file it is in is that of the fl= line before the fn= line. Of clones (f.part.0, f.cold) only the name before
# the point counts: they are parts of one function of the source.

# Without parameters and clone suffixes, as check_counts compares names.
function bare(name) {
	if (match(substr(name, 2), /\(/) && name !~ /^[^(]*\(anonymous/)
		name = substr(name, 1, RSTART)
	sub(/ \[clone.*/, "", name)
	sub(/\.(part|cold|constprop|isra|lto_priv)(\.[0-9]+)?.*/, "", name)
	sub(/'[0-9]+$/, "", name)
	return name
}

function key_of(id,    file) {
	file = file_of[id]
	sub(/.*\//, "", file)
	return bare(names[id]) (file == "" || file == "???" ? "" : "@" file)
}

/^(fl|fi|fe|cfi|cfl)=/ {
	split($0, part, "=")
	f = id_of(substr($0, index($0, "=") + 1), files)
	if (part[1] == "fl")
		current_file = f
	next
}
/^fn=/ {
	current = id_of(substr($0, 4), names)
	file_of[current] = files[current_file]
	next
}
/^cfn=/ { callee = id_of(substr($0, 5), names); next }
/^calls=/ {
	split(substr($0, 7), part, " ")
	arcs[current, callee] += part[1]
	next
}

# The instrumented functions above an uninstrumented one: sets found[], by key; "-" for the program's start.
function above(key,    caller, any) {
	if (key in visited)
		return
	visited[key] = 1
	for (caller in callers) {
		split(caller, part, SUBSEP)
		if (part[2] != key)
			continue
		any = 1
		split(caller, part, SUBSEP)
		if (part[1] in entered)
			found[part[1]] = 1
		else
			above(part[1])
	}
	if (!any)
		found["-"] = 1
}

END {
	for (arc in arcs) {
		split(arc, part, SUBSEP)
		if (raw) {
			caller = bare(names[part[1]])
			callee = bare(names[part[2]])
			print caller "\t" callee "\t" arcs[arc]
			rest[callee] -= arcs[arc]
			if (callee == "__cyg_profile_func_enter")
				rest[caller] += arcs[arc]
		}
	}
	for (callee in rest)
		if (rest[callee] > 0)
			print "-\t" callee "\t" rest[callee]
	if (raw)
		exit
	for (arc in arcs) {
		split(arc, part, SUBSEP)
		if (names[part[2]] ~ /^(__cyg_profile_func_enter|__fentry__)/)
			entered[key_of(part[1])] += arcs[arc]
	}
	for (arc in arcs) {
		split(arc, part, SUBSEP)
		if (key_of(part[1]) != key_of(part[2]) || (key_of(part[1]) in entered))
			callers[key_of(part[1]), key_of(part[2])] += arcs[arc]
	}
	for (arc in callers) {
		split(arc, part, SUBSEP)
		caller = part[1]
		callee = part[2]
		if (!(callee in entered))
			continue
		if (!(caller in entered)) {
			delete found
			delete visited
			above(caller)
			n = 0
			for (f in found) {
				n++
				only = f
			}
			if (n != 1) {
				print "callgrind_truth: " n " functions are above " caller ", which calls " callee >"/dev/stderr"
				exit 1
			}
			caller = only
		}
		truth[caller "\t" callee] += callers[arc]
		sum[callee] += callers[arc]
	}
	for (t in truth)
		print "calls\t" t "\t" truth[t]
	for (f in entered) {
		print "total\t" f "\t" entered[f]
		if (!(f in sum)) # a root: callgrind saw no caller
			print "calls\t-\t" f "\t" entered[f]
	}
}

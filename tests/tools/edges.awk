# SPDX-License-Identifier: MIT
# edges.awk - which files of a folder use each other, as the linker sees it: reads `nm -A` of its objects, and prints
#
#     up ROOM/FILE SYMBOL          the symbol is defined in a higher room
#     circle ROOM/FILE ROOM/FILE   the first uses the second, and the second the first, maybe by way of others
#     place NAME ROOM/FILE ROOM/FILE
#                                  the first calls the second by way of a place of that name (preload/process/upward.h)
#
# -v rooms="lowest ... highest", empty if the folder is one room; -v objects=PATTERN: what a path has before ROOM/FILE.

BEGIN {
	n = split(rooms, list, " ")
	for (i = 1; i <= n; i++)
		rank[list[i]] = i
}

{
	file = $1
	sub(/\.o:.*/, "", file)
	sub(objects, "", file)
	files[file]
	kind = $(NF - 1)
	if ($NF ~ /^upward_/ && kind == "V")
		caller[substr($NF, 8)] = file
	else if ($NF ~ /^upward_/ && kind == "D")
		filler[substr($NF, 8)] = file
	else if (kind ~ /^[TDBRCVW]$/)
		home[$NF] = file
	else if (kind == "U")
		uses[file, $NF]
}

function room_of(file) {
	sub(/\/.*/, "", file)
	return file in rank ? rank[file] : 0
}

# All that `from` reaches is in reached[from, ...].
function reach(from,    todo, n, at, next_of, i) {
	todo[n = 1] = from
	while (n) {
		at = todo[n--]
		split(used_by[at], next_of, " ")
		for (i in next_of)
			if (!((from, next_of[i]) in reached)) {
				reached[from, next_of[i]]
				todo[++n] = next_of[i]
			}
	}
}

END {
	if (!NR)
		print "nothing is built"
	for (u in uses) {
		split(u, by, SUBSEP)
		if (!(by[2] in home) || home[by[2]] == by[1])
			continue
		to = home[by[2]]
		if (room_of(by[1]) && room_of(to) > room_of(by[1]))
			print "up", by[1], by[2]
		if (!((by[1], to) in edge)) {
			edge[by[1], to]
			used_by[by[1]] = used_by[by[1]] " " to
		}
	}
	for (name in caller)
		print "place", name, caller[name], filler[name]
	for (file in files)
		reach(file)
	for (e in edge) {
		split(e, by, SUBSEP)
		if ((by[2], by[1]) in reached)
			print "circle", by[1], by[2]
	}
}

# SPDX-License-Identifier: MIT
# events.sh - runs tests/sample/events.c, and reads what it has counted itself beside what a report says. Sourced by tests of events=, which
# set `here`, the folder of events.c, and put a report's JSON into `json`.

mkdir counts && chmod 777 counts

# of FUNCTION EVENT self|total [FILE]
of() {
	awk -v name="\"name\":\"$1\"" -v event="{\"name\":\"$2\"," -v member="\"$3\":" 'index($0, name) && (at = index($0, event)) {
		text = substr($0, at); text = substr(text, index(text, member) + length(member)); sub(/[,}].*/, "", text); print text; exit }' \
		"${4:-json}"
}

truth() { # FUNCTION inner|outer
	sed -n "s/^$1\((.*)\)\{0,1\} \([0-9]*\) \([0-9]*\)\$/\\$([ "$2" = inner ] && echo 2 || echo 3)/p" counts/truth counts/child
}

between() { # WHAT VALUE LEAST MOST
	[ -n "$2" ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]
	tap $? "$1"
	echo "# $2, from $3 to $4"
}

build() { # FLAG...
	gcc -O2 -g -I"$here/../.." -pthread "$here/events.c" -o events "$@" || exit 1
}

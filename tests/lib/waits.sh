# SPDX-License-Identifier: MIT
# Sourced by the tests of waits, and the bench of them.
. "${0%/*}/../lib/tap.sh"

# near A B WHAT PERCENT: sums of the same numbers, which were rounded on their way, differ by so little
near() {
	awk -v a="$1" -v b="$2" -v p="$4" 'BEGIN { exit !(b > 0 && a >= b * (1 - p / 100) && a <= b * (1 + p / 100)) }'
	tap $? "$3"
	echo "# $1 and $2"
}

# of FUNCTION MEMBER [FILE]: of the last profile
of() {
	awk -v name="\"name\":\"$1\"" -v member="\"$2\":" 'index($0, name) && (at = index($0, member)) {
		text = substr($0, at + length(member)); sub(/[,}].*/, "", text); print text; exit }' "${3:-json}"
}

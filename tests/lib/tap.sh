# SPDX-License-Identifier: MIT
# tap.sh - the results of a test, in TAP. Sourced by tests that are shell scripts; no other script under tests/ prints results.
#
#   tap STATUS WHAT                  WHAT holds if STATUS is 0
#   is WHAT EXPECTED GOT             two texts are equal
#   same WHAT EXPECTED-FILE FILE     two files are equal; `-` is standard input
#   holds WHAT COMMAND...            COMMAND succeeds
#   skip WHAT WHY                    WHAT was not looked at
#   relay FILE                       the results that a program has printed to FILE, with the next numbers
#   finish                           the plan, when all is done; false if anything did not hold
#
# The first four return whether it holds, so `tap $? "..." || sed 's/^/# /' log` says more. They must not run in a subshell: the
# count would be lost. A test ends with `finish`, whose status is then its own.
tap_count=0 tap_failed=0

tap() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' $tap_count "$2"
	else
		printf 'not ok %d - %s\n' $tap_count "$2"
		tap_failed=1
		return 1
	fi
}

is() {
	[ "$2" = "$3" ]
	tap $? "$1" && return
	printf 'expected: %s\n     got: %s\n' "$2" "$3" | sed 's/^/# /'
	return 1
}

same() {
	tap_difference=$(diff -u "$2" "$3" 2>&1)
	tap $? "$1" && return
	printf '%s\n' "$tap_difference" | sed 's/^/# /'
	return 1
}

holds() {
	tap_what=$1
	shift
	"$@"
	tap $? "$tap_what"
}

skip() { tap 0 "$1 # SKIP $2"; }

relay() {
	while IFS= read -r tap_line; do
		tap_what=${tap_line#*ok } tap_what=${tap_what#"${tap_what%%[!0-9]*}"} tap_what=${tap_what# - }
		case $tap_line in
		'ok '*) tap 0 "$tap_what" ;;
		'not ok '*) tap 1 "$tap_what" ;;
		1..*) ;;
		*) printf '%s\n' "$tap_line" ;;
		esac
	done <"$1"
	return 0
}

finish() {
	echo "1..$tap_count"
	[ $tap_failed = 0 ]
}

# SPDX-License-Identifier: MIT
# Sourced by scripts that compare output with files: prints TAP, one line per comparison.
#
#   golden_plan N                 how many comparisons there will be
#   golden FILE COMMAND...        stdout of COMMAND is what tests/golden/FILE holds
#   expect STATUS TEXT COMMAND... COMMAND ends with STATUS and prints TEXT, on stdout or stderr
#
# GOLDEN_UPDATE=1 writes the files instead; look at the difference before committing it.

golden_folder=$(cd "$(dirname "$0")/../golden" && pwd)
golden_count=0

golden_plan() { echo "1..$1"; }

golden_result() { # STATUS NAME
	golden_count=$((golden_count + 1))
	if [ "$1" = 0 ]; then echo "ok $golden_count - $2"; else echo "not ok $golden_count - $2"; fi
}

golden() {
	file=$1; shift
	"$@" >actual 2>errors </dev/null
	if [ -n "${GOLDEN_UPDATE:-}" ]; then cp actual "$golden_folder/$file"; fi
	diff -u "$golden_folder/$file" actual >difference
	golden_result $? "$file"
	sed 's/^/# /' difference
}

expect() {
	status=$1 text=$2; shift 2
	"$@" >actual 2>&1 </dev/null
	got=$?
	if [ "$got" = "$status" ] && grep -qF -e "$text" actual; then
		golden_result 0 "$* gives $status: $text"
	else
		golden_result 1 "$* gives $status: $text"
		echo "# status $got:"
		sed 's/^/# /' actual
	fi
}

# SPDX-License-Identifier: MIT
# golden.sh - results of commands, compared with files or with what a test expects of them. Sourced; it sources tap.sh.
#
#   golden FILE COMMAND...          stdout of COMMAND is what tests/golden/FILE holds
#   golden_file WHAT GOLDEN FILE    FILE is what tests/golden/GOLDEN holds
#   expect STATUS TEXT COMMAND...   COMMAND ends with STATUS and prints TEXT, on stdout or stderr
#
# GOLDEN_UPDATE=1 writes the files instead; look at the difference before committing it.
. "${0%/*}/../lib/tap.sh"
golden_folder=$(cd "${0%/*}/../golden" && pwd)

golden() {
	file=$1; shift
	"$@" >actual 2>errors </dev/null
	golden_file "$file" "$file" actual
}

golden_file() {
	if [ -n "${GOLDEN_UPDATE:-}" ]; then cp "$3" "$golden_folder/$2"; fi
	same "$1" "$golden_folder/$2" "$3"
}

expect() {
	status=$1 text=$2; shift 2
	"$@" >actual 2>&1 </dev/null
	got=$?
	[ "$got" = "$status" ] && grep -qF -e "$text" actual
	tap $? "$* gives $status: $text" || {
		echo "# status $got:"
		sed 's/^/# /' actual
	}
}

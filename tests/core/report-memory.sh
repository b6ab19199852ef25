#!/bin/sh
# SPDX-License-Identifier: MIT
# report-memory.sh - each command gives back the memory that it took, and reads nothing that is not there, by valgrind's memcheck. A view
# ends with its process, but the library of views serves `zprof top` and `zprof mcp`, which read a profile again and again.
. "${0%/*}/../lib/tap.sh"
golden=$(cd "${0%/*}/../golden" && pwd)
"$ZPROF_BUILD/tests/make_profile" one.prof <"$golden/report/sample.spec" || exit 1
"$ZPROF_BUILD/tests/make_profile" two.prof <"$golden/report/sample.spec" || exit 1
printf '[group words]\nfunc = scan_*\n[metric m]\ngroups = words\n' >groups
mkdir folder

# clean STATUS WHAT COMMAND...: the command ends with this status, and memcheck has nothing to say.
clean() {
	status=$1 what=$2
	shift 2
	valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect --error-exitcode=99 \
		--log-file=memory "$ZPROF_BUILD/zprof" "$@" >out 2>err </dev/null
	is "$what" "$status" "$?$(head -40 memory)"
}
clean 0 "filters by function" graph --under main --only '/./' --fold-library --file '*.c' one.prof
clean 0 "filters by group and thread" report --group words --groups groups --metric m --thread '*' one.prof
clean 0 "filters by process and module" report --tree --pid '*' --module '*' one.prof
clean 0 "a row for each depth of a recursion" graph --all --recursion spread one.prof
clean 1 "a name that nothing has" graph --func sacn_word one.prof
clean 1 "a folder without a profile" graph folder
clean 1 "no profile of any run" graph
clean 0 "two profiles as one" merge -o merged.prof one.prof two.prof
clean 0 "a comparison" diff one.prof two.prof
clean 0 "JSON" report --json one.prof
clean 0 "a page" html -o page.html one.prof
clean 0 "an export" export --format callgrind -o callgrind.out one.prof
clean 1 "a file in a folder that is not there" html -o none/page.html one.prof
finish

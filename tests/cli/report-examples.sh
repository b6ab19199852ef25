#!/bin/sh
# SPDX-License-Identifier: MIT
# report-examples.sh - every block of commands in report/compare/README.md runs as it stands, in order, in one folder.
root=$(cd "${0%/*}/../.." && pwd)
PATH=$ZPROF_BUILD:$PATH
. "${0%/*}/../lib/tap.sh"

cat >prog.c <<'END'
static volatile int sum;
static void part(int n) { for (int i = 0; i < n; i++) sum += i; }
int main(void) { for (int i = 0; i < 100; i++) part(50000); part(EXTRA); return 0; }
END
${CC:-gcc} -g -finstrument-functions -DEXTRA=1 prog.c -o prog
sed 's/part(EXTRA);/part(EXTRA); part(2);/' prog.c >changed.c
${CC:-gcc} -g -finstrument-functions -DEXTRA=1 changed.c -o prog-changed

# Blocks without a language are commands.
awk '/^```/ { fence = !fence; commands = fence && $0 == "```"; count += commands; next } commands { print > "block" count }' "$root/report/compare/README.md"
for block in $(seq 1 20); do
	[ -f "block$block" ] || continue
	if grep -q -- '--fail' "block$block"; then
		# The gate fails: each line ends with status 3.
		while read -r line; do
			case $line in *--fail*) wanted=3 ;; *) wanted=0 ;; esac
			sh -c "$line" >out 2>&1
			[ $? = $wanted ]
			tap $? "$line gives $wanted"
			[ $wanted = 0 ] || ! grep -q 'part' out summary.md 2>/dev/null || named=yes
		done <"block$block"
	else
		sh -e "./block$block" >out 2>&1
		tap $? "$(head -1 "block$block")" || sed 's/^/# /' out
	fi
done
[ "${named:-}" ]
tap $? "the gate names the function"
[ -s summary.md ] && [ -s gate.xml ] && [ -s bencher.json ] && [ -s both.folded ]
tap $? "files for other tools"
finish

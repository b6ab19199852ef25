#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof diff --fail`: calls of a deterministic program never differ by chance, one call more always fails; what a condition
# can say; the forms for other tools; and the script of the GitHub action.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
export TZ=UTC0
action=$(cd "$(dirname "$0")/../../report/action" && pwd)

# ---- a program, recorded ten times; with one call more, ten times
cat >prog.c <<'E'
#include <stdlib.h>
#define APART __attribute__((noinline))
static int numbers[5000];
APART static int less(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
APART static int search(int n) { return bsearch(&n, numbers, 5000, sizeof(int), less) != NULL; }
APART static void fill(unsigned seed) { for (int i = 0; i < 5000; i++) numbers[i] = (int)(seed = seed * 1103515245 + 12345) >> 8; }
APART static int lookups(int count) { int found = 0; for (int i = 0; i < count; i++) found += search(numbers[i]); return found; }
int main(void)
{
	fill(1);
	qsort(numbers, 5000, sizeof(int), less);
	int found = lookups(2000);
#ifdef MORE
	found += search(7);
#endif
	return found == 0;
}
E
gcc -g -O2 -finstrument-functions prog.c -o prog && gcc -g -O2 -finstrument-functions -DMORE prog.c -o more || exit 1
"$zprof" record -o base.zp ./prog 2>/dev/null
passed=0 failed=0 named=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$zprof" record -o prog$i.zp ./prog 2>/dev/null
	"$zprof" record -o more$i.zp ./more 2>/dev/null
	"$zprof" diff --fail 'calls>0%' --fail 'calls<0%' base.zp prog$i.zp >text 2>&1 && passed=$((passed + 1))
	"$zprof" diff --fail 'calls>0%' base.zp more$i.zp >text 2>&1
	[ $? = 3 ] && failed=$((failed + 1))
	grep -qF '    search: calls 2,000 -> 2,001 (+1, +0.05 %)' text && grep -qF '        called by main: 0 -> 1 (+1, new)' text && named=$((named + 1))
done
[ $passed = 10 ]
tap $? "the same program passes ten times of ten ($passed)"
[ $failed = 10 ]
tap $? "with one call more it fails ten times of ten ($failed)"
[ $named = 10 ]
tap $? "and the function and its caller are named ($named)"

# ---- conditions
spec=$golden_folder/report/sample.spec
cp "$golden_folder/report/sample.groups" zprof.groups
made() { "$ZPROF_BUILD/tests/make_profile" "$1"; }
made a.prof <"$spec"
sed 's/scan_word 20 400/scan_word 21 440/; s/^run .*/run ff/' "$spec" | sed 's/^run .*/run 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f/' | made b.prof
gate() { "$zprof" diff --fail "$1" a.prof b.prof; }
expect 3 "FAILED calls>0%" gate 'calls>0%'
expect 3 "FAILED calls>3%" gate 'calls>3%'
expect 0 "passed calls>4%" gate 'calls>4%'
expect 0 "passed calls>1" gate 'calls>1'
expect 3 "FAILED calls>0" gate 'calls>0'
expect 0 "passed calls<0%" gate 'calls<0%'
expect 3 "FAILED scan_word self>7%" gate 'scan_word self>7%'
expect 0 "passed scan_word self>8%" gate 'scan_word self>8%'
expect 0 "passed scan_number calls>0%" gate 'scan_number calls>0%'
expect 3 "    scanner: calls 31 -> 32 (+1, +3.2 %)" gate 'group:scanner calls>0%'
expect 0 "passed group:parser self>0%" gate 'group:parser self>0%'
expect 3 "    whole: self 1,317 -> 1,357 (+40, +3.0 %)" gate 'whole self>3%'
expect 3 "FAILED file:scan.c self>0%" gate 'file:scan.c self>0%'
expect 3 "FAILED whole self < 0%" "$zprof" diff --fail 'whole self < 0%' b.prof a.prof
expect 3 "passed whole calls<5%" "$zprof" diff --fail 'calls<2%' --fail 'whole calls<5%' b.prof a.prof
expect 1 "no function in the profiles matches 'scan_word'" "$zprof" diff --not scan_word --fail 'scan_word calls>0%' a.prof b.prof
expect 1 "no function in the profiles matches 'nobody'" gate 'nobody calls>0%'
expect 1 "no group 'nobody'" gate 'group:nobody calls>0%'
expect 1 "'cycles' is not a measure of these profiles" gate 'cycles>0%'
expect 1 "a group has calls and self, not total" gate 'group:parser total>0%'
for wrong in 'calls' 'calls>' '>5%' 'calls>x' 'calls>5%+' 'calls>5%+2' 'calls>1ms' 'self>5' 'calls>-1%' 'calls>5%+2sigmas'; do
	expect 2 "--fail is [PATTERN | group:GROUP | whole] MEASURE>LIMIT" gate "$wrong"
done
expect 2 "compare two sides, not 3" "$zprof" diff --fail 'calls>0%' a.prof b.prof a.prof
expect 2 "only one of" "$zprof" diff --junit --markdown a.prof b.prof

# error bars: 100 hooks of 2 +- 0.2 ticks; 1,000 to 1,080 ticks with a bar of 20 each, so 28.3 together, and a sigma of 14.4
clocked() { printf 'clock tsc 1000000000\nhooks 1000 1000 200\nthread 1 t 1\n  work 100 %d\n' $(($1 + 100)) | made "$2"; }
clocked 1000 c.prof
clocked 1080 d.prof
expect 3 "FAILED work self>5%" "$zprof" diff --fail 'work self>5%' c.prof d.prof
expect 3 "FAILED work self>5%+2sigma" "$zprof" diff --fail 'work self>5%+2sigma' c.prof d.prof
expect 0 "passed work self>5%+3sigma" "$zprof" diff --fail 'work self>5%+3sigma' c.prof d.prof
expect 3 "work: self 1.00 us -> 1.08 us (+80.0 ns +- 28.3 ns, +8.0 %)" "$zprof" diff --fail 'self>70ns+0sigma' c.prof d.prof
# a change within its error breaks a condition on times only if it says so: two sigmas are the default, and calls have none
expect 0 "passed self>70ns" "$zprof" diff --fail 'self>70ns' c.prof d.prof
expect 0 "passed work total>60ns" "$zprof" diff --fail 'work total>60ns' c.prof d.prof
expect 3 "FAILED work self>0%" "$zprof" diff --fail 'work self>0%' c.prof d.prof
clocked 1020 e.prof
expect 0 "passed self>0%" "$zprof" diff --fail 'self>0%' c.prof e.prof
expect 3 "(+20.0 ns +- 28.3 ns" "$zprof" diff --fail 'self>0%+0sigma' c.prof e.prof
expect 3 "FAILED self<0%+0sigma" "$zprof" diff --fail 'self<0%+0sigma' e.prof c.prof

# ---- forms
golden report/gate-markdown "$zprof" diff --markdown --fail 'calls>0%' --fail 'group:parser self>5%' a.prof b.prof
golden report/gate-junit "$zprof" diff --junit --fail 'calls>0%' --fail 'group:parser self>5%' a.prof b.prof
golden report/gate-bencher "$zprof" diff --bencher --limit 2 c.prof d.prof
# names that would break a table, a tag or a key
printf 'thread 1 t 1\n  a|b`c<d>&"e 1 5\n' | made odd.prof
printf 'thread 1 t 1\n  a|b`c<d>&"e 2 5\n' | made more.prof
"$zprof" diff --junit --fail 'calls>0%' odd.prof more.prof >odd.xml 2>/dev/null
xmllint --noout odd.xml 2>errors && [ "$(xmllint --xpath 'string(//failure)' odd.xml | sed -n 2p)" = 'a|b`c<d>&"e: calls 1 -> 2 (+1, +100 %)' ]
tap $? "JUnit is well-formed, whatever a function is called"
"$zprof" diff --markdown --fail 'calls>0%' odd.prof more.prof 2>/dev/null | grep -qF '| `a\|b'"'"'c<d>&"e` | `calls` | 1 -> 2'
tap $? "and so is Markdown"
printf 'zone twin kind=2 file=a.c line=1\nzone twin kind=2 file=b.c line=1\nthread 1 t 1\n  twin 1 5\n  twin#2 2 5\n' | made twins.prof
"$zprof" diff --bencher twins.prof 2>/dev/null | "$ZPROF_BUILD/tests/json_shape" 2>/dev/null | grep -c '\.calls object' | grep -qx 2
tap $? "functions with the same name are two of Bencher's benchmarks"

# ---- the action
run_action() { # BEFORE AFTER FAIL
	rm -f summary output suite.xml bencher.json
	GATE_ZPROF=$zprof GATE_BEFORE=$1 GATE_AFTER=$2 GATE_FAIL=$3 GATE_MARKDOWN=comment.md GATE_JUNIT=suite.xml GATE_BENCHER=bencher.json \
		GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=output "$action/gate.sh" >log 2>&1
}
run_action a.prof b.prof "calls>0%
group:parser self>5%"
[ $? = 3 ] && [ "$(cat output)" = failed=true ] && grep -q 'zprof: 1 of 2 conditions failed' summary && xmllint --noout suite.xml && cmp -s comment.md summary && grep -q '"value"' bencher.json && grep -q 'called by parse' log
tap $? "the action fails, and names the place in the log, the summary, the test suite"
mkdir "it's a 'folder'" && cp a.prof "it's a 'folder'/one" && cp b.prof '$(touch bad)'
run_action "it's a 'folder'

a.prof" '$(touch bad)' '$(touch bad) calls>0%'
[ $? = 1 ] && [ ! -e bad ] && grep -q "no function in the profiles matches" log
tap $? "the text of its inputs is never run"
run_action a.prof a.prof ''
[ $? = 0 ] && [ "$(cat output)" = failed=false ] && grep -q 'zprof: passed' summary
tap $? "the action passes"
grep -o 'inputs\.[a-z]*' "$action/action.yml" | sort -u | sed 's/inputs\.//' >used
sed -n '/^inputs:/,/^outputs:/s/^  \([a-z]*\):$/\1/p' "$action/action.yml" | sort | diff - used >difference
tap $? "the action uses every input it has, and no other"
sed -n '/zprof\/report\/action@/,/- name/s/^          \([a-z]*\):.*/\1/p' "$action/workflow.yml" | sort >given
[ -s given ] && comm -23 given used >difference && [ ! -s difference ]
tap $? "the workflow to copy uses inputs that the action has"
sed -n 's/^ *\(GATE_[A-Z]*\): .*/\1/p' "$action/action.yml" | sort >given
grep -o 'GATE_[A-Z]*' "$action/gate.sh" | sort -u | diff - given >difference
tap $? "the script and the action name the same variables"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof diff --counts`: how often lines ran before and after an edit, found again though they moved, were edited, or are in a
# function of another name.
. "$(dirname "$0")/golden.sh"
zprof=$ZPROF_BUILD/zprof
golden_plan 15
# shellcheck disable=SC2046
build() { gcc $("$zprof" cflags --counts) f.c -o "$1" || exit 1; }
record() { "$zprof" record --quiet -o "$1" "$2" >/dev/null 2>&1; }

cat >f.c <<'E'
#include <stdio.h>
static int square(int x) { return x * x; }
int fib(int x)
{
	if (x == 0 || x == 1)
		return x;
	return fib(x - 1) + fib(x - 2);
}
static int old_name(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += square(i);
	return sum;
}
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", fib(15));
	printf("%d\n", old_name(argc * 100));
	return 0;
}
E
build ./one
record one.zp ./one
cat >f.c <<'E'
#include <stdio.h>
/* functions
   in another order */
static int new_name(int n);
static int square(int x) { return x * x; }
static int new_name(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += square(i);
	return sum;
}
int fib(int x)
{
	if (x <= 1)
		return x;
	return fib(x - 1) + fib(x - 2);
}
int main(int argc, char **argv)
{
	(void)argv;
	puts("new");
	printf("%d\n", fib(16));
	printf("%d\n", new_name(argc * 100));
	return 0;
}
E
build ./two
record two.zp ./two

# What fib(15) and fib(16) run is known: 1,973 and 3,193 calls, of which 987 and 1,597 end at once.
row() { # LINE-BEFORE LINE-AFTER: of $rows
	grep -E "^ +$1 +$2 " rows | tr -s ' ' | sed 's/^ //'
}
is() { # WHAT GOT WANT
	[ "$2" = "$3" ]
	golden_result $? "$1"
	[ "$2" = "$3" ] || echo "# '$2' is not '$3'"
}
"$zprof" diff --counts one.zp two.zp >rows
is "a line that moved" "$(row 6 16)" '6 16 987 1,597 +610 1.618 return x;'
is "an edited line" "$(row 5 15)" '5 15 1,973 3,193 +1,220 1.618 if (x <= 1)'
is "a new line" "$(grep 'puts' rows | tr -s ' ')" ' 22 1 +1 new puts("new");'
grep -q 'fib(16)\|square\|sum' rows
is "a line that ran as often as before is not shown, edited or not" $? 1
is "how many differ" "$(sed -n 3p rows)" '6 of 18 lines differ'
"$zprof" diff --counts --all one.zp two.zp >rows
is "a renamed function keeps its lines" "$(row 13 10)" '13 10 100 100 0 1.000 sum += square(i);'
is "--all shows them, and counts the others" "$(sed -n 3p rows)" '6 of 18 lines differ'
"$zprof" diff --counts two.zp one.zp >rows
is "backwards, what was new is gone" "$(grep puts rows | tr -s ' ')" ' 22 1 -1 gone puts("new");'
# the sources are in the profiles: those on disk may be gone
mv f.c elsewhere.c
"$zprof" diff --counts two.zp one.zp | cmp - rows
golden_result $? "the sources need not be there"
"$zprof" diff --counts two.zp two.zp | grep -q '^0 of 18 lines differ$'
golden_result $? "a profile does not differ from itself"
# several runs per side are averaged: here one with twice as much work
"$zprof" record --quiet -o more.zp ./two more >/dev/null 2>&1
"$zprof" diff --counts two.zp -- two.zp more.zp >rows
is "several runs are averaged" "$(row 10 10)" '10 10 100 150 +50 1.500 sum += square(i);'
"$zprof" diff --counts --json two.zp -- two.zp more.zp | grep '"before_line":10,' | grep -q '"before":100.0,"after":150.0'
golden_result $? "and so in JSON"
"$zprof" diff --counts --func fib one.zp two.zp >rows
is "--func selects" "$(sed 1,5d rows | grep -c .)" 6
expect 2 "--counts compares two sides" "$zprof" diff --counts one.zp two.zp more.zp
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec"
expect 1 "'sample.prof' has no counts of statements: compile" "$zprof" diff --counts sample.prof two.zp

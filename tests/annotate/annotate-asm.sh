#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof annotate --asm`: instructions are where objdump finds them, and have the samples and the calls of their lines.
. "${0%/*}/../lib/tap.sh"
here=$(cd "${0%/*}" && pwd) zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2

cat >hot.c <<'END'
#include <stdlib.h>

static volatile unsigned sink;

static __attribute__((noinline, no_instrument_function)) void unseen(unsigned n)
{
	__asm__ volatile("0: dec %0\n\tjnz 0b" : "+r"(n));
}

static __attribute__((noinline)) void leaf(void)
{
	sink++;
}

static __attribute__((noinline)) void hot(unsigned n)
{
	leaf();
	__asm__ volatile(".globl hot_begin, hot_end\nhot_begin:\n0: dec %0\n\tjnz 0b\nhot_end:" : "+r"(n));
	leaf();
}

static __attribute__((noinline)) void through(unsigned n)
{
	unseen(n);
	leaf();
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		hot(50000000);
		through(50000000);
	}
	return 0;
}
END
gcc -g -O2 -finstrument-functions hot.c -o hot || exit 1
"$zprof" record --callsites -o profile ./hot >/dev/null 2>err || { sed 's/^/# /' err; exit 1; }
"$zprof" annotate --asm --json profile >asm.json && "$zprof" annotate --json profile >lines.json
python3 "$here/annotate_asm.py" hot asm.json lines.json >results
relay results

"$zprof" annotate --asm --func hot profile >text
grep -q '^hot, .*hot.c:[0-9]*$' text && grep -q '^ *17 *leaf();$' text &&
	grep -q '^ *x10 .* callq 0x[0-9a-f]* <leaf>$' text && ! grep -q '^unseen\|^through' text
tap $? "the text has the function that was chosen, its source and its calls"

"$zprof" annotate --asm --func through profile | grep -qx 'through, in unseen'
tap $? "a function without hooks is a list of its own"

"$zprof" annotate --asm --counts profile >out 2>err
[ $? = 1 ] && grep -q 'cannot be given with --asm' err
tap $? "--counts and --asm are refused together"

# (The linker finds this file first, and cannot use it.)
mkdir -p none && for n in 4 5 6; do echo "not a library" >none/libcapstone.so.$n; done
LD_LIBRARY_PATH=none "$zprof" annotate --asm --func hot profile >out 2>err
grep -q 'cannot show instructions without Capstone: .*libcapstone' out
tap $? "without Capstone, a sentence names it"

sed 's/sink++/sink += 2/' hot.c >other.c && gcc -g -O2 -finstrument-functions other.c -o hot
"$zprof" annotate --asm --func hot profile >out 2>err
grep -q "hot' has no code of 'hot': it is not there, or another build" out && ! grep -q '%rip' out
tap $? "of a file that was built anew, no instructions are shown"
finish
